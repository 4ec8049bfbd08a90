// @ts-check
/** A question on a page of the school: the facts, stacks and felt, the inputs for each kind of answer,
 * the bank to build a payoff from, and the list of steps in order. */

import { buttonById, byId, checkedValue, checkRadio, makeButton, makeDie, makeElement, makeLabel, makeRadios, onSubmit } from "./dom.js";
import { SelectableFelt } from "./felt_picture.js";
import { formatMoney } from "./money.js";
import { makeChipStack, makeStack } from "./school_page.js";
import { makeSpeechInput } from "./speech.js";

/**
 * @typedef {import("./school_api.js").Question} Question
 * @typedef {import("./school_api.js").Field} Field
 * @typedef {import("./school_api.js").PlacedBet} PlacedBet
 * @typedef {import("./school_api.js").Answer} Answer
 * @typedef {{element: HTMLElement, value: any}} AnswerField an input with its label, and its value now
 */

/** One question with its answer form. */
export class QuestionView {
  constructor() {
    this.felt = new SelectableFelt((player, wager) => this.order?.addStepFor(player, wager));
    /** @type {Map<string, AnswerField>} */
    this.fields = new Map();
    /** @type {WorkOrder | null} */
    this.order = null;
    /** @type {(answer: Answer | null) => void} */
    this.onAnswer = () => {};
    onSubmit(byId("answer"), () => {
      const answer = this.value;
      if (answer) this.onAnswer(answer);
      else this.showAlert("Nothing is filled in yet. Enter your answer first.");
    });
    buttonById("pass").addEventListener("click", () => this.onAnswer(null));
  }

  /** @param {string} words */
  showAlert(words) {
    byId("alert").textContent = words;
  }

  /** Show an error with a button to try again, instead of the answer form.
   * @param {string} words @param {() => void} again */
  showRetry(words, again) {
    byId("stage").hidden = false;
    byId("answer").hidden = true;
    const on = makeButton("Try again", again);
    byId("alert").replaceChildren(`${words} `, on);
    on.focus();
  }

  /** @param {Question} question */
  show(question) {
    this.showAlert("");
    byId("stage").hidden = false;
    byId("answer").hidden = false;
    byId("ask").textContent = question.ask;
    byId("facts").replaceChildren(...makeFacts(question));
    byId("given").replaceChildren(...question.stacks.map(makeStack));
    this.fields.clear();
    this.order = null;
    const fields = [...question.fields].sort((a, b) => Number(b.kind === "chips") - Number(a.kind === "chips"));
    for (const field of fields) this.fields.set(field.name, this.#makeField(field, question));
    byId("fields").replaceChildren(...[...this.fields.values()].map((item) => item.element));
    this.felt.show(question.felt, question.wagers);
    this.focus();
  }

  /** Move the focus to the first input of the answer. */
  focus() {
    const first = byId("fields").querySelector("input, .payoff, button");
    if (first instanceof HTMLElement) first.focus({ preventScroll: true });
  }

  /** @param {Field} field @param {Question} question @returns {AnswerField} */
  #makeField(field, question) {
    if (field.kind === "chips") return new PayoffBuilder(question, field);
    if (field.kind === "steps") return (this.order = new WorkOrder(question, field));
    const make = FIELD_MAKERS[field.kind];
    if (!make) throw new Error(`This page has no input for an answer of the kind ${field.kind}.`);
    return make(field, question);
  }

  /** The answer, or null if nothing is filled in. @returns {Answer | null} */
  get value() {
    if (this.order) return this.order.value ? { said: this.order.value } : null;
    const found = [...this.fields].map(([name, item]) => [name, item.value]).filter(([, value]) => value !== undefined);
    return found.length ? { answer: Object.fromEntries(found) } : null;
  }
}

/** Return the facts beside a question: the puck and the dice drawn, the rest in words. @param {Question} question */
function makeFacts({ given: { puck, dice }, facts }) {
  return facts.map(({ kind, words }) => {
    if (kind === "puck") return makePuck(puck);
    if (kind === "dice") return makeDicePicture(dice);
    return makeElement(kind === "quote" ? "q" : "span", {}, words);
  });
}

/** @param {number | null} point */
export const makePuck = (point) => makeElement("span", { class: `puck ${point ? "on" : "off"}` }, point ? `on ${point}` : "off");

