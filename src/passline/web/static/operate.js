// @ts-check
/** The operator's tables. The house key goes into headers, and stays on this page while it is open;
 * a table's own page gets it in that table's cookie, which no script can read, for a shift. */

import { randomHex } from "./api.js";
import { made, part, press } from "./dom.js";
import { cents, shown } from "./money.js";

/** @typedef {{table: string, name: string, rulebook: string, game: string, players: number, seats: number,
 *   minimum: string, maximum: string, status: string, open: boolean}} Row */

const STATUS = /** @type {Record<string, string>} */ ({ live: "live", dead: "a dead game", closed: "closed" });
const form = /** @type {HTMLFormElement} */ (part("operate"));
const field = /** @type {HTMLInputElement} */ (form.querySelector("input"));
const every = part("every");

/** @param {string} path @param {string} method @param {object} [body] @returns {Promise<any>} */
async function ask(path, method = "GET", body) {
  const headers = { Authorization: `Bearer ${field.value}`, "Content-Type": "application/json" };
  const reply = await fetch(path, { method, headers, body: body ? JSON.stringify(body) : undefined });
  const told = reply.status === 204 ? null : await reply.json();
  if (!reply.ok) throw new Error(told?.error ?? "the server did not answer");
  const refused = Array.isArray(told) ? null : told?.entries?.find((/** @type {any} */ one) => one.refusal);
  if (refused) throw new Error(refused.refusal.reason);
  return told;
}

/** Do something, and tell what went wrong. @param {() => Promise<void>} does */
async function done(does) {
  part("alert").textContent = "";
  try {
    await does();
  } catch (wrong) {
    part("alert").textContent = wrong instanceof Error ? `${wrong.message}.` : String(wrong);
  }
}

/** @param {Row} row */
function acts(row) {
  const at = `/api/tables/${row.table}`;
  const place = made("div", { class: "links", "aria-live": "polite" });
  const say = (/** @type {string} */ line) => done(async () => {
    await ask(`${at}/say`, "POST", { id: randomHex(12), say: line });
    await show();
  });
  const operate = press("Operate", () => void done(async () => {
    await ask(`${at}/cookie`, "POST", { token: field.value });
    location.assign(`/t/${row.table}`);
  }), `Operate ${row.name}`);
  const invite = press("Invite a player", () => void done(async () => {
    const { token } = await ask(`${at}/tokens`, "POST", { role: "player" });
    const link = made("input", { readonly: "", value: `${location.origin}/t/${row.table}#${token}` });
    place.replaceChildren(made("label", {}, `A player's link to ${row.name} `, link));
    /** @type {HTMLInputElement} */ (link).select();
  }), `Invite a player to ${row.name}`);
  const close = row.status === "closed" ? press("Reopen", () => void say("table opens"), `Reopen ${row.name}`) : press("Close", () => void say("table closes"), `Close ${row.name}`);
  return [made("p", { class: "row-acts" }, operate, invite, close), place];
}

/** @param {Row} row */
function card(row) {
  const facts = [
    ["Players", `${row.players} of ${row.seats}`],
    ["Status", STATUS[row.status] ?? row.status],
    ["Open", row.open ? "in the lobby" : "by invitation"],
    ["Limits", `${shown(cents(row.minimum))} to ${shown(cents(row.maximum))}`],
  ].map(([head, words]) => made("div", {}, made("dt", {}, head), made("dd", {}, words)));
  const reads = made("p", {}, made("a", { href: `/t/${row.table}/replay` }, "Replay"), ", ", made("a", { href: `/api/tables/${row.table}/log` }, "the log"));
  return made("li", { class: "card" }, made("h2", {}, row.name), made("p", {}, `${row.rulebook}, ${row.game}`), made("dl", {}, ...facts), ...acts(row), ...(row.open ? [reads] : []));
}

async function show() {
  /** @type {Row[]} */
  const rows = await ask("/api/operate");
  const list = made("ul", { class: "tables" }, ...rows.map(card));
  every.replaceChildren(rows.length ? list : made("p", {}, "There is no table yet."));
  every.setAttribute("aria-label", `${rows.length} tables`);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void done(show);
});
