// @ts-check
/** The details of a wager: what it is, what it pays, the house edge, limits and clauses. They are shown
 * beside the felt while a spot has the pointer or the focus, and in a dialog after a long press. */

import { byId, clauseLink, clauseSuffix, makeButton, makeElement, redraw } from "./dom.js";
import { describeEdge, formatDollars } from "./money.js";

/** The details beside the felt, the tooltip and the dialog. */
export class BetDetails {
  /** @type {Promise<Map<string, any>> | null} */
  #wagersRequest = null;
  #slug = "";

  /** @param {import("./table.js").TablePage} page */
  constructor(page) {
    this.page = page;
    this.sheet = /** @type {HTMLDialogElement} */ (byId("sheet"));
    this.sheet.addEventListener("pointerdown", (event) => {
      if (event.target === this.sheet) this.sheet.close();
    });
  }

  /** Return the facts of every wager by slug. They are requested once; after an error the next call tries
   * again. */
  async loadWagers() {
    this.#wagersRequest ??= this.page.api.get("/wagers").then(
      (describe) => new Map(describe.wagers.map((/** @type {any} */ item) => [item.slug, item])),
      () => {
        this.#wagersRequest = null;
        return new Map();
      },
    );
    return this.#wagersRequest;
  }

  /** @param {string} slug */
  show(slug) {
    this.setTipShown(true);
    if (slug === this.#slug) return;
    this.#slug = slug;
    byId("tip").replaceChildren(makeElement("h3", {}, this.page.wagerName(slug)));
    void this.#render(slug);
  }

  /** Show or hide the tooltip. It lies over the end of the felt that this player does not use, if that is
   * in view. @param {boolean} on */
  setTipShown(on) {
    byId("tip").hidden = !on || !this.page.felt.showsOtherEnd;
    byId("tip").dataset.side = (this.page.state?.seat?.end ?? this.page.state?.watched) === "right" ? "right" : "left";
  }

  /** Redraw the details of the current spot after a change of the table. */
  refresh() {
    if (this.#slug) void this.#render(this.#slug);
  }

  /** @param {string} slug */
  async #render(slug) {
    const wagers = await this.loadWagers();
    if (slug !== this.#slug) return;
    byId("spot-name").textContent = this.page.wagerName(slug);
    const parts = [...this.describe(slug, wagers.get(slug)), this.page.myBets.actionButtons(slug)];
    redraw(byId("spot-told"), () => byId("spot-told").replaceChildren(...parts));
    byId("tip").replaceChildren(makeElement("h3", {}, this.page.wagerName(slug)), ...this.describe(slug, wagers.get(slug)));
    byId("tip").querySelectorAll("a").forEach((link) => link.replaceWith(...link.childNodes));
  }

  /** @param {string} slug @param {any} row */
  describe(slug, row) {
    const option = this.page.bets.option(slug);
    const parts = [];
    if (row) {
      parts.push(makeElement("p", {}, row.what));
      const worth = row.edge === null ? "" : `, house edge ${describeEdge(row.edge, row.edge_percent)}`;
      parts.push(makeElement("p", {}, `Pays ${row.pays}${worth}.`));
    }
    if (option && "bar" in option) {
      parts.push(makeElement("p", { class: "barred" }, `Not now: ${option.bar.reason}`, ...clauseSuffix(this.page.state.rulebook, option.bar.cite), "."));
    }
    const limits = option && !("bar" in option) ? option : row;
    if (limits) parts.push(makeElement("p", {}, `From ${formatDollars(limits.least)} to ${formatDollars(limits.most)}.`));
    if (row) {
      const cites = row.cite.slice(0, 3).flatMap((/** @type {string} */ cite, /** @type {number} */ n) => [n ? ", " : "", clauseLink(row.book, cite)]);
      const isCustom = row.cite.every((/** @type {string} */ cite) => cite.startsWith("custom"));
      parts.push(makeElement("p", { class: "cites" }, isCustom ? "By " : row.cite.length > 1 ? "Clauses " : "Clause ", ...cites, row.cite.length > 3 ? " and others" : ""));
    }
    return parts;
  }

  /** Open the dialog of a spot with everything that may be done there. For a number, it offers all wagers
   * on that number. @param {string} slug */
  async openSheetFor(slug) {
    const wagers = await this.loadWagers();
    const title = makeElement("h2", { id: "sheet-title" }, this.page.wagerName(slug));
    const close = makeButton("Close", () => this.sheet.close());
    const own = makeElement("div", { class: "offers" }, this.#betButton(slug), this.page.myBets.actionButtons(slug));
    const parts = [title, ...this.describe(slug, wagers.get(slug)), own];
    const column = this.page.felt.column(slug).filter((target) => target.slug !== slug && this.page.bets.canBet(target.slug));
    if (column.length) {
      const number = this.page.felt.cells.get(slug)?.target.number;
      parts.push(makeElement("h3", {}, `All on the ${number}`), makeElement("div", { class: "offers" }, ...column.map((target) => this.#betButton(target.slug))));
    }
    this.openSheet(...parts, close);
  }

  /** @param {string} slug */
  #betButton(slug) {
    const { bets } = this.page;
    if (!bets.canBet(slug) || bets.nextAmount(slug) <= 0) return makeElement("span");
    const words = bets.offer(slug)?.words ?? "";
    const bet = () => {
      this.sheet.close();
      void bets.bet(slug);
    };
    return makeButton(words, bet, `Bet ${words}`);
  }

  /** @param {...Node} children */
  openSheet(...children) {
    this.sheet.replaceChildren(...children);
    if (!this.sheet.open) this.sheet.showModal();
  }
}