/** @param {number[]} dice */
export const makeDicePicture = (dice) =>
  makeElement("span", { class: "thrown", role: "img", "aria-label": `dice ${dice[0]} and ${dice[1]}` }, ...dice.map(makeDie));

/** @param {HTMLElement} element @param {() => any} read @returns {AnswerField} */
const makeField = (element, read) => ({
  element,
  get value() {
    return read();
  },
});

/** @param {string} label @param {Record<string, string>} [more] */
function makeTextInput(label, more = {}) {
  const text = makeElement("input", { type: "text", maxlength: "500", autocomplete: "off", ...more });
  return { text, label: makeLabel(label, text, "field") };
}

/** @param {Field} field */
function makeAmountField(field) {
  const { text, label } = makeTextInput(field.label, { inputmode: "decimal", placeholder: "$", class: "amount" });
  return makeField(label, () => text.value.trim() || undefined);
}

/** @param {Field} field @param {Question} question */
function makeWordsField(field, question) {
  const notes = [field.optional ? "optional" : "", field.hint ?? ""].filter(Boolean).join("; ");
  const { text, label } = makeTextInput(notes ? `${field.label} (${notes})` : field.label);
  const chosen = question.phrases.map((phrase) => {
    const choose = () => {
      text.value = text.value.trim() ? `${text.value.trim()}, ${phrase}` : phrase;
      text.focus();
    };
    return makeButton(phrase, choose, phrase, "phrase");
  });
  const utterance = makeElement("div", { class: "said" }, label);
  void offerSpeech(text, label);
  if (chosen.length)
    utterance.append(makeElement("details", { class: "phrases" }, makeElement("summary", {}, "Choose the words"), makeElement("div", {}, ...chosen)));
  return makeField(utterance, () => text.value.trim() || undefined);
}

/** Add a button to speak the answer, where the device recognizes speech. @param {HTMLInputElement} text @param {HTMLElement} label */
async function offerSpeech(text, label) {
  const listen = await makeSpeechInput((words) => {
    text.value = words || text.value;
  });
  if (listen) label.after(makeButton("Speak", listen));
}

/** @param {Field} field @param {Question} question */
function makeChoiceField(field, question) {
  /** @type {string[]} */
  const choices = question.given.choices ?? [];
  const radios = choices.map((_, at) => makeElement("input", { type: "radio", name: "choice", value: String(at) }));
  const labels = choices.map((data, at) => makeElement("label", { class: "choice" }, radios[at], makeElement("span", {}, data)));
  const group = makeElement("fieldset", { class: "choices-list", role: "radiogroup", "aria-labelledby": "ask" }, makeElement("legend", { class: "unseen" }, field.label), ...labels);
  group.addEventListener("keydown", (event) => {
    const radio = radios[Number(event.key) - 1];
    if (radio) {
      radio.checked = true;
      radio.focus();
    } else if (event.key === "Enter") group.closest("form")?.requestSubmit();
    else return;
    event.preventDefault();
  });
  return makeField(group, () => {
    const at = radios.findIndex((radio) => radio.checked);
    return at < 0 ? undefined : at;
  });
}

/** Return inputs for an amount on each number. An empty one means no bet. @param {Field} field */
function makeWagersField(field) {
  const boxes = (field.choices ?? []).map(([slug, name]) => ({ slug, ...makeTextInput(name, { inputmode: "decimal", placeholder: "$", class: "amount" }) }));
  const group = makeElement("fieldset", { class: "by-number" }, makeElement("legend", {}, field.label), ...boxes.map((item) => item.label));
  return makeField(group, () => {
    const given = boxes.map((item) => [item.slug, item.text.value.trim()]).filter(([, value]) => value);
    return given.length ? Object.fromEntries(given) : undefined;
  });
}

/** Return choices of which several may be ticked; the value is the list of the ticked ones. @param {Field} field */
function makeTicksField(field) {
  const choices = field.choices ?? [];
  const ticks = choices.map(([value]) => makeElement("input", { type: "checkbox", value }));
  const labels = choices.map(([, name], at) => makeElement("label", { class: "choice" }, ticks[at], makeElement("span", {}, name)));
  const group = makeElement("fieldset", { class: "choices-list" }, makeElement("legend", {}, field.label), ...labels);
  return makeField(group, () => {
    const found = ticks.filter((tick) => tick.checked).map((tick) => tick.value);
    return found.length ? found : undefined;
  });
}

