// @ts-check
/** Forms of the crew's page: offers with their fields, the form that books bets for a player, the list of
 * players, and the pad to type the dice. The server sends the line of each offer; the page only fills it
 * in. */

import { drawIfChanged, KeyedList, makeDie, makeElement, makeLabel, onSubmit, setChildren, showName } from "./dom.js";
import { formatAmount, formatDollars, parseCents, roundToLimits } from "./money.js";

/**
 * @typedef {{reason: string, cite: string}} Bar why something is not allowed, and the clause
 * @typedef {{value: string, label: string, bar: Bar | null}} Choice
 * @typedef {{name: string, label: string, kind: "choice" | "money" | "face" | "text", value?: string, optional?: boolean,
 *   choices?: Choice[], least?: string, most?: string, step?: string}} Field
 * @typedef {{id: string, act: string, label: string, part: string, line: string, fields: Field[], bar: Bar | null,
 *   key?: string}} Offer something that a crew member may say now: a line with fields to fill in
 * @typedef {(line: string) => Promise<boolean | void> | void} Say sends a line; false if it was refused
 */

/** Return the reason and its clause, in one text. @param {Bar} bar */
export const describeBar = (bar) => (bar.cite ? `${bar.reason} (${bar.cite})` : bar.reason);

/** Return a line with its {fields} filled in. @param {string} line @param {Record<string, string>} values */
function fillLine(line, values) {
  return line.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "").replace(/\s+/g, " ").trim();
}

/** One offer as a form: its fields, a button and, if it is barred, the reason. */
class OfferForm {
  /** @param {Offer} offer @param {Say} say @param {(words: string) => void} showAlert */
  constructor(offer, say, showAlert) {
    this.offer = offer;
    this.say = say;
    this.tell = showAlert;
    this.dicePad = offer.fields.some((field) => field.kind === "face") ? new DicePad(() => this.#showLabel()) : null;
    /** @type {Map<string, HTMLInputElement | HTMLSelectElement>} */
    this.inputs = new Map();
    this.button = makeElement("button", { type: "submit" });
    this.why = makeElement("p", { class: "why", id: `why-${offer.id}` });
    this.fields = makeElement("div", { class: "fill" });
    const shape = this.dicePad ? "offer padded" : offer.fields.length ? "offer" : "offer bare";
    this.form = makeElement("form", { class: shape, novalidate: true, "data-offer": offer.id, "data-fields": String(offer.fields.length) }, this.fields, this.button, this.why);
    if (this.dicePad) this.fields.append(this.dicePad.place);
    for (const field of offer.fields) if (field.kind !== "face") this.fields.append(this.#makeInput(field));
    onSubmit(this.form, () => void this.send());
    this.show(offer);
  }

  /** @param {Field} field */
  #makeInput(field) {
    const common = { name: field.name, autocomplete: "off" };
    const input =
      field.kind === "choice"
        ? makeElement("select", common)
        : makeElement("input", { ...common, type: "text", value: field.value ?? "", inputmode: field.kind === "money" && "decimal" });
    this.inputs.set(field.name, input);
    return makeLabel(field.label, input, field.kind);
  }

  /** @param {Offer} offer */
  show(offer) {
    this.offer = offer;
    for (const field of offer.fields) this.#showChoices(field);
    this.button.setAttribute("aria-disabled", String(offer.bar !== null));
    this.button.disabled = this.#lacksFaces();
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
    drawIfChanged(input, field.choices, () => {
      const selected = input.value;
      const options = (field.choices ?? []).map((choice) => {
        const words = choice.bar ? `${choice.label}: ${choice.bar.reason}` : choice.label;
        return makeElement("option", { value: choice.value, disabled: choice.bar !== null, text: words });
      });
      setChildren(input, options);
      const open = options.filter((option) => !option.disabled);
      input.value = (open.find((option) => option.value === selected) ?? open[0] ?? options[0])?.value ?? "";
    });
  }

  /** Whether dice must be chosen first. What is barred stays focusable, to say why. */
  #lacksFaces() {
    return !this.offer.bar && this.dicePad !== null && !this.dicePad.faces.length;
  }

  #showLabel() {
    this.button.disabled = this.#lacksFaces();
    const { label, key } = this.offer;
    const faces = this.dicePad?.faces ?? [];
    const words = faces.length === 2 ? `${label}: ${faces.join(" and ")}` : label;
    setChildren(this.button, key ? [document.createTextNode(`${words} `), makeElement("kbd", { text: key.toUpperCase(), "aria-hidden": "true" })] : [document.createTextNode(words)]);
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
    const accepted = await this.say(fillLine(this.offer.line, values));
    if (accepted === false) return;
    this.dicePad?.clear();
    for (const field of this.offer.fields) {
      const input = this.inputs.get(field.name);
      if (input instanceof HTMLInputElement && field.kind === "text" && !field.value) input.value = "";
    }
  }
}

