// @ts-check
/** The order of work: wagers touched in turn, on the felt or in the list beside it. */

import { makeElement, makeButton } from "./dom.js";

/** @typedef {import("./school_api.js").PlacedBet} Lying */
/** @typedef {{lying: Lying, act: string, paid: {element: HTMLElement, value: any}}} Step what is paid: typed, or built */
/** @typedef {(bet: Lying) => {element: HTMLElement, value: any}} Payoff */

const STEP_KINDS = [
  ["take", "Take"],
  ["pay", "Pay"],
  ["place", "Place"],
];

/** An amount typed in; left out, it is taken as due. @type {Payoff} */
function makeTypedPayoff(bet) {
  const text = /** @type {HTMLInputElement} */ (makeElement("input", { type: "text", inputmode: "decimal", class: "amount", placeholder: "as due", maxlength: "12", "aria-label": `Paid to ${bet.player}, ${bet.name}` }));
  return Object.defineProperty({ element: text, value: "" }, "value", { get: () => text.value.trim().replace(/^\$/, "") });
}

export class WorkOrder {
  /** @param {{wagers: Lying[]}} sheet @param {{label: string}} field @param {Payoff} [payoff] how a payoff is told: typed, if not */
  constructor(sheet, field, payoff = makeTypedPayoff) {
    this.wagers = sheet.wagers;
    this.payoff = payoff;
    /** @type {Step[]} */
    this.steps = [];
    this.done = makeElement("ol", { class: "order-steps" });
    this.status = makeElement("p", { class: "unseen", role: "status", "aria-label": "The work" });
    this.acts = STEP_KINDS.map(([act, name], at) => {
      const radio = /** @type {HTMLInputElement} */ (makeElement("input", { type: "radio", name: "act", value: act ?? "" }));
      radio.checked = at === 0;
      return { radio, label: makeElement("label", { class: "pill" }, radio, makeElement("span", {}, name ?? "")) };
    });
    this.buttons = this.wagers.map((bet) => {
      const one = makeButton("", () => this.addStep(bet));
      one.append(makeElement("b", {}, String(bet.number)), " ", makeElement("span", {}, `${bet.player}, ${bet.name}`), " ", makeElement("small", {}, bet.chips));
      return one;
    });
    const acts = makeElement("fieldset", { class: "choices", role: "radiogroup", "aria-label": "What is done" }, makeElement("legend", { class: "unseen" }, "What is done"), ...this.acts.map((one) => one.label));
    const list = makeElement("div", { class: "order-wagers", role: "group", "aria-label": "Wagers" }, ...this.buttons);
    const keys = makeElement("p", { class: "keys" }, "Choose what is done (t, p, m), then touch the wagers in turn: here, or on the felt.");
    this.element = makeElement("fieldset", { class: "order" }, makeElement("legend", {}, field.label), acts, list, keys, this.done, this.status);
    this.element.addEventListener("keydown", (event) => this.#onKey(event));
  }

  get act() {
    return this.acts.find((one) => one.radio.checked)?.radio.value ?? "take";
  }

  /** @param {Lying} bet */
  addStep(bet) {
    if (this.steps.some((step) => step.lying === bet && step.act === this.act)) return;
    this.steps.push({ lying: bet, act: this.act, paid: this.payoff(bet) });
    this.#show();
    this.status.textContent = `${this.steps.length}: ${this.#describeStep(this.steps[this.steps.length - 1])}`;
  }

  /** @param {string} player @param {string} wager */
  addStepFor(player, wager) {
    const bet = this.wagers.find((one) => one.player === player && one.wager === wager);
    if (bet) this.addStep(bet);
  }

  /** @param {Step | undefined} step */
  #describeStep(step) {
    return step ? `${step.act} ${step.lying.player}'s ${step.lying.name}` : "";
  }

  #show() {
    const items = this.steps.map((step, at) => {
      const gone = makeButton("×", () => {
        this.steps.splice(at, 1);
        this.#show();
        this.buttons[0]?.focus();
      }, `Not: ${this.#describeStep(step)}`);
      gone.className = "quiet small";
      return makeElement("li", {}, makeElement("span", {}, this.#describeStep(step)), gone, ...(step.act === "pay" ? [step.paid.element] : []));
    });
    this.done.replaceChildren(...items);
    this.wagers.forEach((bet, at) => {
      this.buttons[at]?.classList.toggle("touched", this.steps.some((step) => step.lying === bet));
    });
  }

  /** As it is said to an instructor: `take 3, pay 2 = 14`. */
  get value() {
    if (!this.steps.length) return undefined;
    return this.steps
      .map(({ act, lying: bet, paid }) => `${act} ${bet.number}${act === "pay" && paid.value ? ` = ${paid.value}` : ""}`)
      .join(", ");
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.defaultPrevented || /** @type {HTMLElement} */ (event.target).matches("input[type=text]") || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = { t: 0, p: 1, m: 2 }[event.key.toLowerCase()];
    const found = act === undefined ? undefined : this.acts[act];
    if (!found) return;
    found.radio.checked = true;
    event.preventDefault();
  }
}
