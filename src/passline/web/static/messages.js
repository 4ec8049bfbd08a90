// @ts-check
/** Messages to the player: refusals and errors in the alert, what would be allowed instead as buttons
 * beside it, and short notes. */

import { describeError, TableError } from "./api.js";
import { byId, clauseSuffix, makeButton, makeElement } from "./dom.js";

/**
 * @typedef {{reason: string, cite: string | null, offers?: Offer[], first?: string}} Bar why something is not allowed; `first`: the wager that must come first
 * @typedef {{say: string, words: string, buys_in?: boolean}} Offer a line that would be accepted, and its words for a button
 */

const MAX_OFFERS = 6;
/** Milliseconds that an alert and a note stay. */
const ALERT_MS = 15_000;
const NOTE_MS = 6_000;

/** The alert, its offers, and the note. They lie over the page and go by themselves. */
export class Messages {
  /** @type {number | undefined} */
  #timer = undefined;
  #correction = 0;

  /** @param {import("./table.js").TablePage} page */
  constructor(page) {
    this.page = page;
    this.place = /** @type {HTMLElement} */ (byId("alert").parentElement);
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.clear());
  }

  /** Remove the messages after a while, unless somebody points at them or has the focus on them. @param {number} wait */
  #removeLater(wait) {
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => {
      if (this.place.matches(":hover, :focus-within")) this.#removeLater(wait);
      else this.clear();
    }, wait);
  }

  clear() {
    window.clearTimeout(this.#timer);
    byId("alert").replaceChildren();
    byId("offers").replaceChildren();
    byId("note").textContent = "";
  }

  /** @param {string} words */
  showNote(words) {
    byId("note").textContent = words;
    if (!byId("alert").hasChildNodes()) this.#removeLater(NOTE_MS);
  }

  /** @param {string} words @param {string} [cite] */
  showAlert(words, cite = "") {
    const book = this.page.state?.rulebook ?? "";
    byId("alert").replaceChildren(words.charAt(0).toUpperCase() + words.slice(1), ...clauseSuffix(book, cite));
    byId("offers").replaceChildren();
    byId("note").textContent = "";
    this.#removeLater(ALERT_MS);
  }

  /** Tell a player once what no longer holds after a throw was corrected. @param {any} state */
  showCorrection({ corrected, last }) {
    if (!corrected || corrected.seq === this.#correction) return;
    this.#correction = corrected.seq;
    const lost = corrected.dropped.map((/** @type {{words: string, reason: string}} */ one) => `${one.words} (${one.reason})`);
    this.showAlert(`${last?.corrected ?? "The throw was corrected."} No longer up: ${lost.join("; ")}. Bet again if you want to.`);
  }

  /** Show why something is not allowed, and what is. @param {Bar} bar */
  showBar(bar) {
    this.showAlert(bar.reason, bar.cite ?? "");
    this.addOffers(bar.offers ?? []);
    const first = bar.first ? this.page.felt.cells.get(bar.first)?.target : undefined;
    if (first && this.page.bets.canBet(first.slug)) {
      byId("offers").append(makeButton(`Bet ${first.name}`, () => void this.page.bets.bet(first.slug)));
    }
  }

  /** @param {Offer[]} offers */
  addOffers(offers) {
    const usable = offers.filter((offer) => !offer.buys_in || this.page.state?.buys);
    for (const { say, words } of usable.slice(0, MAX_OFFERS)) {
      byId("offers").append(makeButton(words, () => void this.page.bets.say(say)));
    }
  }

  /** Show the refusals in a reply. @param {any} answer @returns {boolean} whether anything was taken */
  showResult(answer) {
    const refusals = answer.entries.filter((/** @type {any} */ e) => e.refusal).map((/** @type {any} */ e) => e.refusal);
    if (refusals.length) {
      const reasons = new Set(refusals.map((/** @type {Bar} */ r) => r.reason)); // Bets of a group are often refused for one reason.
      this.showAlert([...reasons].join("; "), refusals[0].cite ?? "");
      this.addOffers(answer.offers ?? []);
    }
    return refusals.length < answer.entries.length;
  }

  /** @param {unknown} error @param {string} [line] what was said */
  showError(error, line = "") {
    if (!(error instanceof TableError) || error.status === 0) {
      this.page.updates.connectionLost();
      return;
    }
    if (error.nearest) {
      this.showAlert(`"${line}" was not understood. Did you mean "${error.nearest}"?`);
      this.addOffers([{ say: error.nearest, words: error.nearest }]);
    } else if (error.plain) this.#showNotUnderstood(line, error.understood);
    else this.showAlert(describeError(error), error.cite);
  }

  /** Show that a line was not understood, with examples. @param {string} line @param {string[]} understood */
  #showNotUnderstood(line, understood) {
    const partly = understood.length > 0 && understood.join(" ") !== line;
    const known = partly ? ` (only ${understood.map((word) => `"${word}"`).join(", ")})` : "";
    this.showAlert(`"${line}" was not understood${known}. Try "ten on the line", "place the six for 12" or "take down the six". `);
    byId("alert").append(makeElement("a", { href: "/docs/talk" }, "What you can say"));
  }
}