/** Return a list of a dealer's steps, to tick the wrong ones. @param {Field} field @param {Question} question */
function makeErrorsField(field, question) {
  const steps = [...question.steps, "A step is missing after the last one"];
  const ticks = steps.map((_, at) => makeElement("input", { type: "checkbox", value: String(at + 1) }));
  const items = steps.map((data, at) => makeElement("li", {}, makeElement("label", { class: "choice" }, ticks[at], makeElement("span", {}, `${at + 1}. ${data}`))));
  const hint = makeElement("p", { class: "keys" }, "If a step is missing, tick the step that stands in its place.");
  const group = makeElement("fieldset", { class: "choices-list" }, makeElement("legend", {}, field.label), makeElement("ol", {}, ...items), hint);
  return makeField(group, () => {
    const found = ticks.filter((tick) => tick.checked).map((tick) => Number(tick.value));
    return found.length ? found : undefined;
  });
}

/** The inputs by kind of field; the kinds are those of the server's `answer_fields.py`.
 * @type {Record<string, (field: Field, question: Question) => AnswerField>} */
const FIELD_MAKERS = {
  amount: makeAmountField,
  words: makeWordsField,
  choice: makeChoiceField,
  wagers: makeWagersField,
  wrong: makeErrorsField,
  ticks: makeTicksField,
};

/** Return the heights of the stacks into which chips are cut: equal ones, and what is over. @param {number} count @param {number} size */
function cutStacks(count, size) {
  if (!size || count <= size) return [count];
  const heights = Array.from({ length: Math.floor(count / size) }, () => size);
  return count % size ? [...heights, count % size] : heights;
}

let builderCount = 0;

/** A bank of chips from which a payoff is built by clicks or keys. */
export class PayoffBuilder {
  /** @param {Question} question @param {Field} field */
  constructor(question, field) {
    this.field = field;
    /** Largest first, as in a dealer's bank. */
    this.chips = [...question.bank].sort((a, b) => b[1] - a[1]);
    this.bets = question.stacks;
    /** @type {string[]} in the order in which they were set out */
    this.chipsOut = [];
    this.multiplier = 0;
    /** How many chips each stack is cut into; 0: not cut. */
    this.cutSize = 0;
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
      const chip = makeButton("", () => this.add(color), `${color}, ${formatMoney(value)}`, "bank-chip");
      chip.append(makeChipStack(color, 1), makeElement("kbd", { "aria-hidden": "true" }, this.keys.get(color) ?? ""));
      return chip;
    });
    const makeAct = (/** @type {string} */ words, /** @type {() => void} */ action) => makeButton(words, action, words, "quiet");
    const sized = this.bets.filter((bet) => bet.piles.length).map((bet) => makeAct(`Size into ${bet.name}`, () => this.sizeInto(bet)));
    const acts = [...sized, makeAct("Cut", () => this.cut()), makeAct("Take one back", () => this.takeBack()), makeAct("Clear", () => this.clear())];
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
      makeElement("p", { class: "keys", id: this.hint }, `Keys: ${keys}; a number first for several; = sizes into the bet; / cuts into stacks of so many; Backspace takes one back.`),
    );
  }

  /** Return a key for each color: its first letter that no larger chip uses. */
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

  /** Take back the last chip, or the last of a color. @param {string} [color] */
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

  /** Add the chips of the bet itself, which pays even money. @param {import("./school_api.js").Stack} bet */
  sizeInto(bet) {
    for (const [color, count] of bet.piles) this.add(color, count);
  }

  /** Cut the chips into stacks of as many as the number typed before (else 4, then 5), or put them together again. */
  cut() {
    this.cutSize = this.multiplier || { 0: 4, 4: 5 }[this.cutSize] || 0;
    this.multiplier = 0;
    this.#show();
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
      const item = makeButton("", () => this.takeBack(color), `${words}: take one back`, "payoff-pile");
      item.append(makeElement("span", { class: "cut-stacks" }, ...cutStacks(counts[color] ?? 0, this.cutSize).map((high) => makeChipStack(color, high))), makeElement("span", { "aria-hidden": "true" }, String(counts[color])));
      return item;
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
    else if (event.key === "/") this.cut();
    else if (event.key === "=") this.bets.filter((bet) => bet.piles.length).forEach((bet) => this.sizeInto(bet));
    else if (event.key === "Enter" && at === this.tray && document.querySelectorAll(".payoff").length === 1) this.tray.closest("form")?.requestSubmit();
    else return;
    event.preventDefault();
  }
}

