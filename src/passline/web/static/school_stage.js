// @ts-check
/** A question on its stage: what is given, drawn; what is filled in; and the answer. */

import { button, made, part, press } from "./dom.js";
import { die } from "./replay_felt.js";
import { stackShown } from "./school_dom.js";
import { TouchFelt } from "./school_felt.js";

/**
 * @typedef {import("./school_api.js").Sheet} Sheet
 * @typedef {import("./school_api.js").Answer} Answer
 * @typedef {import("./school_fields.js").Filled} Filled
 */

export class Stage {
  constructor() {
    this.felt = new TouchFelt((player, wager) => this.order?.touched(player, wager));
    /** @type {Map<string, Filled>} */
    this.filled = new Map();
    /** @type {import("./school_order.js").Order | null} */
    this.order = null;
    /** @type {(answer: Answer | null) => void} */
    this.answered = () => {};
    part("answer").addEventListener("submit", (event) => {
      event.preventDefault();
      const answer = this.value;
      if (answer) this.answered(answer);
      else this.alert("Nothing is filled in yet.");
    });
    button("pass").addEventListener("click", () => this.answered(null));
  }

  /** @param {string} words */
  alert(words) {
    part("alert").textContent = words;
  }

  /** What went wrong, and a way to try it again; what was asked last is not answered twice.
   * @param {string} words @param {() => void} again */
  retry(words, again) {
    part("stage").hidden = false;
    part("answer").hidden = true;
    const on = press("Try again", again);
    part("alert").replaceChildren(`${words} `, on);
    on.focus();
  }

  /** @param {Sheet} sheet */
  async show(sheet) {
    this.alert("");
    part("stage").hidden = false;
    part("answer").hidden = false;
    part("ask").textContent = sheet.ask;
    part("facts").replaceChildren(...facts(sheet));
    part("given").replaceChildren(...sheet.stacks.map(stackShown));
    this.filled.clear();
    this.order = null;
    const fields = [...sheet.fields].sort((a, b) => Number(b.kind === "chips") - Number(a.kind === "chips"));
    for (const field of fields) this.filled.set(field.name, await this.#field(field, sheet));
    part("fields").replaceChildren(...[...this.filled.values()].map((one) => one.element));
    this.felt.show(sheet.felt, sheet.wagers);
    this.focus();
  }

  /** Go where one begins to answer. */
  focus() {
    const first = part("fields").querySelector("input, .payoff, button");
    if (first instanceof HTMLElement) first.focus({ preventScroll: true });
  }

  /** @param {boolean} may */
  enable(may) {
    for (const one of part("answer").querySelectorAll("button, input")) /** @type {HTMLButtonElement} */ (one).disabled = !may;
  }

  /** @param {import("./school_api.js").Field} field @param {Sheet} sheet @returns {Promise<Filled>} */
  async #field(field, sheet) {
    if (field.kind === "chips") {
      const { Bank } = await import("./school_chips.js");
      return new Bank(sheet, field);
    }
    if (field.kind === "steps") {
      const { Order } = await import("./school_order.js");
      this.order = new Order(sheet, field);
      return this.order;
    }
    const kinds = await import("./school_fields.js");
    const make = { amount: kinds.amount, words: kinds.words, choice: kinds.choice, wagers: kinds.wagers, wrong: kinds.wrong }[field.kind];
    if (!make) throw new Error(`nothing is filled in so: ${field.kind}`);
    return make(field, sheet);
  }

  /** What is answered; null where nothing is filled in. @returns {Answer | null} */
  get value() {
    if (this.order) return this.order.value ? { said: this.order.value } : null;
    const found = [...this.filled].map(([name, one]) => [name, one.value]).filter(([, value]) => value !== undefined);
    return found.length ? { answer: Object.fromEntries(found) } : null;
  }
}

/** The facts beside the question: the puck and the dice drawn, the rest in words. @param {Sheet} sheet @returns {Node[]} */
function facts(sheet) {
  const { puck, dice } = sheet.given;
  return sheet.facts.map(({ kind, words }) => {
    if (kind === "puck") return made("span", { class: `puck ${puck === null ? "off" : "on"}` }, puck === null ? "off" : `on ${puck}`);
    if (kind === "dice") return made("span", { class: "thrown", role: "img", "aria-label": `dice ${dice[0]} and ${dice[1]}` }, die(dice[0]), die(dice[1]));
    return made(kind === "quote" ? "q" : "span", {}, words);
  });
}
