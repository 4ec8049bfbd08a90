// @ts-check
/** What a spot is, what it pays and is worth, and what may be done there: beside the felt, and in a
 * sheet after a long press. */

import { clause, made, part, press, redrawn } from "./dom.js";
import { cents, shown } from "./money.js";

export class Spots {
  /** @type {Promise<Map<string, any>> | null} */
  #asked = null;
  #looked = "";

  /** @param {import("./table.js").TablePage} page */
  constructor(page) {
    this.page = page;
    this.sheet = /** @type {HTMLDialogElement} */ (part("sheet"));
    this.sheet.addEventListener("pointerdown", (event) => {
      if (event.target === this.sheet) this.sheet.close();
    });
  }

  /** What every wager is and is worth: asked for once, by whoever looks first. */
  async worth() {
    this.#asked ??= this.page.api.get("/wagers").then(
      (told) => new Map(told.wagers.map((/** @type {any} */ one) => [one.slug, one])),
      () => {
        this.#asked = null;
        return new Map();
      },
    );
    return this.#asked;
  }

  /** @param {string} slug */
  look(slug) {
    this.tip(true);
    if (slug === this.#looked) return;
    this.#looked = slug;
    part("tip").replaceChildren(made("h3", {}, this.page.name(slug)));
    void this.#show(slug);
  }

  /** Beside what is looked at, over the other end of the felt. @param {boolean} on */
  tip(on) {
    part("tip").hidden = !on;
    part("tip").dataset.side = (this.page.sight?.seat?.end ?? this.page.sight?.watched) === "right" ? "right" : "left";
  }

  /** Show again what is looked at: something changed. */
  again() {
    if (this.#looked) void this.#show(this.#looked);
  }

  /** @param {string} slug */
  async #show(slug) {
    const worth = await this.worth();
    if (slug !== this.#looked) return;
    part("spot-name").textContent = this.page.name(slug);
    const told = [...this.told(slug, worth.get(slug)), this.page.mine.acts(slug)];
    redrawn(part("spot-told"), () => part("spot-told").replaceChildren(...told));
    part("tip").replaceChildren(made("h3", {}, this.page.name(slug)), ...this.told(slug, worth.get(slug)));
    part("tip").querySelectorAll("a").forEach((link) => link.replaceWith(...link.childNodes));
  }

  /** @param {string} slug @param {any} row */
  told(slug, row) {
    const option = this.page.betting.option(slug);
    const parts = [];
    if (row) {
      parts.push(made("p", {}, row.what));
      const worth = row.edge === null ? "" : `, house edge ${row.edge === "0" ? "none: it pays true odds" : `${row.edge}, ${row.edge_percent}`}`;
      parts.push(made("p", {}, `Pays ${row.pays}${worth}.`));
    }
    if (option && "bar" in option) {
      parts.push(made("p", { class: "barred" }, `Not now: ${this.page.reasoned(option.bar.reason)} (`, clause(this.page.sight.rulebook, option.bar.cite ?? ""), ")."));
    }
    const limits = option && !("bar" in option) ? option : row;
    if (limits) parts.push(made("p", {}, `From ${shown(cents(limits.least))} to ${shown(cents(limits.most))}.`));
    if (row) {
      const cites = row.cite.slice(0, 3).flatMap((/** @type {string} */ cite) => [clause(row.book, cite), " "]);
      parts.push(made("p", { class: "cites" }, "Clause ", ...cites));
    }
    return parts;
  }

  /** Everything that may be done at a spot; on a number, at all of its wagers. @param {string} slug */
  async more(slug) {
    const worth = await this.worth();
    const title = made("h2", { id: "sheet-title" }, this.page.name(slug));
    const close = press("Close", () => this.sheet.close());
    const own = made("div", { class: "offers" }, this.#bet(slug), this.page.mine.acts(slug));
    const parts = [title, ...this.told(slug, worth.get(slug)), own];
    const column = this.page.felt.column(slug).filter((target) => target.slug !== slug && this.page.betting.open(target.slug));
    if (column.length) {
      const number = this.page.felt.cells.get(slug)?.target.number;
      parts.push(made("h3", {}, `All on the ${number}`), made("div", { class: "offers" }, ...column.map((target) => this.#bet(target.slug))));
    }
    this.open(...parts, close);
  }

  /** @param {string} slug */
  #bet(slug) {
    const { betting } = this.page;
    if (!betting.open(slug)) return made("span");
    const words = `${this.page.name(slug)} ${shown(betting.next(slug))}`;
    const bet = () => {
      this.sheet.close();
      void betting.bet(slug);
    };
    return press(words, bet, `Bet ${words}`);
  }

  /** @param {...Node} inner */
  open(...inner) {
    this.sheet.replaceChildren(...inner);
    if (!this.sheet.open) this.sheet.showModal();
  }
}