/** The offers of one card of the crew's page. */
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

  /** Return the first shown form whose offer fits. @param {(offer: Offer) => boolean} which */
  find(which) {
    return [...this.forms.values()].find((form) => which(form.offer));
  }
}

/**
 * @typedef {{wager: string, name: string, amount: string, working: boolean}} OpenBet
 * @typedef {{name: string, place: number, end: string, here: boolean, own: boolean, shoots: boolean, rail: string,
 *   bought_in: string, wagers: OpenBet[]}} Player
 * @typedef {{wager: string, name: string, offers: Offer[]}} BookableWager
 */

/** Return an open bet in words. @param {OpenBet} up */
export const describeBet = (up) => `${up.name} ${formatDollars(up.amount)}${up.working ? "" : ", off"}`;

/** The players, as radio buttons for a crew member who books bets, otherwise as a list. */
export class PlayerList {
  /** @param {HTMLElement} place @param {(name: string) => void} pick @param {boolean} canPick */
  constructor(place, pick, canPick) {
    this.picked = "";
    this.canPick = canPick;
    this.none = makeElement("p", { text: "Nobody is here yet." });
    this.list = makeElement("div", { class: "players", role: canPick ? "radiogroup" : "list", "aria-label": "Players" });
    place.append(this.none, this.list);
    this.list.addEventListener("change", (event) => pick(/** @type {HTMLInputElement} */ (event.target).value));
    /** @type {KeyedList<Player>} */
    this.rows = new KeyedList(this.list, (item) => item.name, (item) => this.#makeRow(item), (row, item) => this.#updateRow(row, item));
  }

  /** @param {Player[]} players @param {string} picked */
  show(players, picked) {
    this.picked = picked;
    const seen = players.filter((item) => (item.here || item.wagers.length) && (item.own || !this.canPick));
    this.none.hidden = seen.length > 0;
    this.rows.show(seen);
  }

  /** @param {Player} item */
  #makeRow(item) {
    const data = makeElement("span", { class: "player-details" });
    if (!this.canPick) return makeElement("div", { class: "player", role: "listitem" }, data);
    return makeElement("label", { class: "player" }, makeElement("input", { type: "radio", name: "post-player", value: item.name }), data);
  }

  /** @param {HTMLElement} row @param {Player} item */
  #updateRow(row, item) {
    const radio = row.querySelector("input");
    if (radio) radio.checked = item.name === this.picked;
    const details = /** @type {HTMLElement} */ (row.querySelector(".player-details"));
    const marks = [item.shoots && "shoots", !item.here && "has left"].filter(Boolean).join(", ");
    drawIfChanged(details, item, () =>
      details.replaceChildren(
        makeElement("b", { text: showName(item.name) }),
        makeElement("span", { class: "rail", text: formatDollars(item.rail) }),
        makeElement("small", { text: [`place ${item.place}, ${item.end} end`, marks].filter(Boolean).join(" · ") }),
        makeElement("small", { class: "up", text: item.wagers.map(describeBet).join(" · ") || "nothing up" }),
      ),
    );
  }
}

