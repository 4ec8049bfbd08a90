// @ts-check
/** Follows the table: listens to the stream of log entries and requests the page's state after them.
 * Shows when the connection is lost. */

import { TableError } from "./api.js";
import { byId } from "./dom.js";

const BATCH_MS = 120;
const DICE_REST_MS = 6200;

/** Keeps the page up to date with the table. */
export class LiveUpdates {
  /** @type {number | undefined} */
  #refreshTimer = undefined;
  /** @type {number | undefined} */
  #laterTimer = undefined;
  #requesting = false;
  #refreshAgain = false;
  #disconnected = false;
  /** The table needs a token that this browser lacks, so no more requests are sent. */
  forbidden = false;

  /** @param {import("./table.js").TablePage} page */
  constructor(page) {
    this.page = page;
  }

  start() {
    const after = this.page.state?.seq ?? 0;
    const stream = new EventSource(`${this.page.api.base}/events?after=${after}`);
    stream.addEventListener("entry", () => this.refreshSoon());
    stream.addEventListener("open", () => this.#setConnected(true));
    stream.addEventListener("error", () => {
      this.#setConnected(false);
      if (stream.readyState === EventSource.CLOSED && !this.forbidden) window.setTimeout(() => this.start(), 2000);
    });
    window.addEventListener("offline", () => this.#setConnected(false));
    window.addEventListener("online", () => void this.refresh());
  }

  connectionLost() {
    this.#setConnected(false);
    if (this.#laterTimer === undefined) this.#refreshAfter(2000);
  }

  /** @param {boolean} here */
  #setConnected(here) {
    if (here === !this.#disconnected) return;
    this.#disconnected = !here;
    byId("connection").textContent = here ? "" : "The connection is lost. Reconnecting...";
    if (here) this.refreshSoon();
  }

  /** Refresh in a moment, since entries often come together. */
  refreshSoon() {
    if (this.#refreshTimer !== undefined) return;
    this.#refreshTimer = window.setTimeout(() => {
      this.#refreshTimer = undefined;
      void this.refresh();
    }, BATCH_MS);
  }

  /** @param {number} wait */
  #refreshAfter(wait) {
    window.clearTimeout(this.#laterTimer);
    this.#laterTimer = window.setTimeout(() => {
      this.#laterTimer = undefined;
      void this.refresh();
    }, wait);
  }

  async refresh() {
    if (this.#requesting) {
      this.#refreshAgain = true;
      return;
    }
    this.#requesting = true;
    try {
      const state = await this.page.api.get("/sight");
      this.#setConnected(true);
      await this.page.show(state);
      this.#scheduleNext(state);
    } catch (error) {
      this.forbidden = error instanceof TableError && error.status === 401;
      this.page.messages.showError(error);
    } finally {
      this.#requesting = false;
      if (this.#refreshAgain) {
        this.#refreshAgain = false;
        this.refreshSoon();
      }
    }
  }

  /** Refresh when the betting time ends or the dice are lifted, since no entry announces that.
   * @param {any} state */
  #scheduleNext(state) {
    const ends = state.clock.betting_ends ? Date.parse(state.clock.betting_ends) - Date.parse(state.clock.now) : 0;
    if (ends > 0) this.#refreshAfter(ends + 60);
    else if (state.resting) this.#refreshAfter(DICE_REST_MS);
  }
}
