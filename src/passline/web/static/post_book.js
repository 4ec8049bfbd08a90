// @ts-check
/** Players, and what is booked for the one who was picked: by a cell of the felt, a list, or words. */

import { cents, said } from "./money.js";
import { barWords, make, money, put, Rows } from "./post_dom.js";
import { filled, fits } from "./post_forms.js";

/**
 * @typedef {import("./post_dom.js").Offer} Offer
 * @typedef {import("./post_dom.js").Say} Say
 * @typedef {{wager: string, name: string, amount: string, working: boolean}} Up
 * @typedef {{name: string, place: number, end: string, here: boolean, own: boolean, shoots: boolean, rail: string,
 *   bought_in: string, wagers: Up[]}} Player
 * @typedef {{wager: string, name: string, offers: Offer[]}} Booked
 */

/** What is up, in words. @param {Up} up */
export const upWords = (up) => `${up.name} ${money(up.amount)}${up.working ? "" : ", off"}`;

export class Players {
  /** @param {HTMLElement} place @param {(name: string) => void} pick @param {boolean} picks */
  constructor(place, pick, picks) {
    this.picked = "";
    this.picks = picks;
    this.none = make("p", { text: "Nobody is here yet." });
    this.list = make("div", { class: "players", role: picks ? "radiogroup" : "list", "aria-label": "Players" });
    place.append(this.none, this.list);
    this.list.addEventListener("change", (event) => pick(/** @type {HTMLInputElement} */ (event.target).value));
    /** @type {Rows<Player>} */
    this.rows = new Rows(this.list, (one) => one.name, (one) => this.#row(one), (row, one) => this.#tell(row, one));
  }

  /** @param {Player[]} players @param {string} picked */
  show(players, picked) {
    this.picked = picked;
    const seen = players.filter((one) => (one.here || one.wagers.length) && (one.own || !this.picks));
    this.none.hidden = seen.length > 0;
    this.rows.show(seen);
  }

  /** @param {Player} one */
  #row(one) {
    const told = make("span", { class: "told-player" });
    if (!this.picks) return make("div", { class: "player", role: "listitem" }, told);
    return make("label", { class: "player" }, make("input", { type: "radio", name: "post-player", value: one.name }), told);
  }

  /** @param {HTMLElement} row @param {Player} one */
  #tell(row, one) {
    const radio = row.querySelector("input");
    if (radio) radio.checked = one.name === this.picked;
    const told = /** @type {HTMLElement} */ (row.querySelector(".told-player"));
    const words = JSON.stringify(one);
    if (told.dataset.told === words) return;
    told.dataset.told = words;
    const marks = [one.shoots ? "shoots" : "", one.here ? "" : "has left"].filter(Boolean).join(", ");
    put(told, [
      make("b", { text: one.name }),
      make("span", { class: "rail", text: money(one.rail) }),
      make("small", { text: [`place ${one.place}, ${one.end} end`, marks].filter(Boolean).join(" · ") }),
      make("small", { class: "up", text: one.wagers.map(upWords).join(" · ") || "nothing up" }),
    ]);
  }
}

export class Booking {
  /** @param {HTMLElement} place @param {Say} say */
  constructor(place, say) {
    this.say = say;
    /** @type {Booked[]} */
    this.book = [];
    this.says = "";
    this.who = make("p", { class: "who", role: "status" });
    this.wager = /** @type {HTMLSelectElement} */ (make("select", { name: "wager" }));
    this.amount = /** @type {HTMLInputElement} */ (make("input", { type: "text", inputmode: "decimal", name: "amount", autocomplete: "off" }));
    this.verbs = make("div", { class: "verbs" });
    this.limits = make("p", { class: "why" });
    this.words = /** @type {HTMLInputElement} */ (make("input", { type: "text", autocomplete: "off", maxlength: "500", placeholder: "yo for 5" }));
    const label = (/** @type {string} */ text, /** @type {HTMLElement} */ input, class_ = "") => make("label", { class: class_ }, make("span", { text }), input);
    this.form = make("form", { class: "booking", novalidate: true }, label("Wager", this.wager, "choice"), label("Amount", this.amount, "money"), this.verbs, this.limits);
    this.talk = make("form", { class: "talk" }, label("In words", this.words), make("button", { type: "submit", text: "Book it" }));
    place.append(this.who, this.form, this.talk);
    this.wager.addEventListener("change", () => this.#chosen(true));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const first = /** @type {HTMLElement | null} */ (this.verbs.querySelector("button:not([aria-disabled=true])"));
      first?.click();
    });
    this.talk.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#talk();
    });
  }

  async #talk() {
    const words = this.words.value.trim();
    if (!words || !this.says) return;
    if ((await this.say(filled(this.says, { words }))) !== false) this.words.value = "";
  }

  /** @param {Booked[]} book @param {string | null} says @param {string} player */
  show(book, says, player) {
    this.book = book;
    this.says = says ?? "";
    this.form.hidden = this.talk.hidden = !says;
    this.who.textContent = says ? `For ${player}` : "Nobody here whose wagers are yours to book.";
    const told = book.map((one) => `${one.wager} ${one.offers.length}`).join();
    if (this.wager.dataset.told !== told) {
      const kept = this.wager.value;
      this.wager.dataset.told = told;
      put(this.wager, book.map((one) => make("option", { value: one.wager, text: one.offers.length > 1 ? `${one.name} (up)` : one.name })));
      if (book.some((one) => one.wager === kept)) this.wager.value = kept;
    }
    this.#chosen(false);
  }

  /** A cell of the felt was pressed: whether its wager can be booked here. @param {string} slug */
  choose(slug) {
    if (!this.book.some((one) => one.wager === slug)) return false;
    this.wager.value = slug;
    this.#chosen(true);
    return true;
  }

  /** @param {boolean} anew */
  #chosen(anew) {
    const one = this.book.find((booked) => booked.wager === this.wager.value);
    const open = one?.offers.find((offer) => !offer.bar && offer.fields.length);
    if (open && (anew || !this.amount.value)) this.amount.value = said(cents(open.fields[0].value ?? "0"));
    const field = open?.fields[0];
    const bars = one?.offers.filter((offer) => offer.bar) ?? [];
    document.querySelectorAll("#felt [data-slug]").forEach((cell) => {
      cell.classList.toggle("booking", /** @type {HTMLElement} */ (cell).dataset.slug === one?.wager);
    });
    const told = JSON.stringify(one?.offers ?? []);
    if (this.verbs.dataset.told === told) return;
    this.verbs.dataset.told = told;
    this.limits.textContent = field ? `${money(field.least ?? "0")} to ${money(field.most ?? "0")}` : bars[0]?.bar ? barWords(bars[0].bar) : "";
    put(this.verbs, (one?.offers ?? []).map((offer) => this.#verb(offer)));
  }

  /** @param {Offer} offer */
  #verb(offer) {
    const verb = make("button", { type: "button", text: offer.label, "aria-disabled": String(offer.bar !== null), title: offer.bar ? barWords(offer.bar) : "" });
    verb.addEventListener("click", () => {
      if (offer.bar) return;
      void this.say(filled(offer.line, { amount: this.amount.value.trim().replace(/^\$/, "") }));
    });
    return verb;
  }

  /** Chips added to the amount, as far as the wager takes them. @param {number} more */
  add(more) {
    const one = this.book.find((booked) => booked.wager === this.wager.value);
    const field = one?.offers.find((offer) => !offer.bar && offer.fields.length)?.fields[0];
    const wanted = cents(this.amount.value || "0") + more;
    this.amount.value = said(field ? fits(field, wanted) : wanted);
  }
}
