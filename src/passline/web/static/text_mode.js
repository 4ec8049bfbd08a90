// @ts-check
/** Text mode: the table without a picture. Every wager is a row of a table, with an amount to bet. */

import { byId, clauseSuffix, makeButton, makeElement, makeTable, redraw, showName } from "./dom.js";
import { describeEdge, formatAmount, formatDollars, parseCents } from "./money.js";

/** The tables of text mode. */
export class TextMode {
  #shownKey = "";

  /** @param {import("./table.js").TablePage} page @param {Map<string, any>} wagers */
  constructor(page, wagers) {
    this.page = page;
    this.worth = wagers;
    this.place = byId("text");
    /** @type {Map<string, HTMLInputElement>} */
    this.fields = new Map();
  }

  /** @param {any} state */
  update(state) {
    const key = JSON.stringify([state.may, state.players, state.puck, state.shooter, state.last?.seq]);
    if (key === this.#shownKey) return;
    this.#shownKey = key;
    const amounts = new Map([...this.fields].map(([slug, field]) => [slug, field.value]));
    this.fields.clear();
    const rows = this.page.feltDrawing?.rows ?? [];
    const others = state.players.filter((/** @type {any} */ p) => p.wagers.length && p.name !== state.me);
    const parts = [
      makeElement("p", {}, this.#describeState(state)),
      ...(others.length ? [this.#makeOthers(others)] : []),
      ...rows.map((/** @type {any} */ row) => this.#makeTable(row, amounts)),
    ];
    redraw(this.place, () => this.place.replaceChildren(...parts));
  }

  /** @param {any} state */
  #describeState(state) {
    const puck = state.puck ? `The puck is on ${state.puck}.` : "The puck is off.";
    const dice = state.shooter ? `${showName(state.shooter)} shoots.` : state.automated ? "The machine throws." : "Nobody has the dice.";
    const last = state.last ? `The last throw was ${state.last.dice.join(" and ")}: ${state.last.call}.` : "No throw yet.";
    return `${puck} ${dice} ${last}`;
  }

  /** @param {any[]} players */
  #makeOthers(players) {
    const items = players.map((player) => {
      const up = player.wagers.map((/** @type {any} */ w) => `${this.page.wagerName(w.wager)} ${formatDollars(w.amount)}${w.working ? "" : " (off)"}`);
      return makeElement("li", {}, `${showName(player.name)}: ${up.join(", ")}`);
    });
    return makeElement("section", {}, makeElement("h2", {}, "The others' wagers"), makeElement("ul", {}, ...items));
  }

  /** @param {{name: string, cells: any[]}} row @param {Map<string, string>} amounts */
  #makeTable(row, amounts) {
    const own = new Set(this.page.ownWagers().map((wager) => wager.wager));
    const here = row.cells.filter(({ slug }) => own.has(slug) || this.page.bets.canBet(slug));
    const rows = here.map((target) => this.#makeRow(target, amounts.get(target.slug)));
    const headings = ["Wager", "You have", "Pays", "House edge", "Takes", "Bet in all"];
    const table = here.length ? makeTable(row.name, headings, rows, { captionShown: true }) : makeElement("h2", {}, row.name);
    return makeElement("section", { "aria-label": row.name }, table, this.#makeBarred(row.cells.filter((target) => !here.includes(target))));
  }

  /** Return the wagers that cannot be bet now, with the reasons. @param {any[]} targets */
  #makeBarred(targets) {
    if (!targets.length) return makeElement("span");
    const items = targets.map(({ slug, name, pays }) => {
      const bar = this.page.bets.option(slug)?.bar;
      const worth = this.worth.get(slug);
      const data = worth?.edge ? `, house edge ${describeEdge(worth.edge, worth.edge_percent)}` : "";
      const why = bar ? [`; ${bar.reason}`, ...clauseSuffix(this.page.state.rulebook, bar.cite)] : [];
      return makeElement("li", {}, `${name}: pays ${worth?.pays ?? pays.join(", ")}${data}`, ...why);
    });
    return makeElement("details", {}, makeElement("summary", {}, `Not now: ${targets.length}`), makeElement("ul", {}, ...items));
  }

  /** @param {any} target @param {string | undefined} amount */
  #makeRow(target, amount) {
    const { slug, name } = target;
    const row = this.worth.get(slug);
    const own = this.page.ownWagers().find((wager) => wager.wager === slug);
    const has = own ? `${formatDollars(own.amount)}${own.working ? "" : ", off"} ` : "";
    const option = this.page.bets.option(slug);
    const open = option && !("bar" in option);
    const limits = open ? `${formatDollars(option.least)} to ${formatDollars(option.most)}` : "";
    const barred = option && !open ? [option.bar.reason, ...clauseSuffix(this.page.state.rulebook, option.bar.cite)] : [];
    const join = (/** @type {(Node | string)[]} */ ...parts) => makeElement("span", {}, ...parts);
    return [
      name,
      own && join(has, this.page.myBets.actionButtons(slug)),
      row?.pays ?? target.pays.join(", "),
      row?.edge ? describeEdge(row.edge, row.edge_percent) : "with its flat",
      join(limits, ...barred),
      open && join(...this.#makeBetForm(slug, name, option, amount)),
    ];
  }

  /** @param {string} slug @param {string} name @param {any} option @param {string | undefined} amount */
  #makeBetForm(slug, name, option, amount) {
    const least = formatAmount(parseCents(option.least));
    const field = makeElement("input", { type: "text", inputmode: "decimal", "aria-label": `Amount for ${name}`, "data-act": `${slug} amount`, size: "6", value: amount ?? least });
    this.fields.set(slug, field);
    const bet = () => {
      const wanted = parseCents(field.value);
      if (!(wanted > 0)) return this.page.messages.showAlert(`${name} takes an amount, not "${field.value}".`);
      this.fields.delete(slug);
      return void this.page.bets.setAmount(slug, wanted);
    };
    field.addEventListener("keydown", (event) => event.key === "Enter" && bet());
    const action = makeButton("Bet", bet, `Bet on ${name}`);
    action.dataset.act = `${slug} bet`;
    return [field, " ", action];
  }
}