/** @typedef {{bet: PlacedBet, act: string, paid: {element: HTMLElement, value: any}}} Step what is paid: typed, or built */
/** @typedef {(bet: PlacedBet) => {element: HTMLElement, value: any}} Payoff */

const STEP_KINDS = [
  ["take", "Take"],
  ["pay", "Pay"],
  ["place", "Place"],
];

/** Return an input for the amount paid. Empty means the correct amount. @type {Payoff} */
function makeTypedPayoff(bet) {
  const text = makeElement("input", { type: "text", inputmode: "decimal", class: "amount", placeholder: "as due", maxlength: "12", "aria-label": `Paid to ${bet.player}, ${bet.name}` });
  return makeField(text, () => text.value.trim().replace(/^\$/, ""));
}

/** The steps of the work on a throw, in the order in which bets are selected. */
export class WorkOrder {
  /** @param {{wagers: PlacedBet[]}} question @param {{label: string}} field @param {Payoff} [payoff] makes the input for a payoff; by default it is typed */
  constructor(question, field, payoff = makeTypedPayoff) {
    this.wagers = question.wagers;
    this.payoff = payoff;
    /** @type {Step[]} */
    this.steps = [];
    this.done = makeElement("ol", { class: "order-steps" });
    this.status = makeElement("p", { class: "unseen", role: "status", "aria-label": "The work" });
    this.acts = makeRadios("act", STEP_KINDS, "take");
    this.buttons = this.wagers.map((bet) => {
      const item = makeButton("", () => this.addStep(bet));
      item.append(makeElement("b", {}, String(bet.number)), " ", makeElement("span", {}, `${bet.player}, ${bet.name}`), " ", makeElement("small", {}, bet.chips));
      return item;
    });
    const acts = makeElement("fieldset", { class: "choices", role: "radiogroup", "aria-label": "What is done" }, makeElement("legend", { class: "unseen" }, "What is done"), ...this.acts);
    const list = makeElement("div", { class: "order-wagers", role: "group", "aria-label": "Wagers" }, ...this.buttons);
    const keys = makeElement("p", { class: "keys" }, "Choose what is done (t, p, m), then touch the wagers in turn: here, or on the felt.");
    this.element = makeElement("fieldset", { class: "order" }, makeElement("legend", {}, field.label), acts, list, keys, this.done, this.status);
    this.element.addEventListener("keydown", (event) => this.#onKey(event));
  }

  get act() {
    return checkedValue("act", "take");
  }

  /** @param {PlacedBet} bet */
  addStep(bet) {
    if (this.steps.some((step) => step.bet === bet && step.act === this.act)) return;
    this.steps.push({ bet, act: this.act, paid: this.payoff(bet) });
    this.#show();
    this.status.textContent = `${this.steps.length}: ${this.#describeStep(this.steps[this.steps.length - 1])}`;
  }

  /** @param {string} player @param {string} wager */
  addStepFor(player, wager) {
    const bet = this.wagers.find((item) => item.player === player && item.wager === wager);
    if (bet) this.addStep(bet);
  }

  /** @param {Step | undefined} step */
  #describeStep(step) {
    return step ? `${step.act} ${step.bet.player}'s ${step.bet.name}` : "";
  }

  #show() {
    const items = this.steps.map((step, at) => {
      const remove = () => {
        this.steps.splice(at, 1);
        this.#show();
        this.buttons[0]?.focus();
      };
      const gone = makeButton("×", remove, `Not: ${this.#describeStep(step)}`, "quiet small");
      return makeElement("li", {}, makeElement("span", {}, this.#describeStep(step)), gone, ...(step.act === "pay" ? [step.paid.element] : []));
    });
    this.done.replaceChildren(...items);
    this.wagers.forEach((bet, at) => {
      this.buttons[at]?.classList.toggle("touched", this.steps.some((step) => step.bet === bet));
    });
  }

  /** The steps as the server reads them: `take 3, pay 2 = 14`. */
  get value() {
    if (!this.steps.length) return undefined;
    return this.steps
      .map(({ act, bet, paid }) => `${act} ${bet.number}${act === "pay" && paid.value ? ` = ${paid.value}` : ""}`)
      .join(", ");
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.defaultPrevented || /** @type {HTMLElement} */ (event.target).matches("input[type=text]") || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = { t: "take", p: "pay", m: "place" }[event.key.toLowerCase()];
    if (!act) return;
    checkRadio("act", act);
    event.preventDefault();
  }
}
