// @ts-check
/** Requests to a live table. A browser speaks by its cookie; every say has an id of its own. */

import { asSentence } from "./dom.js";

/** @param {number} bytes */
export function randomHex(bytes) {
  const raw = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(raw, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const NO_ANSWER = "The server does not answer. Try again in a moment.";

/** What went wrong, in the server's words. */
export class TableError extends Error {
  /** @param {number} status @param {any} body */
  constructor(status, body) {
    super(body?.error ?? NO_ANSWER);
    this.status = status;
    this.cite = body?.cite ?? "";
    this.nearest = body?.nearest ?? "";
    /** @type {string[]} */
    this.understood = body?.understood ?? [];
    /** What was not understood, without the forms of a record. */
    this.plain = body?.plain ?? "";
  }
}

/** What a reply says: its body, where that is JSON. @param {Response} reply @returns {Promise<any>} */
export async function readBody(reply) {
  const text = await reply.text();
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}

/** Return what went wrong, as a sentence for the page. @param {unknown} error */
export const describeError = (error) => asSentence(error instanceof TableError ? error.message : NO_ANSWER);

export class TableApi {
  /** @param {string} table @param {string} [bearer] a token that no cookie holds */
  constructor(table, bearer = "") {
    this.table = table;
    this.bearer = bearer;
    this.base = `/api/tables/${encodeURIComponent(table)}`;
  }

  /** @param {string} path @returns {Promise<any>} */
  async get(path) {
    return this.#request(path, { headers: { Accept: "application/json" } });
  }

  /** @param {string} path @param {object} body @returns {Promise<any>} */
  async post(path, body) {
    const headers = { "Content-Type": "application/json" };
    return this.#request(path, { method: "POST", headers, body: JSON.stringify(body) });
  }

  /** @param {string} path @param {object} body @returns {Promise<any>} */
  async remove(path, body) {
    const headers = { "Content-Type": "application/json" };
    return this.#request(path, { method: "DELETE", headers, body: JSON.stringify(body) });
  }

  /** Say something; the same request goes again after a lost reply, and is done once.
   * @param {string} say @returns {Promise<any>} */
  async say(say) {
    const body = { id: randomHex(12), say, nonce: randomHex(16) };
    for (let tries = 0; ; tries += 1) {
      try {
        return await this.post("/say", body);
      } catch (error) {
        const lost = !(error instanceof TableError) || [0, 429, 502, 503].includes(error.status);
        if (!lost || tries > 8) throw error;
        await new Promise((done) => setTimeout(done, 250 * 2 ** Math.min(tries, 4)));
      }
    }
  }

  /** Sit down with a token of our own, and have the browser keep it.
   * @param {string} name @param {string} buyIn */
  async sit(name, buyIn) {
    const token = randomHex(24);
    const seat = await this.post("/seats", { name, buy_in: buyIn, token });
    await this.post("/cookie", { token: seat.token });
    return seat;
  }

  /** Trade an invitation's token for a cookie. @param {string} token */
  async storeToken(token) {
    return this.post("/cookie", { token });
  }

  /** @param {string} path @param {RequestInit} init */
  async #request(path, init) {
    const headers = { ...init.headers, ...(this.bearer ? { Authorization: `Bearer ${this.bearer}` } : {}) };
    const reply = await fetch(this.base + path, { ...init, headers, credentials: "same-origin" });
    const body = await readBody(reply);
    const allowed = reply.headers.get("Passline-Allowed");
    const plain = reply.headers.get("Passline-Plain");
    if (allowed && body) body.allowed = JSON.parse(allowed);
    if (plain && body) body.plain = JSON.parse(plain);
    if (!reply.ok) throw new TableError(reply.status, body);
    return body;
  }
}
