// @ts-check
/** Players, and what is booked for the one who was picked: by a cell of the felt, a list, or words. */

import { parseCents, formatAmount } from "./money.js";
import { describeBar, makeOld, formatDollars, setChildren, KeyedList } from "./post_dom.js";
import { fillLine, roundToField } from "./post_forms.js";

/**
 * @typedef {import("./post_dom.js").Offer} Offer
 * @typedef {import("./post_dom.js").Say} Say
 * @typedef {{wager: string, name: string, amount: string, working: boolean}} OpenBet
 * @typedef {{name: string, place: number, end: string, here: boolean, own: boolean, shoots: boolean, rail: string,
 *   bought_in: string, wagers: OpenBet[]}} Player
 * @typedef {{wager: string, name: string, offers: Offer[]}} BookableWager
 */

/** What is up, in words. @param {OpenBet} up */
export const describeBet = (up) => `${up.name} ${formatDollars(up.amount)}${up.working ? "" : ", off"}`;

export class PlayerList {
  /** @param {HTMLElement} place @param {(name: string) => void} pick @param {boolean} canPick */
  constructor(place, pick, canPick) {
    this.picked = "";
    this.picks = canPick;
    this.none = makeOld("p", { text: "Nobody is here yet." });
    this.list = makeOld("div", { class: "players", role: canPick ? "radiogroup" : "list", "aria-label": "Players" });
    place.append(this.none, this.list);
    this.list.addEventListener("change", (event) => pick(/** @type {HTMLInputElement} */ (event.target).value));
    /** @type {KeyedList<Player>} */
    this.rows = new KeyedList(this.list, (one) => one.name, (one) => this.#makeRow(one), (row, one) => this.#updateRow(row, one));
  }

  /** @param {Player[]} players @param {string} picked */
  show(players, picked) {
    this.picked = picked;
    const seen = players.filter((one) => (one.here || one.wagers.length) && (one.own || !this.picks));
    this.none.hidden = seen.length > 0;
    this.rows.show(seen);
  }

  /** @param {Player} one */
  #makeRow(one) {
    const data = makeOld("span", { class: "told-player" });
    if (!this.picks) return makeOld("div", { class: "player", role: "listitem" }, data);
    return makeOld("label", { class: "player" }, makeOld("input", { type: "radio", name: "post-player", value: one.name }), data);
  }

  /** @param {HTMLElement} row @param {Player} one */
  #updateRow(row, one) {
    const radio = row.querySelector("input");
    if (radio) radio.checked = one.name === this.picked;
    const data = /** @type {HTMLElement} */ (row.querySelector(".told-player"));
    const words = JSON.stringify(one);
    if (data.dataset.told === words) return;
    data.dataset.told = words;
    const marks = [one.shoots ? "shoots" : "", one.here ? "" : "has left"].filter(Boolean).join(", ");
    setChildren(data, [
      makeOld("b", { text: one.name }),
      makeOld("span", { class: "rail", text: formatDollars(one.rail) }),
      makeOld("small", { text: [`place ${one.place}, ${one.end} end`, marks].filter(Boolean).join(" · ") }),
      makeOld("small", { class: "up", text: one.wagers.map(describeBet).join(" · ") || "nothing up" }),
    ]);
  }
}

