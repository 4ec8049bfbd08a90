// @ts-check
/** What is offered, as buttons and forms: the line that each sends is the server's. */

import { cents } from "./money.js";
import { DicePad } from "./post_dice.js";
import { barWords, make, put, Rows } from "./post_dom.js";

/**
 * @typedef {import("./post_dom.js").Offer} Offer
 * @typedef {import("./post_dom.js").Field} Field
 * @typedef {import("./post_dom.js").Say} Say
 */

/** The line with what was filled in. @param {string} line @param {Record<string, string>} values */
export function filled(line, values) {
  return line.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "").replace(/\s+/g, " ").trim();
}

/** One offer: a button, with its fields before it and, where it is barred, the reason after. */
export class OfferForm {
  /** @param {Offer} offer @param {Say} say @param {(words: string) => void} tell */
  constructor(offer, say, tell) {
    this.offer = offer;
    this.say = say;
    this.tell = tell;
    this.pads = offer.fields.some((field) => field.kind === "face") ? new DicePad(() => this.#worded()) : null;
    /** @type {Map<string, HTMLInputElement | HTMLSelectElement>} */
    this.inputs = new Map();
    this.button = make("button", { type: "submit" });
    this.why = make("p", { class: "why", id: `why-${offer.id}` });
    this.fields = make("div", { class: "fill" });
    this.form = make("form", { class: "offer", novalidate: true, "data-offer": offer.id, "data-fields": String(offer.fields.length) }, this.fields, this.button, this.why);
    if (this.pads) this.fields.append(this.pads.place);
    for (const field of offer.fields) if (field.kind !== "face") this.fields.append(this.#input(field));
    this.form.classList.toggle("bare", offer.fields.length === 0);
    this.form.classList.toggle("padded", this.pads !== null);
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.send();
    });
    this.show(offer);
  }

  /** @param {Field} field */
  #input(field) {
    const choice = field.kind === "choice";
    const input = /** @type {HTMLInputElement | HTMLSelectElement} */ (make(choice ? "select" : "input", { name: field.name, autocomplete: "off" }));
    if (input instanceof HTMLInputElement) {
      input.type = "text";
      input.value = field.value ?? "";
      if (field.kind === "money") input.inputMode = "decimal";
    }
    this.inputs.set(field.name, input);
    return make("label", { class: field.kind }, make("span", { text: field.label }), input);
  }

  /** @param {Offer} offer */
  show(offer) {
    this.offer = offer;
    for (const field of offer.fields) this.#options(field);
    this.button.setAttribute("aria-disabled", String(offer.bar !== null));
    this.why.textContent = offer.bar ? barWords(offer.bar) : "";
    this.why.hidden = !offer.bar;
    if (offer.bar) this.button.setAttribute("aria-describedby", this.why.id);
    else this.button.removeAttribute("aria-describedby");
    this.#worded();
  }

  /** @param {Field} field */
  #options(field) {
    const input = this.inputs.get(field.name);
    if (!(input instanceof HTMLSelectElement)) {
      if (input && field.least) input.title = `${field.least} to ${field.most}`;
      return;
    }
    const told = JSON.stringify(field.choices);
    if (input.dataset.told === told) return;
    const kept = input.value;
    input.dataset.told = told;
    const options = (field.choices ?? []).map((choice) => {
      const words = choice.bar ? `${choice.label}: ${choice.bar.reason}` : choice.label;
      return /** @type {HTMLOptionElement} */ (make("option", { value: choice.value, disabled: choice.bar !== null, text: words }));
    });
    put(input, options);
    const open = options.filter((option) => !option.disabled);
    input.value = (open.find((option) => option.value === kept) ?? open[0] ?? options[0])?.value ?? "";
  }

  #worded() {
    const { label, key } = this.offer;
    const faces = this.pads?.faces ?? [];
    const words = faces.length === 2 ? `${label}: ${faces.join(" and ")}` : label;
    put(this.button, key ? [document.createTextNode(`${words} `), make("kbd", { text: key.toUpperCase(), "aria-hidden": "true" })] : [document.createTextNode(words)]);
  }

  async send() {
    if (this.offer.bar) return this.tell(barWords(this.offer.bar));
    /** @type {Record<string, string>} */
    const values = {};
    for (const [name, input] of this.inputs) values[name] = input.value.trim().replace(/^\$/, "");
    if (this.pads) {
      if (this.pads.faces.length < 2) return this.pads.ask();
      [values.first, values.second] = this.pads.faces.map(String);
    }
    const missing = this.offer.fields.find((f) => f.kind !== "face" && f.kind !== "choice" && !f.optional && !values[f.name]);
    if (missing) return this.inputs.get(missing.name)?.focus();
    const taken = await this.say(filled(this.offer.line, values));
    if (taken === false) return;
    this.pads?.clear();
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
    /** @type {Rows<Offer>} */
    this.rows = new Rows(place, (offer) => `${offer.id} ${offer.fields.map((f) => f.kind).join()}`, row, (form, offer) => {
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
export function fits(field, wanted) {
  const [least, most, step] = [field.least, field.most, field.step].map((one) => cents(one ?? "0"));
  const near = wanted <= least ? least : least + Math.round((wanted - least) / (step || 1)) * (step || 1);
  return Math.min(near, most);
}
