// @ts-check
/** Requests to a live table's API. The browser is known by its cookie, or by a token that the page
 * holds. Every line has an id of its own, so that the server deals a repeated request only once. */

import { asSentence, byId } from "./dom.js";

export const NO_TOKEN = "Your seat or invitation here is not valid any more. Sit down again, or ask for a new invitation.";
const NO_ANSWER = "The server does not answer. Try again in a moment.";
/** Statuses after which the same line is sent again. */
const RETRIED = [429, 502, 503];
const MAX_RETRIES = 9;

/** Return random bytes in hex. @param {number} bytes */
export function randomHex(bytes) {
  const raw = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(raw, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** An error that the server answered, with its status, its clause and its suggestions. */
export class TableError extends Error {
  /** @param {number} status @param {any} body */
  constructor(status, body) {
    super(body?.error ?? NO_ANSWER);
    this.status = status;
    /** Seconds to wait before another try. */
    this.retryAfter = 0;
    this.cite = body?.cite ?? "";
    this.nearest = body?.nearest ?? "";
    /** @type {string[]} */
    this.understood = body?.understood ?? [];
    /** The words that were not understood, for people who type table talk. */
    this.plain = body?.plain ?? "";
  }
}

/** Return what went wrong, as a sentence for the page. @param {unknown} error */
export const describeError = (error) => asSentence(error instanceof TableError ? error.message : NO_ANSWER);

/** Run an action and show its error in an element. Return whether it worked.
 * @param {() => Promise<unknown>} action @param {HTMLElement} [alert] */
export async function attempt(action, alert = byId("alert")) {
  alert.textContent = "";
  try {
    await action();
    return true;
  } catch (error) {
    alert.textContent = describeError(error);
    return false;
  }
}

/** Return the JSON of a response, or null if it holds none. @param {Response} response @returns {Promise<any>} */
async function readBody(response) {
  const text = await response.text();
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}

/** @param {string} bearer @returns {Record<string, string>} */
const bearerHeader = (bearer) => (bearer ? { Authorization: `Bearer ${bearer}` } : {});

/** Return the JSON of a request. Throw a TableError if the server answers an error or not at all.
 * @param {string} url @param {RequestInit} init @param {string} [bearer] @returns {Promise<any>} */
export async function request(url, init = {}, bearer = "") {
  const headers = { ...init.headers, ...bearerHeader(bearer) };
  const response = await fetch(url, { ...init, headers, credentials: "same-origin" }).catch(() => {
    throw new TableError(0, null);
  });
  const body = await readBody(response);
  for (const name of ["offers", "plain"]) {
    const header = response.headers.get(`Passline-${name}`);
    if (header && body) body[name] = JSON.parse(header);
  }
  const lacksToken = response.status === 401 && !bearer; // The server's words are for programs.
  if (!response.ok) throw new TableError(response.status, lacksToken ? { ...body, error: NO_TOKEN } : body);
  return body;
}

/** Send JSON and return the JSON of the response.
 * @param {string} url @param {object} body @param {string} [bearer] @param {string} [method]
 * @param {Record<string, string>} [more] headers */
export const sendJson = (url, body, bearer = "", method = "POST", more = {}) =>
  request(url, { method, headers: { "Content-Type": "application/json", ...more }, body: JSON.stringify(body) }, bearer);

/** Open a stream after an event, or from the beginning. Throw a TableError if the server refuses it.
 * @param {string} url @param {number} after @param {AbortSignal} signal @param {Record<string, string>} [more] headers */
export async function openStream(url, after, signal, more = {}) {
  const headers = { Accept: "text/event-stream", ...(after >= 0 ? { "Last-Event-ID": String(after) } : {}), ...more };
  const response = await fetch(url, { headers, signal, credentials: "same-origin", cache: "no-store" });
  if (response.ok) return response;
  const error = new TableError(response.status, await readBody(response));
  error.retryAfter = Number(response.headers.get("Retry-After") ?? 0);
  throw error;
}

/** The requests of one table. */
export class TableApi {
  /** @param {string} table @param {string} [bearer] a token that is not in the cookie
   * @param {boolean} [asHost] use the host's cookie, not the player's */
  constructor(table, bearer = "", asHost = false) {
    this.table = table;
    this.bearer = bearer;
    this.asHost = asHost;
    this.base = `/api/tables/${encodeURIComponent(table)}`;
    /** The last commitment that a nonce was made for, and that nonce. */
    this.nonce = { commit: "", text: "" };
  }

  /** @returns {Record<string, string>} */
  #headers() {
    return { ...bearerHeader(this.bearer), ...(this.asHost ? { "Passline-As": "host" } : {}) };
  }

  /** @param {string} path @returns {Promise<any>} */
  get(path) {
    return request(this.base + path, { headers: { Accept: "application/json", ...this.#headers() } });
  }

  /** Open a stream of the table. See openStream. @param {string} path @param {number} after @param {AbortSignal} signal */
  open(path, after, signal) {
    return openStream(this.base + path, after, signal, this.#headers());
  }

  /** @param {string} path @param {object} body @returns {Promise<any>} */
  post(path, body) {
    return sendJson(this.base + path, body, "", "POST", this.#headers());
  }

  /** @param {string} path @param {object} body @returns {Promise<any>} */
  remove(path, body) {
    return sendJson(this.base + path, body, "", "DELETE", this.#headers());
  }

  /** Send a line. After a lost reply the same request is sent again; the server deals it only once.
   * @param {string} line @param {string} [commit] the house's commitment to the next throw @returns {Promise<any>} */
  async say(line, commit = "") {
    const body = { id: randomHex(12), say: line, nonce: line === "roll" ? this.#findNonce(commit) : randomHex(16) };
    for (let retries = 0; ; retries += 1) {
      try {
        return await this.post("/say", body);
      } catch (error) {
        const lost = !(error instanceof TableError) || error.status === 0 || RETRIED.includes(error.status);
        if (!lost || retries >= MAX_RETRIES) throw error;
        await new Promise((done) => setTimeout(done, 250 * 2 ** Math.min(retries, 4)));
      }
    }
  }

  /** Return the nonce for a throw: one for each commitment. Otherwise the house could refuse a throw whose dice
   * it dislikes, and get another nonce. @param {string} commit */
  #findNonce(commit) {
    if (!commit || this.nonce.commit !== commit) this.nonce = { commit, text: randomHex(16) };
    return this.nonce.text;
  }

  /** Sit down with a token made here, and trade it for a cookie. @param {string} name @param {string} buyIn */
  async sit(name, buyIn) {
    const seat = await this.post("/seats", { name, buy_in: buyIn, token: randomHex(24) });
    await this.storeToken(seat.token);
    return seat;
  }

  /** Have the browser forget its token of this table. */
  forgetToken() {
    return this.remove("/cookie", {});
  }

  /** Trade an invitation's token for a cookie. @param {string} token */
  storeToken(token) {
    return this.post("/cookie", { token });
  }
}
