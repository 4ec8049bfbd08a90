// @ts-check
/** What went wrong, and what would be allowed: words in the alert, offers as buttons beside it. */

import { TableError } from "./api.js";
import { clause, made, part, press } from "./dom.js";

/**
 * @typedef {{reason: string, cite: string | null, allowed?: string[], first?: string}} Bar
 */

export class Telling {
  /** @param {import("./table.js").TablePage} page */
  constructor(page) {
    this.page = page;
  }

  clear() {
    part("alert").replaceChildren();
    part("offers").replaceChildren();
    part("note").textContent = "";
  }

  /** @param {string} words */
  note(words) {
    part("note").textContent = words;
  }

  /** @param {string} words @param {string} [cite] */
  tell(words, cite = "") {
    const book = this.page.sight?.rulebook ?? "";
    part("alert").replaceChildren(words.charAt(0).toUpperCase() + words.slice(1), ...(cite ? [" (", clause(book, cite), ")"] : []));
    part("offers").replaceChildren();
    part("note").textContent = "";
  }

  /** Why something may not be done. @param {Bar} bar */
  bar(bar) {
    this.tell(this.page.reasoned(bar.reason), bar.cite ?? "");
    this.offer(bar.allowed ?? []);
    const first = bar.first ? this.page.felt.cells.get(bar.first)?.target : undefined;
    if (first && this.page.betting.open(first.slug)) {
      part("offers").append(press(`Bet ${first.name}`, () => void this.page.betting.bet(first.slug)));
    }
  }

  /** @param {string[]} says */
  offer(says) {
    for (const say of says.slice(0, 6)) {
      if (/^buy in /.test(say) && !this.page.sight?.buys) continue;
      part("offers").append(press(this.page.worded(say), () => void this.page.betting.say(say)));
    }
  }

  /** What came of a line. @param {any} answer @returns {boolean} whether anything was taken */
  answered(answer) {
    const refusals = answer.entries.filter((/** @type {any} */ e) => e.refusal).map((/** @type {any} */ e) => e.refusal);
    if (refusals.length) {
      this.tell(refusals.map((/** @type {Bar} */ r) => this.page.reasoned(r.reason)).join("; "), refusals[0].cite ?? "");
      this.offer(answer.allowed ?? []);
    }
    return refusals.length < answer.entries.length;
  }

  /** @param {unknown} wrong @param {string} [line] what was said */
  refused(wrong, line = "") {
    if (!(wrong instanceof TableError)) {
      this.page.following.lost();
      return;
    }
    if (wrong.nearest) {
      this.tell(`"${line}" was not understood. Did you mean "${wrong.nearest}"?`);
      this.offer([wrong.nearest]);
    } else if (wrong.plain) this.#lost(line, wrong.understood);
    else this.tell(`${wrong.message}.`, wrong.cite);
  }

  /** Words that mean nothing here, and what one could say. @param {string} line @param {string[]} heard */
  #lost(line, heard) {
    const part_ = heard.length > 0 && heard.join(" ") !== line;
    const known = part_ ? ` (only ${heard.map((word) => `"${word}"`).join(", ")})` : "";
    this.tell(`"${line}" was not understood${known}. Say it like "ten on the line", "place the six for 12" or "take down the six". `);
    part("alert").append(made("a", { href: "/docs/talk" }, "What one can say"));
  }
}