export class BookingForm {
  /** @param {HTMLElement} place @param {Say} say */
  constructor(place, say) {
    this.say = say;
    /** @type {BookableWager[]} */
    this.book = [];
    this.says = "";
    this.who = makeOld("p", { class: "who", role: "status" });
    this.wager = /** @type {HTMLSelectElement} */ (makeOld("select", { name: "wager" }));
    this.amount = /** @type {HTMLInputElement} */ (makeOld("input", { type: "text", inputmode: "decimal", name: "amount", autocomplete: "off" }));
    this.verbs = makeOld("div", { class: "verbs" });
    this.limits = makeOld("p", { class: "why" });
    this.words = /** @type {HTMLInputElement} */ (makeOld("input", { type: "text", autocomplete: "off", maxlength: "500", placeholder: "yo for 5" }));
    const label = (/** @type {string} */ text, /** @type {HTMLElement} */ input, class_ = "") => makeOld("label", { class: class_ }, makeOld("span", { text }), input);
    this.form = makeOld("form", { class: "booking", novalidate: true }, label("Wager", this.wager, "choice"), label("Amount", this.amount, "money"), this.verbs, this.limits);
    this.wordsForm = makeOld("form", { class: "talk" }, label("In words", this.words), makeOld("button", { type: "submit", text: "Book it" }));
    place.append(this.who, this.form, this.wordsForm);
    this.wager.addEventListener("change", () => this.#showWager(true));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const first = /** @type {HTMLElement | null} */ (this.verbs.querySelector("button:not([aria-disabled=true])"));
      first?.click();
    });
    this.wordsForm.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#sendWords();
    });
  }

  async #sendWords() {
    const words = this.words.value.trim();
    if (!words || !this.says) return;
    if ((await this.say(fillLine(this.says, { words }))) !== false) this.words.value = "";
  }

  /** @param {BookableWager[]} book @param {string | null} lineTemplate @param {string} player */
  show(book, lineTemplate, player) {
    this.book = book;
    this.says = lineTemplate ?? "";
    this.form.hidden = this.wordsForm.hidden = !lineTemplate;
    this.who.textContent = lineTemplate ? `For ${player}` : "Nobody here whose wagers are yours to book.";
    const data = book.map((one) => `${one.wager} ${one.offers.length}`).join();
    if (this.wager.dataset.told !== data) {
      const kept = this.wager.value;
      this.wager.dataset.told = data;
      setChildren(this.wager, book.map((one) => makeOld("option", { value: one.wager, text: one.offers.length > 1 ? `${one.name} (up)` : one.name })));
      if (book.some((one) => one.wager === kept)) this.wager.value = kept;
    }
    this.#showWager(false);
  }

  /** A cell of the felt was pressed: whether its wager can be booked here. @param {string} slug */
  choose(slug) {
    if (!this.book.some((one) => one.wager === slug)) return false;
    this.wager.value = slug;
    this.#showWager(true);
    return true;
  }

  /** @param {boolean} anew */
  #showWager(anew) {
    const one = this.book.find((booked) => booked.wager === this.wager.value);
    const open = one?.offers.find((offer) => !offer.bar && offer.fields.length);
    if (open && (anew || !this.amount.value)) this.amount.value = formatAmount(parseCents(open.fields[0].value ?? "0"));
    const field = open?.fields[0];
    const bars = one?.offers.filter((offer) => offer.bar) ?? [];
    document.querySelectorAll("#felt [data-slug]").forEach((cell) => {
      cell.classList.toggle("booking", /** @type {HTMLElement} */ (cell).dataset.slug === one?.wager);
    });
    const data = JSON.stringify(one?.offers ?? []);
    if (this.verbs.dataset.told === data) return;
    this.verbs.dataset.told = data;
    this.limits.textContent = field ? `${formatDollars(field.least ?? "0")} to ${formatDollars(field.most ?? "0")}` : bars[0]?.bar ? describeBar(bars[0].bar) : "";
    setChildren(this.verbs, (one?.offers ?? []).map((offer) => this.#makeVerb(offer)));
  }

  /** @param {Offer} offer */
  #makeVerb(offer) {
    const verb = makeOld("button", { type: "button", text: offer.label, "aria-disabled": String(offer.bar !== null), title: offer.bar ? describeBar(offer.bar) : "" });
    verb.addEventListener("click", () => {
      if (offer.bar) return;
      void this.say(fillLine(offer.line, { amount: this.amount.value.trim().replace(/^\$/, "") }));
    });
    return verb;
  }

  /** Chips added to the amount, as far as the wager takes them. @param {number} more */
  add(more) {
    const one = this.book.find((booked) => booked.wager === this.wager.value);
    const field = one?.offers.find((offer) => !offer.bar && offer.fields.length)?.fields[0];
    const wanted = parseCents(this.amount.value || "0") + more;
    this.amount.value = formatAmount(field ? roundToField(field, wanted) : wanted);
  }
}
