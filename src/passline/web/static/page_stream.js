// @ts-check
/** The stream that keeps a page up to date: the whole state once, then merge patches (RFC 7396). It
 * reconnects by itself and resumes after the last event. It uses fetch, because an EventSource can
 * neither send a token nor report a status. */

import { TableError } from "./api.js";

/**
 * @typedef {{seq: number, dice: number[], call: string}} Throw
 * @typedef {{seq: number, state: any, throws: Throw[], at: string}} PageUpdate `at`: the server's time, with a whole state
 * @typedef {{watchers: number, connected: string[]}} Presence
 * @typedef {{page: (update: PageUpdate) => void, presence?: (presence: Presence) => void,
 *   connected: (here: boolean) => void, refused: (error: TableError) => void}} StreamListener
 */

/** Milliseconds without a byte after which a stream counts as lost; the server sends a comment every 15 seconds. */
const SILENCE_MS = 40_000;
const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 5000;
/** Statuses after which the stream is tried again. */
const TRANSIENT = [429, 500, 502, 503, 504];

/** Return what a merge patch makes of a value. Unchanged parts are shared. @param {any} target @param {any} patch @returns {any} */
export function mergePatch(target, patch) {
  if (patch === null || typeof patch !== "object" || Array.isArray(patch)) return patch;
  const merged = target !== null && typeof target === "object" && !Array.isArray(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = mergePatch(merged[key], value);
  }
  return merged;
}

/** One page's stream. */
export class PageStream {
  /** @type {AbortController | null} */
  #abort = null;
  #seq = -1;
  /** @type {any} */
  #state = null;
  #query = "";
  #retryMs = FIRST_RETRY_MS;

  /** @param {{open: (path: string, after: number, signal: AbortSignal) => Promise<Response>}} api
   * @param {StreamListener} listener @param {string} [path] */
  constructor(api, listener, path = "/page/events") {
    this.api = api;
    this.listener = listener;
    this.path = path;
    for (const change of ["online", "offline"]) window.addEventListener(change, () => this.#wake()); // A stream that is cut off may not notice it.
    window.addEventListener("pagehide", () => this.stop());
    window.addEventListener("pageshow", (event) => event.persisted && this.start(this.#query));
  }

  /** Begin, or begin again with the whole state: after sitting down, or for another player of a post. @param {string} [query] */
  start(query = "") {
    this.stop();
    this.#query = query;
    this.#seq = -1;
    void this.#run();
  }

  stop() {
    this.#abort?.abort();
    this.#abort = null;
  }

  /** Try again now. */
  #wake() {
    if (!this.#abort) return;
    this.#abort.abort();
    this.#retryMs = FIRST_RETRY_MS;
    void this.#run();
  }

  async #run() {
    const abort = (this.#abort = new AbortController());
    while (!abort.signal.aborted) {
      let wait = this.#retryMs;
      try {
        await this.#read(abort.signal);
      } catch (error) {
        if (abort.signal.aborted) return;
        if (error instanceof TableError && !TRANSIENT.includes(error.status)) return this.listener.refused(error);
        if (error instanceof TableError) wait = Math.max(wait, error.retryAfter * 1000);
      }
      if (abort.signal.aborted) return;
      this.listener.connected(false);
      await new Promise((done) => setTimeout(done, wait));
      this.#retryMs = Math.min(2 * this.#retryMs, MAX_RETRY_MS);
    }
  }

  /** Read one connection until it ends. @param {AbortSignal} signal */
  async #read(signal) {
    const lost = new AbortController();
    const stop = () => lost.abort();
    signal.addEventListener("abort", stop);
    let silence = window.setTimeout(stop, SILENCE_MS);
    try {
      const response = await this.api.open(`${this.path}${this.#query}`, this.#seq, lost.signal);
      this.listener.connected(true);
      const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
      const decoder = new TextDecoder();
      let buffer = "";
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        window.clearTimeout(silence);
        silence = window.setTimeout(stop, SILENCE_MS);
        const blocks = (buffer + decoder.decode(value, { stream: true })).split("\n\n");
        buffer = blocks.pop() ?? "";
        for (const block of blocks) this.#handle(block);
      }
    } finally {
      window.clearTimeout(silence);
      signal.removeEventListener("abort", stop);
    }
  }

  /** @param {string} block one server-sent event */
  #handle(block) {
    const fields = new Map(block.split("\n").map((line) => /** @type {[string, string]} */ (line.split(/: (.*)/s).slice(0, 2))));
    const event = fields.get("event");
    const data = fields.get("data");
    if (event === "presence" && data) this.listener.presence?.(JSON.parse(data));
    if (event !== "page" || !data) return;
    this.#retryMs = FIRST_RETRY_MS;
    const { seq, whole, changes, throws = [], at = "" } = JSON.parse(data);
    this.#state = whole ?? mergePatch(this.#state, changes);
    this.#seq = seq;
    this.listener.page({ seq, state: this.#state, throws, at });
  }
}