/** The form that books, changes and takes down a player's bets. */
export class BookingForm {
  /** @param {HTMLElement} place @param {Say} say */
  constructor(place, say) {
    this.say = say;
    /** @type {BookableWager[]} */
    this.book = [];
    this.lineTemplate = "";
    this.who = makeElement("p", { class: "who", role: "status" });
    this.wager = makeElement("select", { name: "wager" });
    this.amount = makeElement("input", { type: "text", inputmode: "decimal", name: "amount", autocomplete: "off" });
    this.verbs = makeElement("div", { class: "verbs" });
    this.limits = makeElement("p", { class: "why" });
    this.words = makeElement("input", { type: "text", autocomplete: "off", maxlength: "500", placeholder: "yo for 5" });
    this.form = makeElement("form", { class: "booking", novalidate: true }, makeLabel("Wager", this.wager, "choice"), makeLabel("Amount", this.amount, "money"), this.verbs, this.limits);
    this.wordsForm = makeElement("form", { class: "talk" }, makeLabel("In words", this.words), makeElement("button", { type: "submit", text: "Book it" }));
    place.append(this.who, this.form, this.wordsForm);
    this.wager.addEventListener("change", () => this.#showWager(true));
    onSubmit(this.form, () => [...this.verbs.querySelectorAll("button")].find((verb) => verb.getAttribute("aria-disabled") !== "true")?.click());
    onSubmit(this.wordsForm, () => void this.#sendWords());
  }

  async #sendWords() {
    const words = this.words.value.trim();
    if (!words || !this.lineTemplate) return;
    if ((await this.say(fillLine(this.lineTemplate, { words }))) !== false) this.words.value = "";
  }

  /** @param {BookableWager[]} book @param {string | null} lineTemplate @param {string} player */
  show(book, lineTemplate, player) {
    this.book = book;
    this.lineTemplate = lineTemplate ?? "";
    this.form.hidden = this.wordsForm.hidden = !lineTemplate;
    this.who.textContent = lineTemplate ? `For ${showName(player)}` : "Nobody is here whose bets you book.";
    const choices = book.map((item) => ({ value: item.wager, text: item.offers.length > 1 ? `${item.name} (up)` : item.name }));
    drawIfChanged(this.wager, choices, () => {
      const selected = this.wager.value;
      setChildren(this.wager, choices.map((choice) => makeElement("option", choice)));
      if (book.some((item) => item.wager === selected)) this.wager.value = selected;
    });
    this.#showWager(false);
  }

  /** Choose the wager of a felt cell. Return false if it cannot be booked here. @param {string} slug */
  choose(slug) {
    if (!this.book.some((item) => item.wager === slug)) return false;
    this.wager.value = slug;
    this.#showWager(true);
    return true;
  }

  /** @param {boolean} reset */
  #showWager(reset) {
    const item = this.book.find((booked) => booked.wager === this.wager.value);
    const open = item?.offers.find((offer) => !offer.bar && offer.fields.length);
    if (open && (reset || !this.amount.value)) this.amount.value = formatAmount(parseCents(open.fields[0].value ?? "0"));
    const field = open?.fields[0];
    const bar = item?.offers.find((offer) => offer.bar)?.bar;
    document.querySelectorAll("#felt [data-slug]").forEach((cell) => {
      cell.classList.toggle("booking", /** @type {HTMLElement} */ (cell).dataset.slug === item?.wager);
    });
    const offers = item?.offers ?? [];
    drawIfChanged(this.verbs, offers, () => {
      this.limits.textContent = field ? `${formatDollars(field.least ?? "0")} to ${formatDollars(field.most ?? "0")}` : bar ? describeBar(bar) : "";
      setChildren(this.verbs, offers.map((offer) => this.#makeVerb(offer)));
    });
  }

  /** @param {Offer} offer */
  #makeVerb(offer) {
    const send = () => void (offer.bar || this.say(fillLine(offer.line, { amount: this.amount.value.trim().replace(/^\$/, "") })));
    return makeElement("button", { type: "button", text: offer.label, "aria-disabled": String(offer.bar !== null), title: offer.bar ? describeBar(offer.bar) : "", click: send });
  }

  /** Add chips to the amount, within the wager's limits. @param {number} more */
  add(more) {
    const item = this.book.find((booked) => booked.wager === this.wager.value);
    const field = item?.offers.find((offer) => !offer.bar && offer.fields.length)?.fields[0];
    const wanted = parseCents(this.amount.value || "0") + more;
    const { least = "0", most = "0", step = "0" } = field ?? {};
    this.amount.value = formatAmount(field ? roundToLimits(wanted, { least, most, step }, Math.round) : wanted);
  }
}

const NAMES = ["First die", "Second die"];

/** Two groups of six buttons, one for each die. */
class DicePad {
  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    /** @type {number[]} */
    this.chosen = [0, 0];
    this.place = makeElement("div", { class: "dice-pad" });
    this.groups = NAMES.map((name, at) => this.#makeGroup(name, at));
    this.place.append(...this.groups);
  }

  /** The two chosen faces, or an empty list until both are chosen. */
  get faces() {
    return this.chosen.every(Boolean) ? this.chosen : [];
  }

  /** @param {string} name @param {number} at */
  #makeGroup(name, at) {
    const keys = [1, 2, 3, 4, 5, 6].map((face) =>
      makeElement("button", { type: "button", "aria-label": `${name} ${face}`, "aria-pressed": "false", click: () => this.choose(at, face) }, makeDie(face)),
    );
    return makeElement("fieldset", {}, makeElement("legend", { text: name }), ...keys);
  }

  /** @param {number} at @param {number} face */
  choose(at, face) {
    this.chosen[at] = face;
    this.groups.forEach((group, n) => {
      group.querySelectorAll("button").forEach((key, shows) => key.setAttribute("aria-pressed", String(this.chosen[n] === shows + 1)));
    });
    this.changed();
  }

  /** Choose a face by key: the first die, then the second. A third key starts again. @param {number} face */
  type(face) {
    if (this.faces.length) this.clear();
    this.choose(this.chosen[0] ? 1 : 0, face);
  }

  clear() {
    this.choose(0, 0);
    this.choose(1, 0);
  }

  /** Move the focus to the die that is not chosen yet. */
  focusMissing() {
    this.groups[this.chosen[0] ? 1 : 0].querySelector("button")?.focus();
  }
}
