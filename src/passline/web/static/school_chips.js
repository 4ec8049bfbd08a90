// @ts-check
/** A payoff built by hand: chips from the bank, by clicks or keys, cut in fives, sized into the bet. */

import { makeElement, makeButton } from "./dom.js";
import { formatMoney } from "./money.js";
import { makeChipStack } from "./school_dom.js";

/** @typedef {import("./school_api.js").Question} Sheet */

let builderCount = 0;

export class PayoffBuilder {
  /** @param {Sheet} sheet @param {import("./school_api.js").Field} field */
  constructor(sheet, field) {
    this.field = field;
    /** Largest first, as they lie nearest to the box. */
    this.chips = [...sheet.bank].sort((a, b) => b[1] - a[1]);
    this.bets = sheet.stacks;
    /** @type {string[]} in the order in which they were set out */
    this.chipsOut = [];
    this.multiplier = 0;
    this.keys = this.#assignKeys();
    builderCount += 1;
    this.hint = `bank-keys-${builderCount}`;
    this.tray = makeElement("div", { class: "payoff", tabindex: "0", role: "group", "aria-label": "The payoff", "aria-describedby": `ask ${this.hint}` });
    this.summary = makeElement("p", { class: "payoff-told", role: "status", "aria-label": "Set out" });
    this.element = this.#makeElement();
    this.element.addEventListener("keydown", (event) => this.#onKey(event));
    this.#show();
  }

  #makeElement() {
    const bank = this.chips.map(([color, value]) => {
      const chip = makeButton("", () => this.add(color), `${color}, ${formatMoney(value)}`);
      chip.className = "bank-chip";
      chip.append(makeChipStack(color, 1), makeElement("kbd", { "aria-hidden": "true" }, this.keys.get(color) ?? ""));
      return chip;
    });
    const acts = [makeButton("Take one back", () => this.takeBack()), makeButton("Clear", () => this.clear())];
    const sized = this.bets.filter((bet) => bet.piles.length);
    acts.unshift(...sized.map((bet) => makeButton(`Size into ${bet.name}`, () => this.sizeInto(bet))));
    acts.forEach((one) => one.classList.add("quiet"));
    const keys = [...this.keys].map(([color, key]) => `${key} ${color}`).join(", ");
    const hint = this.field.hint ? ` (${this.field.hint})` : "";
    return makeElement(
      "fieldset",
      { class: "bank" },
      makeElement("legend", {}, `${this.field.label}${hint}`),
      this.tray,
      this.summary,
      makeElement("div", { class: "bank-chips", role: "group", "aria-label": "The bank" }, ...bank),
      makeElement("p", { class: "acts" }, ...acts),
      makeElement("p", { class: "keys", id: this.hint }, `Keys: ${keys}; a number first for so many; = sizes into the bet; Backspace takes one back.`),
    );
  }

  /** A letter for each colour: its first that no larger chip has. */
  #assignKeys() {
    /** @type {Map<string, string>} */
    const found = new Map();
    for (const [color] of this.chips) {
      const free = [...color].find((letter) => /[a-z]/.test(letter) && ![...found.values()].includes(letter));
      if (free) found.set(color, free);
    }
    return found;
  }

  /** @param {string} color @param {number} [count] */
  add(color, count = 1) {
    for (let n = 0; n < count && this.chipsOut.length < 400; n += 1) this.chipsOut.push(color);
    this.multiplier = 0;
    this.#show();
  }

  /** The last one, or the last of a colour. @param {string} [color] */
  takeBack(color) {
    const at = color ? this.chipsOut.lastIndexOf(color) : this.chipsOut.length - 1;
    if (at >= 0) this.chipsOut.splice(at, 1);
    this.multiplier = 0;
    this.#show();
  }

  clear() {
    this.chipsOut = [];
    this.multiplier = 0;
    this.#show();
  }

  /** The same again beside the bet: even money. @param {import("./school_api.js").Stack} bet */
  sizeInto(bet) {
    for (const [color, count] of bet.piles) this.add(color, count);
  }

  /** @returns {Record<string, number> | undefined} */
  get value() {
    if (!this.chipsOut.length) return undefined;
    /** @type {Record<string, number>} */
    const counts = {};
    for (const color of this.chipsOut) counts[color] = (counts[color] ?? 0) + 1;
    return counts;
  }

  #show() {
    const counts = this.value ?? {};
    const there = this.chips.filter(([color]) => counts[color]);
    const onPile = this.tray.contains(document.activeElement) && document.activeElement !== this.tray;
    const piles = there.map(([color]) => {
      const words = `${counts[color]} ${color}`;
      const one = makeButton("", () => this.takeBack(color), `${words}: take one back`);
      one.className = "payoff-pile";
      one.append(makeChipStack(color, counts[color] ?? 0), makeElement("span", { "aria-hidden": "true" }, String(counts[color])));
      return one;
    });
    this.tray.replaceChildren(...(piles.length ? piles : [makeElement("p", { class: "empty" }, "Set the payoff out here.")]));
    if (onPile) this.tray.focus();
    const words = there.map(([color]) => `${counts[color]} ${color}`).join(", ");
    const amount = there.reduce((sum, [color, value]) => sum + value * (counts[color] ?? 0), 0);
    this.summary.replaceChildren(words, makeElement("span", { class: "in-dollars" }, words ? `, ${formatMoney(amount)}` : ""), this.multiplier ? ` × ${this.multiplier}` : "");
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const at = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || at.tagName === "INPUT") return;
    const color = [...this.keys].find(([, letter]) => letter === event.key.toLowerCase())?.[0];
    if (/^[0-9]$/.test(event.key)) {
      this.multiplier = Math.min(this.multiplier * 10 + Number(event.key), 99);
      this.#show();
    } else if (color && event.shiftKey) this.takeBack(color);
    else if (color) this.add(color, this.multiplier || 1);
    else if (event.key === "Backspace") this.takeBack();
    else if (event.key === "=") this.bets.filter((bet) => bet.piles.length).forEach((bet) => this.sizeInto(bet));
    else if (event.key === "Enter" && at === this.tray && document.querySelectorAll(".payoff").length === 1) this.tray.closest("form")?.requestSubmit();
    else return;
    event.preventDefault();
  }
}
