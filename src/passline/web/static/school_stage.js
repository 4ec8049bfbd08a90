// @ts-check
/** A question on its stage: what is given, drawn; what is filled in; and the answer. */

import { buttonById, makeElement, byId, makeButton } from "./dom.js";
import { makeDie } from "./replay_felt.js";
import { makeStack } from "./school_dom.js";
import { SelectableFelt } from "./school_felt.js";

/**
 * @typedef {import("./school_api.js").Question} Sheet
 * @typedef {import("./school_api.js").Answer} Answer
 * @typedef {import("./school_fields.js").AnswerField} Filled
 */

export class QuestionView {
  constructor() {
    this.felt = new SelectableFelt((player, wager) => this.order?.addStepFor(player, wager));
    /** @type {Map<string, Filled>} */
    this.fields = new Map();
    /** @type {import("./school_order.js").WorkOrder | null} */
    this.order = null;
    /** @type {(answer: Answer | null) => void} */
    this.onAnswer = () => {};
    byId("answer").addEventListener("submit", (event) => {
      event.preventDefault();
      const answer = this.value;
      if (answer) this.onAnswer(answer);
      else this.showAlert("Nothing is filled in yet.");
    });
    buttonById("pass").addEventListener("click", () => this.onAnswer(null));
  }

  /** @param {string} words */
  showAlert(words) {
    byId("alert").textContent = words;
  }

  /** What went wrong, and a way to try it again; what was asked last is not answered twice.
   * @param {string} words @param {() => void} again */
  showRetry(words, again) {
    byId("stage").hidden = false;
    byId("answer").hidden = true;
    const on = makeButton("Try again", again);
    byId("alert").replaceChildren(`${words} `, on);
    on.focus();
  }

  /** @param {Sheet} sheet */
  async show(sheet) {
    this.showAlert("");
    byId("stage").hidden = false;
    byId("answer").hidden = false;
    byId("ask").textContent = sheet.ask;
    byId("facts").replaceChildren(...makeFacts(sheet));
    byId("given").replaceChildren(...sheet.stacks.map(makeStack));
    this.fields.clear();
    this.order = null;
    const fields = [...sheet.fields].sort((a, b) => Number(b.kind === "chips") - Number(a.kind === "chips"));
    for (const field of fields) this.fields.set(field.name, await this.#makeField(field, sheet));
    byId("fields").replaceChildren(...[...this.fields.values()].map((one) => one.element));
    this.felt.show(sheet.felt, sheet.wagers);
    this.focus();
  }

  /** Go where one begins to answer. */
  focus() {
    const first = byId("fields").querySelector("input, .payoff, button");
    if (first instanceof HTMLElement) first.focus({ preventScroll: true });
  }

  /** @param {boolean} may */
  enable(may) {
    for (const one of byId("answer").querySelectorAll("button, input")) /** @type {HTMLButtonElement} */ (one).disabled = !may;
  }

  /** @param {import("./school_api.js").Field} field @param {Sheet} sheet @returns {Promise<Filled>} */
  async #makeField(field, sheet) {
    if (field.kind === "chips") {
      const { PayoffBuilder } = await import("./school_chips.js");
      return new PayoffBuilder(sheet, field);
    }
    if (field.kind === "steps") {
      const { WorkOrder } = await import("./school_order.js");
      this.order = new WorkOrder(sheet, field);
      return this.order;
    }
    const kinds = await import("./school_fields.js");
    const make = { amount: kinds.makeAmountField, words: kinds.makeWordsField, choice: kinds.makeChoiceField, wagers: kinds.makeWagersField, wrong: kinds.makeErrorsField }[field.kind];
    if (!make) throw new Error(`nothing is filled in so: ${field.kind}`);
    return make(field, sheet);
  }

  /** What is answered; null where nothing is filled in. @returns {Answer | null} */
  get value() {
    if (this.order) return this.order.value ? { said: this.order.value } : null;
    const found = [...this.fields].map(([name, one]) => [name, one.value]).filter(([, value]) => value !== undefined);
    return found.length ? { answer: Object.fromEntries(found) } : null;
  }
}

/** The puck, the dice, what was said. @param {Sheet} sheet @returns {Node[]} */
function makeFacts(sheet) {
  const { puck, dice, say, wager, place, end } = sheet.given;
  /** @type {Node[]} */
  const found = [];
  if (say) found.push(makeElement("q", {}, String(say)));
  if (puck !== undefined) {
    const on = puck !== null;
    found.push(makeElement("span", { class: `puck ${on ? "on" : "off"}` }, on ? `on ${puck}` : "off"));
  }
  if (dice) found.push(makeElement("span", { class: "thrown", role: "img", "aria-label": `dice ${dice[0]} and ${dice[1]}` }, makeDie(dice[0]), makeDie(dice[1])));
  if (place && end && wager) found.push(makeElement("span", {}, `place ${place}, ${end} end`));
  return found;
}
