// @ts-check
/** What is offered, as buttons and forms: the line that each sends is the server's. */

import { parseCents } from "./money.js";
import { DicePad } from "./post_dice.js";
import { describeBar, makeOld, setChildren, KeyedList } from "./post_dom.js";

/**
 * @typedef {import("./post_dom.js").Offer} Offer
 * @typedef {import("./post_dom.js").Field} Field
 * @typedef {import("./post_dom.js").Say} Say
 */

/** The line with what was filled in. @param {string} line @param {Record<string, string>} values */
export function fillLine(line, values) {
  return line.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "").replace(/\s+/g, " ").trim();
}

/** One offer: a button, with its fields before it and, where it is barred, the reason after. */
export class OfferForm {
  /** @param {Offer} offer @param {Say} say @param {(words: string) => void} showAlert */
  constructor(offer, say, showAlert) {
    this.offer = offer;
    this.say = say;
    this.tell = showAlert;
    this.dicePad = offer.fields.some((field) => field.kind === "face") ? new DicePad(() => this.#showLabel()) : null;
    /** @type {Map<string, HTMLInputElement | HTMLSelectElement>} */
    this.inputs = new Map();
    this.button = makeOld("button", { type: "submit" });
    this.why = makeOld("p", { class: "why", id: `why-${offer.id}` });
    this.fields = makeOld("div", { class: "fill" });
    this.form = makeOld("form", { class: "offer", novalidate: true, "data-offer": offer.id, "data-fields": String(offer.fields.length) }, this.fields, this.button, this.why);
    if (this.dicePad) this.fields.append(this.dicePad.place);
    for (const field of offer.fields) if (field.kind !== "face") this.fields.append(this.#makeInput(field));
    this.form.classList.toggle("bare", offer.fields.length === 0);
    this.form.classList.toggle("padded", this.dicePad !== null);
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.send();
    });
    this.show(offer);
  }

  /** @param {Field} field */
  #makeInput(field) {
    const choice = field.kind === "choice";
    const input = /** @type {HTMLInputElement | HTMLSelectElement} */ (makeOld(choice ? "select" : "input", { name: field.name, autocomplete: "off" }));
    if (input instanceof HTMLInputElement) {
      input.type = "text";
      input.value = field.value ?? "";
      if (field.kind === "money") input.inputMode = "decimal";
    }
    this.inputs.set(field.name, input);
    return makeOld("label", { class: field.kind }, makeOld("span", { text: field.label }), input);
  }

  /** @param {Offer} offer */
  show(offer) {
    this.offer = offer;
    for (const field of offer.fields) this.#showChoices(field);
    this.button.setAttribute("aria-disabled", String(offer.bar !== null));
    this.why.textContent = offer.bar ? describeBar(offer.bar) : "";
    this.why.hidden = !offer.bar;
    if (offer.bar) this.button.setAttribute("aria-describedby", this.why.id);
    else this.button.removeAttribute("aria-describedby");
    this.#showLabel();
  }

  /** @param {Field} field */
  #showChoices(field) {
    const input = this.inputs.get(field.name);
    if (!(input instanceof HTMLSelectElement)) {
      if (input && field.least) input.title = `${field.least} to ${field.most}`;
      return;
    }
    const data = JSON.stringify(field.choices);
    if (input.dataset.told === data) return;
    const kept = input.value;
    input.dataset.told = data;
    const options = (field.choices ?? []).map((choice) => {
      const words = choice.bar ? `${choice.label}: ${choice.bar.reason}` : choice.label;
      return /** @type {HTMLOptionElement} */ (makeOld("option", { value: choice.value, disabled: choice.bar !== null, text: words }));
    });
    setChildren(input, options);
    const open = options.filter((option) => !option.disabled);
    input.value = (open.find((option) => option.value === kept) ?? open[0] ?? options[0])?.value ?? "";
  }

  #showLabel() {
    const { label, key } = this.offer;
    const faces = this.dicePad?.faces ?? [];
    const words = faces.length === 2 ? `${label}: ${faces.join(" and ")}` : label;
    setChildren(this.button, key ? [document.createTextNode(`${words} `), makeOld("kbd", { text: key.toUpperCase(), "aria-hidden": "true" })] : [document.createTextNode(words)]);
  }

  async send() {
    if (this.offer.bar) return this.tell(describeBar(this.offer.bar));
    /** @type {Record<string, string>} */
    const values = {};
    for (const [name, input] of this.inputs) values[name] = input.value.trim().replace(/^\$/, "");
    if (this.dicePad) {
      if (this.dicePad.faces.length < 2) return this.dicePad.focusMissing();
      [values.first, values.second] = this.dicePad.faces.map(String);
    }
    const missing = this.offer.fields.find((f) => f.kind !== "face" && f.kind !== "choice" && !f.optional && !values[f.name]);
    if (missing) return this.inputs.get(missing.name)?.focus();
    const taken = await this.say(fillLine(this.offer.line, values));
    if (taken === false) return;
    this.dicePad?.clear();
    for (const field of this.offer.fields) {
      const input = this.inputs.get(field.name);
      if (input instanceof HTMLInputElement && field.kind === "text" && !field.value) input.value = "";
    }
  }
}

/** The offers of one part of the page. */
export class Offers {
  /** @param {HTMLElement} place @param {Say} say @param {(words: string) => void} tell */
  constructor(place, say, tell) {
    /** @type {Map<HTMLElement, OfferForm>} */
    this.forms = new Map();
    const row = (/** @type {Offer} */ offer) => {
      const made = new OfferForm(offer, say, tell);
      this.forms.set(made.form, made);
      return made.form;
    };
    /** @type {KeyedList<Offer>} */
    this.rows = new KeyedList(place, (offer) => `${offer.id} ${offer.fields.map((f) => f.kind).join()}`, row, (form, offer) => {
      this.forms.get(form)?.show(offer);
    });
  }

  /** @param {Offer[]} offers */
  show(offers) {
    this.rows.show(offers);
    for (const form of this.forms.keys()) if (!form.isConnected) this.forms.delete(form);
  }

  /** The one that a key is for, among those that are seen. @param {(offer: Offer) => boolean} which */
  find(which) {
    return [...this.forms.values()].find((form) => which(form.offer));
  }
}

/** The amount nearest to what is wanted that a wager takes. @param {Field} field @param {number} wanted */
export function roundToField(field, wanted) {
  const [least, most, step] = [field.least, field.most, field.step].map((one) => parseCents(one ?? "0"));
  const near = wanted <= least ? least : least + Math.round((wanted - least) / (step || 1)) * (step || 1);
  return Math.min(near, most);
}
