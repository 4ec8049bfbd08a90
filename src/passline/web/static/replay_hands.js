// @ts-check
/** The throws of a game, hand by hand, each a button that leads there. */

import { makeReplay, byId } from "./replay_dom.js";

/** @typedef {{hand: number, shooter: string | null, throws: number[][]}} Hand */

export class HandList {
  #firstHand = 0;
  #throws = -1;
  #handCount = 0;
  #pageSize = 50;
  #moment = -1;

  /** @param {(path: string) => Promise<any>} get @param {(at: number) => void} go */
  constructor(get, go) {
    this.get = get;
    this.go = go;
  }

  /** Show the hand of a moment, and mark its throw. @param {any} moment */
  async update(moment) {
    const { hand, throws } = moment.walk;
    this.#moment = moment.at;
    const wanted = Math.max(1, hand);
    const here = this.#firstHand && wanted >= this.#firstHand && wanted < this.#firstHand + this.#pageSize;
    if (!here || throws !== this.#throws) {
      this.#throws = throws;
      await this.#load(here ? this.#firstHand : Math.max(1, wanted - Math.floor(this.#pageSize / 2)));
    }
    this.#markCurrent();
  }

  /** @param {number} first */
  async #load(first) {
    const data = await this.get(`/replay/hands?from=${first}`);
    this.#firstHand = first;
    this.#handCount = data.of;
    this.#pageSize = data.page;
    if (!data.of) {
      byId("hands").replaceChildren(makeReplay("p.quiet", "Nothing was thrown yet."));
      return;
    }
    const list = makeReplay("ol.hands", ...data.hands.map((/** @type {Hand} */ one) => this.#makeHand(one)));
    const last = first + data.hands.length - 1;
    const turn = makeReplay("p.turn");
    if (first > 1) turn.append(this.#makePager("Earlier hands", Math.max(1, first - this.#pageSize)));
    if (last < this.#handCount) turn.append(this.#makePager("Later hands", last + 1));
    byId("hands").replaceChildren(list, turn);
  }

  /** @param {string} words @param {number} first */
  #makePager(words, first) {
    const button = makeReplay("button", words);
    button.setAttribute("type", "button");
    button.addEventListener("click", () => void this.#load(first).then(() => this.#markCurrent()));
    return button;
  }

  /** @param {Hand} hand */
  #makeHand(hand) {
    const title = `Hand ${hand.hand}${hand.shooter ? `, ${hand.shooter}` : ""}`;
    const throws = makeReplay("span.throws", ...hand.throws.map((one) => this.#makeThrow(one)));
    return makeReplay("li", makeReplay("span.whose", title), throws);
  }

  /** @param {number[]} thrown */
  #makeThrow([at, first, second]) {
    const words = first ? `${first}-${second}` : "no roll";
    const button = makeReplay("button", words);
    button.setAttribute("type", "button");
    button.dataset.at = String(at);
    button.setAttribute("aria-label", `${words}, moment ${at}`);
    button.addEventListener("click", () => this.go(at));
    return button;
  }

  #markCurrent() {
    for (const one of byId("hands").querySelectorAll("button[data-at]")) {
      const here = one instanceof HTMLElement && one.dataset.at === String(this.#moment);
      if (here) one.setAttribute("aria-current", "true");
      else one.removeAttribute("aria-current");
    }
  }
}
