// @ts-check
/** A payoff built by hand: chips from the bank, by clicks or keys, cut in fives, sized into the bet. */

import { made, press } from "./dom.js";
import { shown } from "./money.js";
import { pile } from "./school_dom.js";

/** @typedef {import("./school_api.js").Sheet} Sheet */

let banks = 0;

export class Bank {
  /** @param {Sheet} sheet @param {import("./school_api.js").Field} field */
  constructor(sheet, field) {
    this.field = field;
    /** Largest first, as they lie nearest to the box. */
    this.chips = [...sheet.bank].sort((a, b) => b[1] - a[1]);
    this.bets = sheet.stacks;
    /** @type {string[]} in the order in which they were set out */
    this.out = [];
    this.times = 0;
    this.keys = this.#letters();
    banks += 1;
    this.hint = `bank-keys-${banks}`;
    this.tray = made("div", { class: "payoff", tabindex: "0", role: "group", "aria-label": "The payoff", "aria-describedby": `ask ${this.hint}` });
    this.told = made("p", { class: "payoff-told", role: "status", "aria-label": "Set out" });
    this.element = this.#made();
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.#show();
  }

  #made() {
    const bank = this.chips.map(([colour, value]) => {
      const chip = press("", () => this.add(colour), `${colour}, ${shown(value)}`);
      chip.className = "bank-chip";
      chip.append(pile(colour, 1), made("kbd", { "aria-hidden": "true" }, this.keys.get(colour) ?? ""));
      return chip;
    });
    const acts = [press("Take one back", () => this.back()), press("Clear", () => this.clear())];
    const sized = this.bets.filter((bet) => bet.piles.length);
    acts.unshift(...sized.map((bet) => press(`Size into ${bet.name}`, () => this.size(bet))));
    acts.forEach((one) => one.classList.add("quiet"));
    const keys = [...this.keys].map(([colour, key]) => `${key} ${colour}`).join(", ");
    const hint = this.field.hint ? ` (${this.field.hint})` : "";
    return made(
      "fieldset",
      { class: "bank" },
      made("legend", {}, `${this.field.label}${hint}`),
      this.tray,
      this.told,
      made("div", { class: "bank-chips", role: "group", "aria-label": "The bank" }, ...bank),
      made("p", { class: "acts" }, ...acts),
      made("p", { class: "keys", id: this.hint }, `Keys: ${keys}; a number first for so many; = sizes into the bet; Backspace takes one back.`),
    );
  }

  /** A letter for each colour: its first that no larger chip has. */
  #letters() {
    /** @type {Map<string, string>} */
    const found = new Map();
    for (const [colour] of this.chips) {
      const free = [...colour].find((letter) => /[a-z]/.test(letter) && ![...found.values()].includes(letter));
      if (free) found.set(colour, free);
    }
    return found;
  }

  /** @param {string} colour @param {number} [count] */
  add(colour, count = 1) {
    for (let n = 0; n < count && this.out.length < 400; n += 1) this.out.push(colour);
    this.times = 0;
    this.#show();
  }

  /** The last one, or the last of a colour. @param {string} [colour] */
  back(colour) {
    const at = colour ? this.out.lastIndexOf(colour) : this.out.length - 1;
    if (at >= 0) this.out.splice(at, 1);
    this.times = 0;
    this.#show();
  }

  clear() {
    this.out = [];
    this.times = 0;
    this.#show();
  }

  /** The same again beside the bet: even money. @param {import("./school_api.js").StackShown} bet */
  size(bet) {
    for (const [colour, count] of bet.piles) this.add(colour, count);
  }

  /** @returns {Record<string, number> | undefined} */
  get value() {
    if (!this.out.length) return undefined;
    /** @type {Record<string, number>} */
    const counts = {};
    for (const colour of this.out) counts[colour] = (counts[colour] ?? 0) + 1;
    return counts;
  }

  #show() {
    const counts = this.value ?? {};
    const there = this.chips.filter(([colour]) => counts[colour]);
    const onPile = this.tray.contains(document.activeElement) && document.activeElement !== this.tray;
    const piles = there.map(([colour]) => {
      const words = `${counts[colour]} ${colour}`;
      const one = press("", () => this.back(colour), `${words}: take one back`);
      one.className = "payoff-pile";
      one.append(pile(colour, counts[colour] ?? 0), made("span", { "aria-hidden": "true" }, String(counts[colour])));
      return one;
    });
    this.tray.replaceChildren(...(piles.length ? piles : [made("p", { class: "empty" }, "Set the payoff out here.")]));
    if (onPile) this.tray.focus();
    const words = there.map(([colour]) => `${counts[colour]} ${colour}`).join(", ");
    const amount = there.reduce((sum, [colour, value]) => sum + value * (counts[colour] ?? 0), 0);
    this.told.replaceChildren(words, made("span", { class: "in-dollars" }, words ? `, ${shown(amount)}` : ""), this.times ? ` × ${this.times}` : "");
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const at = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || at.tagName === "INPUT") return;
    const colour = [...this.keys].find(([, letter]) => letter === event.key.toLowerCase())?.[0];
    if (/^[0-9]$/.test(event.key)) {
      this.times = Math.min(this.times * 10 + Number(event.key), 99);
      this.#show();
    } else if (colour && event.shiftKey) this.back(colour);
    else if (colour) this.add(colour, this.times || 1);
    else if (event.key === "Backspace") this.back();
    else if (event.key === "=") this.bets.filter((bet) => bet.piles.length).forEach((bet) => this.size(bet));
    else if (event.key === "Enter" && at === this.tray && document.querySelectorAll(".payoff").length === 1) this.tray.closest("form")?.requestSubmit();
    else return;
    event.preventDefault();
  }
}
