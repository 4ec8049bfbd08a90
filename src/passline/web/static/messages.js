// @ts-check
/** What went wrong, and what would be allowed: words in the alert, offers as buttons beside it. */

import { TableError } from "./api.js";
import { byId, clauseLink, makeButton, makeElement } from "./dom.js";

/**
 * @typedef {{reason: string, cite: string | null, allowed?: string[], first?: string}} Bar
 */

export class Messages {
  /** @param {import("./table.js").TablePage} page */
  constructor(page) {
    this.page = page;
  }

  clear() {
    byId("alert").replaceChildren();
    byId("offers").replaceChildren();
    byId("note").textContent = "";
  }

  /** @param {string} words */
  showNote(words) {
    byId("note").textContent = words;
  }

  /** @param {string} words @param {string} [cite] */
  showAlert(words, cite = "") {
    const book = this.page.state?.rulebook ?? "";
    byId("alert").replaceChildren(words.charAt(0).toUpperCase() + words.slice(1), ...(cite ? [" (", clauseLink(book, cite), ")"] : []));
    byId("offers").replaceChildren();
    byId("note").textContent = "";
  }

  /** Why something may not be done. @param {Bar} bar */
  showBar(bar) {
    this.showAlert(bar.reason, bar.cite ?? "");
    this.addOffers(bar.allowed ?? []);
    const first = bar.first ? this.page.felt.cells.get(bar.first)?.target : undefined;
    if (first && this.page.bets.canBet(first.slug)) {
      byId("offers").append(makeButton(`Bet ${first.name}`, () => void this.page.bets.bet(first.slug)));
    }
  }

  /** @param {string[]} lines */
  addOffers(lines) {
    for (const say of lines.slice(0, 6)) {
      if (/^buy in /.test(say) && !this.page.state?.buys) continue;
      byId("offers").append(makeButton(this.page.worded(say), () => void this.page.bets.say(say)));
    }
  }

  /** What came of a line. @param {any} answer @returns {boolean} whether anything was taken */
  showResult(answer) {
    const refusals = answer.entries.filter((/** @type {any} */ e) => e.refusal).map((/** @type {any} */ e) => e.refusal);
    if (refusals.length) {
      this.showAlert(refusals.map((/** @type {Bar} */ r) => r.reason).join("; "), refusals[0].cite ?? "");
      this.addOffers(answer.allowed ?? []);
    }
    return refusals.length < answer.entries.length;
  }

  /** @param {unknown} error @param {string} [line] what was said */
  showError(error, line = "") {
    if (!(error instanceof TableError)) {
      this.page.updates.connectionLost();
      return;
    }
    if (error.nearest) {
      this.showAlert(`"${line}" was not understood. Did you mean "${error.nearest}"?`);
      this.addOffers([error.nearest]);
    } else if (error.plain) this.#showNotUnderstood(line, error.understood);
    else this.showAlert(`${error.message}.`, error.cite);
  }

  /** Words that mean nothing here, and what one could say. @param {string} line @param {string[]} heard */
  #showNotUnderstood(line, heard) {
    const part_ = heard.length > 0 && heard.join(" ") !== line;
    const known = part_ ? ` (only ${heard.map((word) => `"${word}"`).join(", ")})` : "";
    this.showAlert(`"${line}" was not understood${known}. Say it like "ten on the line", "place the six for 12" or "take down the six". `);
    byId("alert").append(makeElement("a", { href: "/docs/talk" }, "What one can say"));
  }
}
