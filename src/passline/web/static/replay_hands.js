// @ts-check
/** The throws of a game, hand by hand, each a button that leads there. */

import { make, part } from "./replay_dom.js";

/** @typedef {{hand: number, shooter: string | null, throws: number[][]}} Hand */

export class Hands {
  #first = 0;
  #throws = -1;
  #of = 0;
  #page = 50;
  #at = -1;

  /** @param {(path: string) => Promise<any>} get @param {(at: number) => void} go */
  constructor(get, go) {
    this.get = get;
    this.go = go;
  }

  /** Show the hand of a moment, and mark its throw. @param {any} moment */
  async follow(moment) {
    const { hand, throws } = moment.walk;
    this.#at = moment.at;
    const wanted = Math.max(1, hand);
    const here = this.#first && wanted >= this.#first && wanted < this.#first + this.#page;
    if (!here || throws !== this.#throws) {
      this.#throws = throws;
      await this.#list(here ? this.#first : Math.max(1, wanted - Math.floor(this.#page / 2)));
    }
    this.#mark();
  }

  /** @param {number} first */
  async #list(first) {
    const told = await this.get(`/replay/hands?from=${first}`);
    this.#first = first;
    this.#of = told.of;
    this.#page = told.page;
    if (!told.of) {
      part("hands").replaceChildren(make("p.quiet", "Nothing was thrown yet."));
      return;
    }
    const list = make("ol.hands", ...told.hands.map((/** @type {Hand} */ one) => this.#hand(one)));
    const last = first + told.hands.length - 1;
    const turn = make("p.turn");
    if (first > 1) turn.append(this.#turn("Earlier hands", Math.max(1, first - this.#page)));
    if (last < this.#of) turn.append(this.#turn("Later hands", last + 1));
    part("hands").replaceChildren(list, turn);
  }

  /** @param {string} words @param {number} first */
  #turn(words, first) {
    const button = make("button", words);
    button.setAttribute("type", "button");
    button.addEventListener("click", () => void this.#list(first).then(() => this.#mark()));
    return button;
  }

  /** @param {Hand} hand */
  #hand(hand) {
    const title = `Hand ${hand.hand}${hand.shooter ? `, ${hand.shooter}` : ""}`;
    const throws = make("span.throws", ...hand.throws.map((one) => this.#throw(one)));
    return make("li", make("span.whose", title), throws);
  }

  /** @param {number[]} thrown */
  #throw([at, first, second]) {
    const words = first ? `${first}-${second}` : "no roll";
    const button = make("button", words);
    button.setAttribute("type", "button");
    button.dataset.at = String(at);
    button.setAttribute("aria-label", `${words}, moment ${at}`);
    button.addEventListener("click", () => this.go(at));
    return button;
  }

  #mark() {
    for (const one of part("hands").querySelectorAll("button[data-at]")) {
      const here = one instanceof HTMLElement && one.dataset.at === String(this.#at);
      if (here) one.setAttribute("aria-current", "true");
      else one.removeAttribute("aria-current");
    }
  }
}
