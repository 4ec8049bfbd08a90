// @ts-check
/** The table without a picture: every wager in tables, with an amount to bet. */

import { clause, made, part, press, redrawn } from "./dom.js";
import { cents, said, shown } from "./money.js";

export class TextMode {
  #drawn = "";

  /** @param {import("./table.js").TablePage} page @param {Map<string, any>} worth */
  constructor(page, worth) {
    this.page = page;
    this.worth = worth;
    this.place = part("text");
    /** @type {Map<string, HTMLInputElement>} */
    this.fields = new Map();
  }

  /** @param {any} sight */
  saw(sight) {
    const key = JSON.stringify([sight.may, sight.players, sight.puck]);
    if (key === this.#drawn) return;
    this.#drawn = key;
    const amounts = new Map([...this.fields].map(([slug, field]) => [slug, field.value]));
    this.fields.clear();
    const rows = this.page.drawn?.rows ?? [];
    const others = sight.players.filter((/** @type {any} */ p) => p.wagers.length && p.name !== sight.me);
    const parts = [
      made("p", {}, this.#state(sight)),
      ...(others.length ? [this.#others(others)] : []),
      ...rows.map((/** @type {any} */ row) => this.#table(row, amounts)),
    ];
    redrawn(this.place, () => this.place.replaceChildren(...parts));
  }

  /** @param {any} sight */
  #state(sight) {
    const puck = sight.puck ? `The puck is on ${sight.puck}.` : "The puck is off.";
    const dice = sight.shooter ? `${sight.shooter} shoots.` : "Nobody has the dice.";
    const last = sight.last ? `The last throw was ${sight.last.dice.join(" and ")}: ${sight.last.call}.` : "No throw yet.";
    return `${puck} ${dice} ${last}`;
  }

  /** @param {any[]} players */
  #others(players) {
    const items = players.map((player) => {
      const up = player.wagers.map((/** @type {any} */ w) => `${this.page.name(w.wager)} ${shown(cents(w.amount))}${w.working ? "" : " (off)"}`);
      return made("li", {}, `${player.name}: ${up.join(", ")}`);
    });
    return made("section", {}, made("h2", {}, "The others' wagers"), made("ul", {}, ...items));
  }

  /** @param {{name: string, cells: any[]}} row @param {Map<string, string>} amounts */
  #table(row, amounts) {
    const heads = ["Wager", "You have", "Pays", "House edge", "Takes", "Bet in all"].map((head) => made("th", { scope: "col" }, head));
    const own = new Set(this.page.own().map((wager) => wager.wager));
    const here = row.cells.filter(({ slug }) => own.has(slug) || this.page.betting.open(slug));
    const body = made("tbody", {}, ...here.map((target) => this.#row(target, amounts.get(target.slug))));
    const table = made("table", {}, made("caption", {}, row.name), made("thead", {}, made("tr", {}, ...heads)), body);
    const parts = here.length ? [made("div", { class: "scroll", role: "group", tabindex: "0", "aria-label": row.name }, table)] : [made("h2", {}, row.name)];
    return made("section", { "aria-label": row.name }, ...parts, this.#barred(row.cells.filter((target) => !here.includes(target))));
  }

  /** What may not be bet now, and why. @param {any[]} targets */
  #barred(targets) {
    if (!targets.length) return made("span");
    const items = targets.map(({ slug, name, pays }) => {
      const bar = this.page.betting.option(slug)?.bar;
      const worth = this.worth.get(slug);
      const told = worth?.edge ? `, house edge ${worth.edge} (${worth.edge_percent})` : "";
      const why = bar ? [`; ${this.page.reasoned(bar.reason)} (`, clause(this.page.sight.rulebook, bar.cite ?? ""), ")"] : [];
      return made("li", {}, `${name}: pays ${worth?.pays ?? pays.join(", ")}${told}`, ...why);
    });
    return made("details", {}, made("summary", {}, `Not now: ${targets.length}`), made("ul", {}, ...items));
  }

  /** @param {any} target @param {string | undefined} amount */
  #row(target, amount) {
    const { slug, name } = target;
    const row = this.worth.get(slug);
    const own = this.page.own().find((wager) => wager.wager === slug);
    const has = own ? `${shown(cents(own.amount))}${own.working ? "" : ", off"} ` : "";
    const option = this.page.betting.option(slug);
    const open = option && !("bar" in option);
    const limits = open ? `${shown(cents(option.least))} to ${shown(cents(option.most))}` : "";
    const barred = option && !open ? [this.page.reasoned(option.bar.reason), " (", clause(this.page.sight.rulebook, option.bar.cite ?? ""), ")"] : [];
    return made(
      "tr",
      {},
      made("th", { scope: "row" }, name),
      made("td", {}, has, this.page.mine.acts(slug)),
      made("td", {}, row?.pays ?? target.pays.join(", ")),
      made("td", {}, row?.edge ? `${row.edge} (${row.edge_percent})` : "with its flat"),
      made("td", {}, limits, ...barred),
      made("td", {}, ...(open ? this.#bet(slug, name, option, amount) : [])),
    );
  }

  /** @param {string} slug @param {string} name @param {any} option @param {string | undefined} amount */
  #bet(slug, name, option, amount) {
    const least = said(cents(option.least));
    const field = /** @type {HTMLInputElement} */ (made("input", { type: "text", inputmode: "decimal", "aria-label": `Amount for ${name}`, "data-act": `${slug} amount`, size: "6" }));
    field.value = amount ?? least;
    this.fields.set(slug, field);
    const bet = () => {
      const wanted = cents(field.value);
      if (!(wanted > 0)) return this.page.telling.tell(`${name} takes an amount, not "${field.value}".`);
      this.fields.delete(slug);
      return void this.page.betting.to(slug, wanted);
    };
    field.addEventListener("keydown", (event) => event.key === "Enter" && bet());
    const does = press("Bet", bet, `Bet on ${name}`);
    does.dataset.act = `${slug} bet`;
    return [field, " ", does];
  }
}
