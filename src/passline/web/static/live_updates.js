// @ts-check
/** Keeps the table page up to date: shows the updates of the page stream in their order, and lets them wait
 * while dice fly. Shows when the connection is lost. */

import { NO_TOKEN } from "./api.js";
import { byId } from "./dom.js";
import { PageStream } from "./page_stream.js";

/** Members that the server leaves out where they are empty. */
const EMPTY = { me: null, seat: null, puck: null, shooter: null, last: null, may: {}, acts: {}, next: {}, repeat: [], history: [], net: null };
/** Milliseconds after the first update of a connection in which the page gets what it has missed. */
const RESUME_MS = 250;

/** @typedef {import("./api.js").TableError} TableError */
/** @typedef {import("./page_stream.js").PageUpdate & {isLate: boolean}} WaitingUpdate `isLate`: the page may have missed it while it was disconnected */

/** Return a state with its empty members, and its players as a list in the order of their places.
 * @param {any} state @param {number} seq */
function completeState(state, seq) {
  const players = Object.entries(state.players).map(([name, player]) => ({
    name,
    ...player,
    wagers: Object.entries(player.wagers).map(([wager, bet]) => ({ wager, ...bet })),
  }));
  return { ...EMPTY, ...state, seq, players: players.sort((a, b) => a.place - b.place) };
}

/** The queue of updates, and the state that is shown. */
export class LiveUpdates {
  /** @type {WaitingUpdate[]} */
  #waiting = [];
  #showing = false;
  #disconnected = false;
  /** Whether nothing has come over this connection yet, and until when updates are those that were missed. */
  #isNewConnection = true;
  #lateUntil = 0;
  #isFirst = true;
  #hasForgotten = false;
  /** Milliseconds that this device's clock is ahead of the server's. */
  #clockLead = 0;
  /** @type {number | undefined} */
  #deadline = undefined;
  /** @type {() => void} */
  #firstShown = () => undefined;

  /** @param {import("./table.js").TablePage} page */
  constructor(page) {
    this.page = page;
    this.stream = new PageStream(page.api, {
      page: (update) => this.#add(update),
      presence: (presence) => page.showPresence(presence),
      connected: (here) => {
        this.#isNewConnection = true;
        this.#setConnected(here);
      },
      refused: (error) => void this.#takeRefusal(error),
    });
    window.addEventListener("offline", () => this.#setConnected(false));
  }

  /** Open the stream, or open it again after sitting down. Resolve when the page shows its state. @param {string} [query] */
  start(query = "") {
    this.#waiting = [];
    const shown = new Promise((/** @type {(value: void) => void} */ resolve) => (this.#firstShown = resolve));
    this.stream.start(query);
    return shown;
  }

  /** Handle that the server refused the stream. If this browser's token is no longer valid, forget it and begin again
   * as a watcher; otherwise show the error. @param {TableError} error */
  async #takeRefusal(error) {
    const { api, messages } = this.page;
    if (error.status === 401 && !this.#hasForgotten && !api.asHost) {
      this.#hasForgotten = true;
      await api.forgetToken().catch(() => undefined);
      messages.showAlert(NO_TOKEN);
      this.stream.start();
      return;
    }
    byId("connection").textContent = "Not connected.";
    messages.showError(error);
    this.#firstShown();
  }

  /** Return the milliseconds until a time of the server, at least 0. @param {string | undefined} time */
  millisecondsUntil(time) {
    return time ? Math.max(0, Date.parse(time) + this.#clockLead - Date.now()) : 0;
  }

  connectionLost() {
    this.#setConnected(false);
  }

  /** @param {boolean} here */
  #setConnected(here) {
    if (here === !this.#disconnected) return;
    this.#disconnected = !here;
    byId("connection").textContent = here ? "" : "The connection is lost. Reconnecting...";
  }

  /** @param {import("./page_stream.js").PageUpdate} update */
  #add(update) {
    if (update.at) this.#clockLead = Date.now() - Date.parse(update.at);
    const now = performance.now();
    if (this.#isNewConnection) this.#lateUntil = now + RESUME_MS;
    this.#isNewConnection = false;
    this.#waiting.push({ ...update, isLate: now < this.#lateUntil });
    if (this.#showing) return;
    this.#showing = true;
    window.setTimeout(() => void this.#showAll()); // What comes in one piece is shown together.
  }

  async #showAll() {
    try {
      while (this.#waiting.length) await this.#show(this.#takeWaiting());
    } catch (error) {
      this.page.messages.showError(error);
    } finally {
      this.#showing = false;
      this.#firstShown();
    }
  }

  /** Take all updates that wait; those before a throw by themselves, so that its dice fly over the chips
   * that were bet. */
  #takeWaiting() {
    const toThrow = this.#waiting.findIndex((update) => update.throws.length);
    return this.#waiting.splice(0, toThrow > 0 ? toThrow : Infinity);
  }

  /** Show the last of some updates, and the throws of all. @param {WaitingUpdate[]} updates */
  async #show(updates) {
    const { seq, state } = updates[updates.length - 1];
    const throws = this.#isFirst ? [] : updates.flatMap((update) => update.throws);
    const away = updates.some((update) => update.isLate);
    const complete = completeState(state, seq);
    if (throws.length) await this.page.dice.showThrows(throws, complete, away);
    await this.page.show(complete);
    if (throws.length) void this.page.crewAnimation.run(complete.last);
    this.#isFirst = false;
    window.clearTimeout(this.#deadline);
    const left = this.millisecondsUntil(complete.betting_ends);
    if (left) this.#deadline = window.setTimeout(() => void this.page.show(complete), left + 60); // No entry announces the end of the betting time.
  }
}
