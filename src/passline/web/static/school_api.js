// @ts-check
/** Requests to the school's API. The browser is known by the learner's cookie, which no script can read. */

import { randomHex, request, sendJson, TableError } from "./api.js";

/**
 * @typedef {{name: string, svg: string, words: string, amount: string, coin: string, piles: [string, number][]}} Stack
 * @typedef {{name: string, kind: string, label: string, optional?: boolean, hint?: string, choices?: [string, string][]}} Field
 * @typedef {{number: number, player: string, place: number, wager: string, name: string, chips: string}} PlacedBet
 * @typedef {{svg: string, views: Record<string, number[]>, lies: string[], marked?: number}} FeltDrawing
 * @typedef {{n: number, drill: string, ask: string, given: Record<string, any>, hint: string, fields: Field[],
 *   facts: {kind: string, words: string}[], stacks: Stack[], bank: [string, number][], felt: FeltDrawing | null, wagers: PlacedBet[], steps: string[],
 *   phrases: string[]}} Question
 * @typedef {{answer?: any, said?: string}} Answer
 * @typedef {{right: boolean, because: string, answer: Record<string, any>, explain: string[], cite: string[],
 *   missed: string[], stack: Stack | null, kept: boolean, yours: string, correct: string, clauses: [string, string][]}} Mark
 */

/** @param {string} path */
const get = (path) => request(`/api/school/${path}`);
/** @param {string} path @param {object} body @param {string} [method] */
const send = (path, body, method = "POST") => sendJson(`/api/school/${path}`, body, "", method);

/** The learner's time zone: minutes east of UTC. Days are counted in it. */
const findZone = () => -new Date().getTimezoneOffset();
/** @param {Record<string, string | number>} values */
const makeQuery = (values) => new URLSearchParams(Object.entries(values).map(([key, value]) => [key, String(value)])).toString();

/** Return the query that names the house: a house file if there is one, otherwise the rulebook. @param {string} rulebook @param {string} house @returns {Record<string, string>} */
export const houseQuery = (rulebook, house) => (house.trim() ? { house } : { rulebook });

export const school = {
  /** @param {Record<string, string | number>} query @param {number} n @returns {Promise<Question>} */
  async question(query, n) {
    return (await get(`questions?${makeQuery({ ...query, from: n, count: 1 })}`)).questions[0];
  },
  /** @param {object} body @returns {Promise<Mark>} */
  answer: (body) => send("answer", { id: randomHex(12), zone: findZone(), ...body }),
  /** @param {Record<string, string>} house */
  practice: (house) => get(`practice?${makeQuery({ ...house, zone: findZone() })}`),
  /** Return the next question for a visitor without a name. @param {Record<string, string>} house @param {object[]} answers of this visit */
  practiceVisit: (house, answers) => send("practice", { ...house, answers, zone: findZone() }),
  /** Return the learner of this browser, or null. @returns {Promise<{name: string, role: string} | null>} */
  async me() {
    try {
      return await get("learner");
    } catch (error) {
      if (error instanceof TableError && [401, 503].includes(error.status)) return null;
      throw error;
    }
  },
  /** @param {string} name */
  begin: (name) => send("learner", { name, token: randomHex(24) }),
  forget: () => send("learner", {}, "DELETE"),
  progress: () => get("progress"),
  /** @param {string} key */
  class: (key) => request("/api/school/class", {}, key),
  /** Begin a proctored audition. @param {object} body */
  startAudition: (body) => send("auditions", { ...body, zone: findZone() }),
  /** Return an attempt under way with its questions, or the report of one that is over. @param {string} id @param {string} key */
  showAudition: (id, key) => request(`/api/school/auditions/${encodeURIComponent(id)}?questions=yes`, {}, key),
  /** @param {string} id @param {object} body */
  answerAudition: (id, body) => send(`auditions/${encodeURIComponent(id)}/answers`, body),
  /** Begin the shift of an attempt, or go on with it; afterwards, see its table. @param {string} id @param {string} key */
  shiftAudition: (id, key) => sendJson(`/api/school/auditions/${encodeURIComponent(id)}/shift`, {}, key),
  /** End an attempt and return its report. @param {string} id @param {string} key */
  finishAudition: (id, key) => sendJson(`/api/school/auditions/${encodeURIComponent(id)}/finish`, {}, key),
  /** Store marked work of a learner's post, so that practice repeats it. @param {object} body */
  storeWork: (body) => send("work", body),
};
