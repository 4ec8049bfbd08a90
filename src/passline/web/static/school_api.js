// @ts-check
/** Requests to the school. A browser is known by its learner's cookie, which no script can read. */

import { randomHex, readBody, TableError } from "./api.js";

/**
 * @typedef {{name: string, svg: string, words: string, amount: string, coin: string, piles: [string, number][]}} Stack
 * @typedef {{name: string, kind: string, label: string, optional?: boolean, hint?: string, choices?: [string, string][]}} Field
 * @typedef {{number: number, player: string, place: number, wager: string, name: string, chips: string}} PlacedBet
 * @typedef {{svg: string, views: Record<string, number[]>, lies: string[]}} FeltDrawing
 * @typedef {{n: number, drill: string, ask: string, given: Record<string, any>, hint: string, fields: Field[],
 *   facts: {kind: string, words: string}[], stacks: Stack[], bank: [string, number][], felt: FeltDrawing | null, wagers: PlacedBet[], steps: string[],
 *   phrases: string[]}} Question
 * @typedef {{answer?: any, said?: string}} Answer
 * @typedef {{right: boolean, because: string, answer: Record<string, any>, explain: string[], cite: string[],
 *   missed: string[], stack: Stack | null, kept: boolean}} Mark
 */

/** @param {string} path @param {RequestInit} [init] @returns {Promise<any>} */
async function request(path, init = {}) {
  let reply;
  try {
    reply = await fetch(`/api/school/${path}`, { credentials: "same-origin", ...init });
  } catch {
    throw new TableError(0, null);
  }
  const body = await readBody(reply);
  if (!reply.ok) throw new TableError(reply.status, body);
  return body;
}

/** @param {string} method @param {object} body @returns {RequestInit} */
const jsonRequest = (method, body) => ({
  method,
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
});

/** @param {Record<string, string | number>} of */
const makeQuery = (of) => new URLSearchParams(Object.entries(of).map(([key, value]) => [key, String(value)])).toString();

/** Whose game is asked: a house file goes before a rulebook. @param {string} rulebook @param {string} house @returns {Record<string, string>} */
export const houseQuery = (rulebook, house) => (house.trim() ? { house } : { rulebook });

export const school = {
  /** @param {Record<string, string | number>} asking @param {number} n @returns {Promise<Question>} */
  async question(asking, n) {
    return (await request(`questions?${makeQuery({ ...asking, from: n, count: 1 })}`)).questions[0];
  },
  /** @param {object} body @returns {Promise<Mark>} */
  answer: (body) => request("answer", jsonRequest("POST", { id: randomHex(12), ...body })),
  /** @param {Record<string, string>} house */
  practice: (house) => request(`practice?${makeQuery(house)}`),
  /** Who this browser is; null where it is nobody yet. @returns {Promise<{name: string, role: string} | null>} */
  async me() {
    try {
      return await request("learner");
    } catch (error) {
      if (error instanceof TableError && [401, 503].includes(error.status)) return null;
      throw error;
    }
  },
  /** @param {string} name */
  begin: (name) => request("learner", jsonRequest("POST", { name, token: randomHex(24) })),
  forget: () => request("learner", jsonRequest("DELETE", {})),
  progress: () => request("progress"),
  /** @param {string} key */
  class: (key) => request("class", { headers: { Authorization: `Bearer ${key}` } }),
  /** @param {Record<string, string | number>} of */
  audition: (of) => request(`audition?${makeQuery(of)}`),
  /** Work at a post that was marked, to be repeated. @param {object} body */
  worked: (body) => request("work", jsonRequest("POST", body)),
  /** @param {object} body */
  report: (body) => request("audition", jsonRequest("POST", body)),
};
