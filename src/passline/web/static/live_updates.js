// @ts-check
/** Keeps the table page up to date: takes the updates of the page stream one after the other, and shows
 * each once the dice of the one before have come to rest. Shows when the connection is lost. */

import { byId } from "./dom.js";
import { PageStream } from "./page_stream.js";

/** Members that the server leaves out where they are empty. */
const EMPTY = { me: null, seat: null, puck: null, shooter: null, last: null, may: {}, acts: {}, next: {}, repeat: [], history: [], net: null };
/** Updates with throws that may wait before the dice are no longer animated. */
const MAX_WAITING_THROWS = 1;

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
  /** @type {import("./page_stream.js").PageUpdate[]} */
  #waiting = [];
  #showing = false;
  #disconnected = false;
  #isFirst = true;
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
      connected: (here) => this.#setConnected(here),
      refused: (error) => {
        this.page.messages.showError(error);
        this.#firstShown();
      },
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
    this.#waiting.push(update);
    if (!this.#showing) void this.#showAll();
  }

  async #showAll() {
    this.#showing = true;
    try {
      for (let update = this.#waiting.shift(); update; update = this.#waiting.shift()) await this.#show(update);
    } catch (error) {
      this.page.messages.showError(error);
    } finally {
      this.#showing = false;
      this.#firstShown();
    }
  }

  /** @param {import("./page_stream.js").PageUpdate} update */
  async #show({ seq, state, throws }) {
    const complete = completeState(state, seq);
    const later = this.#waiting.filter((update) => update.throws.length).length;
    if (throws.length && !this.#isFirst) await this.page.dice.showThrows(throws, complete, later > MAX_WAITING_THROWS);
    await this.page.show(complete);
    if (throws.length && !this.#isFirst) void this.page.crewAnimation.run(complete.last);
    this.#isFirst = false;
    window.clearTimeout(this.#deadline);
    const left = this.millisecondsUntil(complete.betting_ends);
    if (left) this.#deadline = window.setTimeout(() => void this.page.show(complete), left + 60); // No entry announces the end of the betting time.
  }
}
