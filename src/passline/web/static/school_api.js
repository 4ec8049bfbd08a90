// @ts-check
/** Requests to the school. A browser is known by its learner's cookie, which no script can read. */

import { bodyOf, randomHex, TableError } from "./api.js";

/**
 * @typedef {{name: string, svg: string, words: string, amount: string, coin: string, piles: [string, number][]}} StackShown
 * @typedef {{name: string, kind: string, label: string, optional?: boolean, hint?: string, choices?: [string, string][]}} Field
 * @typedef {{number: number, player: string, place: number, wager: string, name: string, chips: string}} Lying
 * @typedef {{svg: string, views: Record<string, number[]>, lies: string[]}} FeltShown
 * @typedef {{n: number, drill: string, ask: string, given: Record<string, any>, hint: string, fields: Field[],
 *   facts: {kind: string, words: string}[], stacks: StackShown[], bank: [string, number][], felt: FeltShown | null, wagers: Lying[], steps: string[],
 *   phrases: string[]}} Sheet
 * @typedef {{answer?: any, said?: string}} Answer
 * @typedef {{right: boolean, because: string, answer: Record<string, any>, explain: string[], cite: string[],
 *   missed: string[], stack: StackShown | null, kept: boolean}} Marked
 */

/** @param {string} path @param {RequestInit} [how] @returns {Promise<any>} */
async function asked(path, how = {}) {
  let reply;
  try {
    reply = await fetch(`/api/school/${path}`, { credentials: "same-origin", ...how });
  } catch {
    throw new TableError(0, null);
  }
  const body = await bodyOf(reply);
  if (!reply.ok) throw new TableError(reply.status, body);
  return body;
}

/** @param {string} method @param {object} body @returns {RequestInit} */
const sending = (method, body) => ({
  method,
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
});

/** @param {Record<string, string | number>} of */
const query = (of) => new URLSearchParams(Object.entries(of).map(([key, value]) => [key, String(value)])).toString();

/** Whose game is asked: a house file goes before a rulebook. @param {string} rulebook @param {string} house @returns {Record<string, string>} */
export const houseOf = (rulebook, house) => (house.trim() ? { house } : { rulebook });

export const school = {
  /** @param {Record<string, string | number>} asking @param {number} n @returns {Promise<Sheet>} */
  async question(asking, n) {
    return (await asked(`questions?${query({ ...asking, from: n, count: 1 })}`)).questions[0];
  },
  /** @param {object} body @returns {Promise<Marked>} */
  answer: (body) => asked("answer", sending("POST", { id: randomHex(12), ...body })),
  /** @param {Record<string, string>} house */
  practice: (house) => asked(`practice?${query(house)}`),
  /** Who this browser is; null where it is nobody yet. @returns {Promise<{name: string, role: string} | null>} */
  async me() {
    try {
      return await asked("learner");
    } catch (wrong) {
      if (wrong instanceof TableError && [401, 503].includes(wrong.status)) return null;
      throw wrong;
    }
  },
  /** @param {string} name */
  begin: (name) => asked("learner", sending("POST", { name, token: randomHex(24) })),
  forget: () => asked("learner", sending("DELETE", {})),
  progress: () => asked("progress"),
  /** @param {string} key */
  class: (key) => asked("class", { headers: { Authorization: `Bearer ${key}` } }),
  /** @param {Record<string, string | number>} of */
  audition: (of) => asked(`audition?${query(of)}`),
  /** Work at a post that was marked, to be repeated. @param {object} body */
  worked: (body) => asked("work", sending("POST", body)),
  /** @param {object} body */
  report: (body) => asked("audition", sending("POST", body)),
};
