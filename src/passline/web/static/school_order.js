// @ts-check
/** The order of work: wagers touched in turn, on the felt or in the list beside it. */

import { made, press } from "./dom.js";

/** @typedef {import("./school_api.js").Lying} Lying */
/** @typedef {{lying: Lying, act: string, paid: {element: HTMLElement, value: any}}} Step what is paid: typed, or built */
/** @typedef {(lying: Lying) => {element: HTMLElement, value: any}} Payoff */

const ACTS = [
  ["take", "Take"],
  ["pay", "Pay"],
  ["place", "Place"],
];

/** An amount typed in; left out, it is taken as due. @type {Payoff} */
function typed(lying) {
  const text = /** @type {HTMLInputElement} */ (made("input", { type: "text", inputmode: "decimal", class: "amount", placeholder: "as due", maxlength: "12", "aria-label": `Paid to ${lying.player}, ${lying.name}` }));
  return Object.defineProperty({ element: text, value: "" }, "value", { get: () => text.value.trim().replace(/^\$/, "") });
}

export class Order {
  /** @param {{wagers: Lying[]}} sheet @param {{label: string}} field @param {Payoff} [payoff] how a payoff is told: typed, if not */
  constructor(sheet, field, payoff = typed) {
    this.wagers = sheet.wagers;
    this.payoff = payoff;
    /** @type {Step[]} */
    this.steps = [];
    this.done = made("ol", { class: "order-steps" });
    this.told = made("p", { class: "unseen", role: "status", "aria-label": "The work" });
    this.acts = ACTS.map(([act, name], at) => {
      const radio = /** @type {HTMLInputElement} */ (made("input", { type: "radio", name: "act", value: act ?? "" }));
      radio.checked = at === 0;
      return { radio, label: made("label", { class: "pill" }, radio, made("span", {}, name ?? "")) };
    });
    this.buttons = this.wagers.map((lying) => {
      const one = press("", () => this.touch(lying));
      one.append(made("b", {}, String(lying.number)), " ", made("span", {}, `${lying.player}, ${lying.name}`), " ", made("small", {}, lying.chips));
      return one;
    });
    const acts = made("fieldset", { class: "choices", role: "radiogroup", "aria-label": "What is done" }, made("legend", { class: "unseen" }, "What is done"), ...this.acts.map((one) => one.label));
    const list = made("div", { class: "order-wagers", role: "group", "aria-label": "Wagers" }, ...this.buttons);
    const keys = made("p", { class: "keys" }, "Choose what is done (t, p, m), then touch the wagers in turn: here, or on the felt.");
    this.element = made("fieldset", { class: "order" }, made("legend", {}, field.label), acts, list, keys, this.done, this.told);
    this.element.addEventListener("keydown", (event) => this.#key(event));
  }

  get act() {
    return this.acts.find((one) => one.radio.checked)?.radio.value ?? "take";
  }

  /** @param {Lying} lying */
  touch(lying) {
    if (this.steps.some((step) => step.lying === lying && step.act === this.act)) return;
    this.steps.push({ lying, act: this.act, paid: this.payoff(lying) });
    this.#show();
    this.told.textContent = `${this.steps.length}: ${this.#words(this.steps[this.steps.length - 1])}`;
  }

  /** @param {string} player @param {string} wager */
  touched(player, wager) {
    const lying = this.wagers.find((one) => one.player === player && one.wager === wager);
    if (lying) this.touch(lying);
  }

  /** @param {Step | undefined} step */
  #words(step) {
    return step ? `${step.act} ${step.lying.player}'s ${step.lying.name}` : "";
  }

  #show() {
    const items = this.steps.map((step, at) => {
      const gone = press("×", () => {
        this.steps.splice(at, 1);
        this.#show();
        this.buttons[0]?.focus();
      }, `Not: ${this.#words(step)}`);
      gone.className = "quiet small";
      return made("li", {}, made("span", {}, this.#words(step)), gone, ...(step.act === "pay" ? [step.paid.element] : []));
    });
    this.done.replaceChildren(...items);
    this.wagers.forEach((lying, at) => {
      this.buttons[at]?.classList.toggle("touched", this.steps.some((step) => step.lying === lying));
    });
  }

  /** As it is said to an instructor: `take 3, pay 2 = 14`. */
  get value() {
    if (!this.steps.length) return undefined;
    return this.steps
      .map(({ act, lying, paid }) => `${act} ${lying.number}${act === "pay" && paid.value ? ` = ${paid.value}` : ""}`)
      .join(", ");
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.defaultPrevented || /** @type {HTMLElement} */ (event.target).matches("input[type=text]") || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = { t: 0, p: 1, m: 2 }[event.key.toLowerCase()];
    const found = act === undefined ? undefined : this.acts[act];
    if (!found) return;
    found.radio.checked = true;
    event.preventDefault();
  }
}
