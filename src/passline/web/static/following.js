// @ts-check
/** What is new at the table: the stream of its entries, and the sight asked for after them. */

import { TableError } from "./api.js";
import { part } from "./dom.js";

const QUIET = 120;
const REST = 6200;

export class Following {
  /** @type {number | undefined} */
  #due = undefined;
  /** @type {number | undefined} */
  #later = undefined;
  #asking = false;
  #again = false;
  #lost = false;
  /** Nobody reads this table without a token: it is not asked again. */
  shut = false;

  /** @param {import("./table.js").TablePage} page */
  constructor(page) {
    this.page = page;
  }

  begin() {
    const after = this.page.sight?.seq ?? 0;
    const stream = new EventSource(`${this.page.api.base}/events?after=${after}`);
    stream.addEventListener("entry", () => this.soon());
    stream.addEventListener("open", () => this.#connected(true));
    stream.addEventListener("error", () => {
      this.#connected(false);
      if (stream.readyState === EventSource.CLOSED && !this.shut) window.setTimeout(() => this.begin(), 2000);
    });
    window.addEventListener("offline", () => this.#connected(false));
    window.addEventListener("online", () => void this.refresh());
  }

  lost() {
    this.#connected(false);
    if (this.#later === undefined) this.#at(2000);
  }

  /** @param {boolean} here */
  #connected(here) {
    if (here === !this.#lost) return;
    this.#lost = !here;
    part("connection").textContent = here ? "" : "The connection is lost: it comes back by itself.";
    if (here) this.soon();
  }

  /** Ask again in a moment: entries often come together. */
  soon() {
    if (this.#due !== undefined) return;
    this.#due = window.setTimeout(() => {
      this.#due = undefined;
      void this.refresh();
    }, QUIET);
  }

  /** @param {number} wait */
  #at(wait) {
    window.clearTimeout(this.#later);
    this.#later = window.setTimeout(() => {
      this.#later = undefined;
      void this.refresh();
    }, wait);
  }

  async refresh() {
    if (this.#asking) {
      this.#again = true;
      return;
    }
    this.#asking = true;
    try {
      const sight = await this.page.api.get("/sight");
      this.#connected(true);
      await this.page.show(sight);
      this.#wait(sight);
    } catch (wrong) {
      this.shut = wrong instanceof TableError && wrong.status === 401;
      this.page.telling.refused(wrong);
    } finally {
      this.#asking = false;
      if (this.#again) {
        this.#again = false;
        this.soon();
      }
    }
  }

  /** When the betting time is over, and when the dice were lifted, it looks different.
   * @param {any} sight */
  #wait(sight) {
    const ends = sight.clock.betting_ends ? Date.parse(sight.clock.betting_ends) - Date.parse(sight.clock.now) : 0;
    if (ends > 0) this.#at(ends + 60);
    else if (sight.resting) this.#at(REST);
  }
}
