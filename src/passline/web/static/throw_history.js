// @ts-check
/** The strip of the last throws, newest last, each a link into the replay; and the count of throws that
 * this page did not show. */

import { byId, drawIfChanged, makeElement } from "./dom.js";

/** What a throw did to the point: a sign beside its total, and the words. */
const MARKS = /** @type {Record<string, {sign: string, words: string}>} */ ({
  point: { sign: "●", words: "the point" },
  made: { sign: "✓", words: "the point is made" },
  "seven-out": { sign: "✕", words: "seven out" },
});

/** @typedef {{seq: number, dice: number[], mark?: string}} PastThrow */

/** The list `History`. */
export class ThrowHistory {
  /** Throws that this page did not show. @type {import("./page_stream.js").Throw[]} */
  #missed = [];
  #wasAway = false;

  /** @param {string} table */
  constructor(table) {
    this.replay = `/t/${encodeURIComponent(table)}/replay`;
    this.list = byId("history");
    new ResizeObserver(() => this.#scrollToNewest()).observe(this.list);
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.#missed = []; // They have been read. A new absence begins.
      else this.#showMissed();
    });
  }

  /** @param {any} state */
  update(state) {
    drawIfChanged(this.list, state.history, () => {
      this.list.replaceChildren(...state.history.map((/** @type {PastThrow} */ past) => this.#makeItem(past)));
      this.#scrollToNewest();
    });
  }

  #scrollToNewest() {
    this.list.scrollLeft = this.list.scrollWidth;
  }

  /** Count throws that are not shown. @param {import("./page_stream.js").Throw[]} throws @param {boolean} away whether the player was away */
  addMissed(throws, away) {
    this.#missed.push(...throws);
    this.#wasAway = away;
    this.#showMissed();
  }

  /** Forget the throws that were counted, if somebody could read it. */
  clearMissed() {
    if (document.hidden) return;
    this.#missed = [];
    this.#showMissed();
  }

  #showMissed() {
    const count = this.#missed.length;
    const place = byId("missed");
    if (document.hidden && count) return; // It is announced when somebody is there to hear it.
    const words = `${count} ${count === 1 ? "throw" : "throws"} ${this.#wasAway ? "while you were away" : "too fast to show"}`;
    place.replaceChildren(...(count ? [makeElement("a", { href: `${this.replay}#${this.#missed[0].seq}` }, words)] : []));
  }
  /** @param {PastThrow} past */
  #makeItem({ seq, dice, mark = "" }) {
    const total = String(dice[0] + dice[1]);
    const { sign = "", words = "" } = MARKS[mark] ?? {};
    const label = `${total}: ${dice.join(" and ")}${words && `, ${words}`}`;
    const parts = [total, sign && makeElement("span", { class: "sign", "aria-hidden": "true" }, sign)];
    return makeElement("li", { class: mark || false }, makeElement("a", { href: `${this.replay}#${seq}`, "aria-label": label, title: label }, ...parts));
  }
}
