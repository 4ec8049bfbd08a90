// @ts-check
/** The list of the player's own bets, each with buttons for what may be done with it. */

import { byId, makeButton, makeElement, redraw } from "./dom.js";
import { formatDollars, formatMoney } from "./money.js";

/** Return how to make a bet, on the felt or in text mode. @param {boolean} texting */
export const bettingHint = (texting) =>
  texting ? "Fill in an amount beside a wager, and press Bet." : "Tap a chip, then a spot; or drag the chip there.";

/** The list of own bets. */
export class MyBets {
  #shownKey = "";

  /** @param {import("./table.js").TablePage} page */
  constructor(page) {
    this.page = page;
  }

  /** @param {any} state */
  update(state) {
    const own = this.page.ownWagers();
    byId("mine-part").hidden = state.seat === null;
    const key = JSON.stringify([this.page.inTextMode, own, own.map((w) => state.may[w.wager]), state.seat?.odds, this.#oddsOptions(state)]);
    if (key === this.#shownKey) return;
    this.#shownKey = key;
    const empty = makeElement("li", {}, `You have no bets up. ${bettingHint(this.page.inTextMode)}`);
    redraw(byId("mine"), () => byId("mine").replaceChildren(...(own.length ? own.map((wager) => this.#row(wager)) : [empty])));
  }

  /** @param {any} state */
  #oddsOptions(state) {
    return Object.values(state.seat?.odds ?? {}).map((slug) => state.may[slug]);
  }

  /** @param {{wager: string, amount: string, working: boolean}} wager */
  #row({ wager, amount, working }) {
    const state = working ? "" : makeElement("span", { class: "lammer-off" }, "OFF");
    const words = makeElement("span", { class: "mine-name" }, `${this.page.wagerName(wager)} `, makeElement("b", {}, formatDollars(amount)), " ", state);
    return makeElement("li", {}, words, this.actionButtons(wager));
  }

  /** Return the buttons of an own bet. @param {string} slug */
  actionButtons(slug) {
    const { bets, state } = this.page;
    const group = makeElement("span", { class: "mine-acts" });
    const may = state?.may[slug];
    if (!may || !bets.amounts.has(slug)) return group;
    const name = this.page.wagerName(slug);
    /** @param {string} act @param {string} words @param {() => void} action */
    const add = (act, words, action) => {
      const item = makeButton(words, action, `${words}: ${name}`);
      item.dataset.act = `${slug} ${act}`;
      group.append(item);
    };
    const open = (/** @type {string} */ verb) => may[verb] && !("bar" in may[verb]);
    const own = this.page.ownWagers().find((wager) => wager.wager === slug);
    const twice = bets.pressAmount(slug);
    if (twice > (bets.amounts.get(slug) ?? 0)) {
      add("press", `Press to ${formatMoney(twice)}`, () => void bets.setAmount(slug, twice));
    }
    if (bets.canHalfPress(slug)) add("half", "Half press", () => void bets.say(`half press ${slug}`));
    if (open("down")) add("down", "Down", () => void bets.change(slug, "down"));
    if (own?.working && open("off")) add("call", "Off", () => void bets.change(slug, "off"));
    if (own && !own.working && open("on")) add("call", "On", () => void bets.change(slug, "on"));
    const odds = state.seat?.odds?.[slug];
    if (odds && bets.canBet(odds)) add("odds", "Odds", () => void bets.bet(odds));
    return group;
  }
}
