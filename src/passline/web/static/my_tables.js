// @ts-check
/** Remembers in this browser where the player sits and which tables he hosts. The tokens themselves
 * are in cookies that no script can read. */

import { localStore } from "./dom.js";

/** @typedef {{table: string, name: string}} MySeat */

const MOST = 8;

/** @param {string} key @returns {any[]} */
function readList(key) {
  try {
    const list = JSON.parse(localStore.get(key, "[]"));
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

/** Return the seats of this browser, the latest first. @returns {MySeat[]} */
export const listSeats = () => readList("seats").filter((seat) => typeof seat?.table === "string" && typeof seat?.name === "string");

/** @param {string} table @param {string} name */
export const rememberSeat = (table, name) =>
  localStore.put("seats", JSON.stringify([{ table, name }, ...listSeats().filter((seat) => seat.table !== table)].slice(0, MOST)));

/** @param {string} table */
export const forgetSeat = (table) => localStore.put("seats", JSON.stringify(listSeats().filter((seat) => seat.table !== table)));

/** Return the token by which friends sit down at a private table. It is made once. @param {import("./api.js").TableApi} api the host's or the floor's */
export async function invitationToken(api) {
  if (!knownInvitation(api.table)) rememberInvitation(api.table, String((await api.post("/tokens", { role: "player" })).token));
  return knownInvitation(api.table);
}

/** Return the token of the invitation to a private table that this browser made or came with, or "". @param {string} table */
export const knownInvitation = (table) => localStore.get(`invite:${table}`);

/** @param {string} table @param {string} token that seats everybody who has it */
export const rememberInvitation = (table, token) => localStore.put(`invite:${table}`, token);

/** @param {string} table */
export const hostsTable = (table) => readList("hosted").includes(table);

/** @param {string} table */
export const rememberHosted = (table) => localStore.put("hosted", JSON.stringify([table, ...readList("hosted").filter((one) => one !== table)].slice(0, MOST)));
