// @ts-check
/** One's own wagers: what each is, and what may be done to it in one touch. */

import { made, part, press, redrawn } from "./dom.js";
import { cents, shown } from "./money.js";

/** How a wager is made, in the picture or in text. @param {boolean} texting */
export const howToBet = (texting) =>
  texting ? "Fill in an amount beside a wager, and press Bet." : "Tap a chip, then a spot; or drag the chip there.";

export class Mine {
  #drawn = "";

  /** @param {import("./table.js").TablePage} page */
  constructor(page) {
    this.page = page;
  }

  /** @param {any} sight */
  saw(sight) {
    const own = this.page.own();
    part("mine-part").hidden = sight.seat === null;
    const key = JSON.stringify([this.page.texting, own, own.map((w) => sight.may[w.wager]), sight.seat?.odds, this.#odds(sight)]);
    if (key === this.#drawn) return;
    this.#drawn = key;
    const empty = made("li", {}, `Nothing is up. ${howToBet(this.page.texting)}`);
    redrawn(part("mine"), () => part("mine").replaceChildren(...(own.length ? own.map((wager) => this.#row(wager)) : [empty])));
  }

  /** @param {any} sight */
  #odds(sight) {
    return Object.values(sight.seat?.odds ?? {}).map((slug) => sight.may[slug]);
  }

  /** @param {{wager: string, amount: string, working: boolean}} wager */
  #row({ wager, amount, working }) {
    const state = working ? "" : made("span", { class: "lammer-off" }, "OFF");
    const words = made("span", { class: "mine-name" }, `${this.page.name(wager)} `, made("b", {}, shown(cents(amount))), " ", state);
    return made("li", {}, words, this.acts(wager));
  }

  /** The acts that a wager of one's own has now. @param {string} slug */
  acts(slug) {
    const { betting, sight } = this.page;
    const group = made("span", { class: "mine-acts" });
    const may = sight?.may[slug];
    if (!may || !betting.lies.has(slug)) return group;
    const name = this.page.name(slug);
    /** @param {string} act @param {string} words @param {() => void} does */
    const add = (act, words, does) => {
      const one = press(words, does, `${words}: ${name}`);
      one.dataset.act = `${slug} ${act}`;
      group.append(one);
    };
    const open = (/** @type {string} */ verb) => may[verb] && !("bar" in may[verb]);
    const own = this.page.own().find((wager) => wager.wager === slug);
    const twice = betting.doubled(slug);
    if (twice > (betting.lies.get(slug) ?? 0)) {
      add("press", `Press to ${shown(twice)}`, () => void betting.to(slug, twice));
    }
    if (betting.halves(slug)) add("half", "Half press", () => void betting.say(`half press ${slug}`));
    if (open("down")) add("down", "Down", () => void betting.call(slug, "down"));
    if (own?.working && open("off")) add("call", "Off", () => void betting.call(slug, "off"));
    if (own && !own.working && open("on")) add("call", "On", () => void betting.call(slug, "on"));
    const odds = sight.seat?.odds?.[slug];
    if (odds && betting.open(odds)) add("odds", "Odds", () => void betting.bet(odds));
    return group;
  }
}
