// @ts-check
/** A post's page: its parts in the server's order, each told anew whenever the table changes. */

import { TableApi, TableError } from "./api.js";
import { parseCents } from "./money.js";
import { BookingForm, PlayerList } from "./post_book.js";
import { describeBar, makeOld, formatDollars, setChildren } from "./post_dom.js";
import { Offers } from "./post_forms.js";
import { LogView } from "./post_log.js";
import { showBuyInRequests, showCall, showCenter, showDice, showHouse, showSet } from "./post_parts.js";
import { Invitations, showPosts } from "./post_people.js";
import { WorkList } from "./post_work.js";

export class CrewPage {
  #listeners = new AbortController();

  /** @param {HTMLElement} place @param {import("./post_dom.js").Say} say @param {TableApi} [api] */
  constructor(place, say, api = new TableApi(location.pathname.split("/")[2] ?? "")) {
    this.place = place;
    this.api = api;
    this.say = async (/** @type {string} */ line) => {
      const taken = await say(line);
      void this.refresh();
      return taken;
    };
    this.picked = "";
    /** @type {any} */
    this.sight = null;
    /** @type {any} */
    this.told = null;
    /** @type {Map<string, (data: any) => void>} */
    this.parts = new Map();
    /** @type {Offers[]} */
    this.offers = [];
    this.busy = false;
    this.again = false;
    document.addEventListener("keydown", (event) => this.#onKey(event), { signal: this.#listeners.signal });
  }

  /** It is left: its keys do nothing any more. */
  close() {
    this.#listeners.abort();
  }

  /** The table changed. @param {any} state */
  update(state) {
    this.sight = state;
    if (!this.told || this.told.seq !== state.seq) void this.refresh();
    else this.#show();
  }

  async refresh() {
    if (this.busy) {
      this.again = true;
      return;
    }
    this.busy = true;
    try {
      const after = this.log && this.log.lastSeq >= 0 ? `&after=${this.log.lastSeq}` : "";
      this.told = await this.api.get(`/post?player=${encodeURIComponent(this.picked)}${after}`);
      this.picked = this.told.player ?? "";
      this.#show();
    } catch (error) {
      if (error instanceof TableError) this.#showAlert(error.message);
    } finally {
      this.busy = false;
      if (this.again) {
        this.again = false;
        void this.refresh();
      }
    }
  }

  /** @param {string} words */
  #showAlert(words) {
    const alert = document.getElementById("alert");
    if (alert) alert.textContent = words;
  }

  #build() {
    const { role } = this.told;
    this.head = makeOld("p", { class: "post-state" });
    this.watch = makeOld("p", { class: "why", role: "note" });
    const title = role === "surveillance" ? role : `the ${this.told.called}`;
    const columns = this.told.page.map((/** @type {{part: string, title: string}[]} */ parts) => {
      return makeOld("div", { class: "post-column" }, ...parts.map(({ part, title: over }) => this.#makeCard(part, over)));
    });
    const body = makeOld("div", { class: "post-columns", "data-role": role }, ...columns);
    const felt = document.getElementById("felt");
    this.place.replaceChildren(makeOld("div", { class: "post-head" }, makeOld("h2", { text: `You are ${title}` }), this.head), this.watch);
    if (this.sight.learns) {
      const work = makeOld("a", { class: "button", href: `/t/${this.api.table}/learn`, text: "Go to your work" });
      this.place.append(makeOld("p", {}, work));
    }
    document.querySelector(".table-head")?.after(this.place);
    this.place.after(body);
    const narrow = window.matchMedia("(max-width: 43.9rem)");
    narrow.addEventListener("change", () => this.#placeFelt(body, columns, narrow.matches));
    this.#placeFelt(body, columns, narrow.matches);
    document.querySelector(".table-page")?.classList.add("at-post", ...(this.told.watches ? ["only-watches"] : []));
    document.getElementById("say")?.setAttribute("placeholder", "ann: place 6 for 12");
    window.addEventListener("resize", () => requestAnimationFrame(() => this.#hideEmptyRows()));
    this.#chooseView(role === "stick" ? "center" : role.endsWith("-base") ? "end" : "whole");
    felt?.addEventListener("click", (event) => this.#onCell(event), true);
    felt?.addEventListener("keydown", (event) => (event.key === "Enter" || event.key === " ") && this.#onCell(event), true);
  }

  /** The felt stands over everything; on a small screen, before what it is used for.
   * @param {HTMLElement} body @param {HTMLElement[]} columns @param {boolean} narrow */
  #placeFelt(body, columns, narrow) {
    const stage = document.getElementById("stage") ?? document.getElementById("felt");
    if (!stage) return;
    const books = columns.findIndex((column) => column.querySelector(".part-book"));
    if (narrow && books !== 0) columns[0].after(stage);
    else body.before(stage);
  }

  /** A small screen shows the part of the felt that the post deals. @param {string} view */
  #chooseView(view) {
    const choice = document.querySelector(`input[name="view"][value="${view}"]`);
    if (!(choice instanceof HTMLInputElement)) return;
    choice.checked = true;
    choice.dispatchEvent(new Event("change", { bubbles: true }));
  }

  /** @param {string} part @param {string} title */
  #makeCard(part, title) {
    const body = makeOld("div", { class: "card-body" });
    const offers = makeOld("div", { class: "post-offers" });
    const card = makeOld("section", { class: `post-card part-${part}`, "aria-labelledby": `part-${part}` }, makeOld("h3", { id: `part-${part}`, text: title }), body, offers);
    const mine = new Offers(offers, this.say, (words) => this.#showAlert(words));
    this.offers.push(mine);
    const fill = this.#makeFiller(part, body);
    this.parts.set(part, (data) => {
      const own = data.offers.filter((/** @type {any} */ offer) => offer.part === part);
      mine.show(own);
      fill?.(data);
      card.hidden = !fill && !own.length;
      if (part === "waiting") card.hidden = !own.length && !data.asking.length;
      if (part === "player") /** @type {HTMLElement} */ (card.firstElementChild).textContent = data.player ? `For ${data.player}` : title;
    });
    return card;
  }

  /** What a part shows besides its offers. @param {string} part @param {HTMLElement} body
   * @returns {((data: any) => void) | undefined} */
  #makeFiller(part, body) {
    /** @type {Record<string, () => (data: any) => void>} */
    const fillers = {
      waiting: () => (data) => showBuyInRequests(body, data.asking),
      call: () => (data) => showCall(body, data.work),
      dice: () => (data) => showDice(body, data.dice),
      set: () => (data) => showSet(body, data.dice),
      figures: () => (data) => showHouse(body, data.house),
      center: () => (data) => showCenter(body, data.center),
      players: () => this.#makePlayerList(body),
      book: () => {
        const book = new BookingForm(body, this.say);
        this.booking = book;
        body.append(this.#makeChips(book));
        return (data) => {
          book.show(data.book, data.says, data.player ?? "");
          this.#enableCells(data.book);
        };
      },
      work: () => {
        const work = new WorkList(body, this.api.table, this.told.role === "surveillance");
        this.work = work;
        return (data) => work.show(data.work);
      },
      posts: () => {
        const list = makeOld("dl", { class: "facts" });
        body.append(list);
        return (data) => showPosts(list, data.posts);
      },
      invites: () => {
        const invitations = new Invitations(body, this.api, (words) => this.#showAlert(words));
        return (data) => invitations.show(data.invites);
      },
      log: () => {
        const log = new LogView(body, this.api.table);
        this.log = log;
        return (data) => log.add(data.log);
      },
    };
    return fillers[part]?.();
  }

  /** @param {HTMLElement} body */
  #makePlayerList(body) {
    const pick = (/** @type {string} */ name) => {
      this.picked = name;
      void this.refresh();
    };
    const list = new PlayerList(body, pick, !this.told.watches);
    return (/** @type {any} */ data) => list.show(data.players, data.player ?? "");
  }

  /** Chips to tap for an amount. @param {BookingForm} book */
  #makeChips(book) {
    const chips = makeOld("div", { class: "chips", role: "group", "aria-label": "Add to the amount" });
    for (const value of this.told.chips) {
      const chip = makeOld("button", { type: "button", class: "quiet", text: `+${formatDollars(value)}` });
      chip.addEventListener("click", () => book.add(parseCents(value)));
      chips.append(chip);
    }
    return chips;
  }

  #show() {
    if (!this.head) this.#build();
    const { told: data, sight: state } = this;
    const puck = state.puck ? `Point ${state.puck}` : "Coming out";
    const status = { dead: "Dead game", closed: "Closed", live: "" }[/** @type {string} */ (state.status)] ?? "";
    const name = data.name ? `${data.name}` : "";
    const facts = [name, status, puck, state.shooter ? `${state.shooter} shoots` : "no shooter"].filter(Boolean);
    if (this.head) setChildren(this.head, facts.map((text) => makeOld("span", { text })));
    if (this.watch) {
      this.watch.hidden = !data.watches;
      this.watch.textContent = data.watches && data.role !== "surveillance" ? describeBar(data.watches) : data.watches ? "You see all, and say nothing." : "";
    }
    for (const fill of this.parts.values()) fill(data);
    this.#hideEmptyRows();
  }

  /** A row of the felt of which nothing is seen, on a small screen, is no row. */
  #hideEmptyRows() {
    document.querySelectorAll("#felt [role=row]").forEach((row) => {
      /** @type {HTMLElement} */ (row).hidden = !row.querySelector("[role=gridcell]:not(.out)");
    });
  }

  /** Cells of the felt that can be booked now are shown so. @param {{wager: string, offers: any[]}[]} book */
  #enableCells(book) {
    const may = new Map(book.map((one) => [one.wager, one.offers.some((offer) => !offer.bar)]));
    document.querySelectorAll("#felt [data-slug]").forEach((cell) => {
      cell.setAttribute("aria-disabled", String(!may.get(/** @type {HTMLElement} */ (cell).dataset.slug ?? "")));
    });
  }

  /** @param {Event} event */
  #onCell(event) {
    const cell = /** @type {HTMLElement} */ (event.target).closest?.("[data-slug]");
    if (!(cell instanceof HTMLElement)) return;
    event.preventDefault();
    event.stopPropagation();
    if (!this.booking?.choose(cell.dataset.slug ?? "")) this.#showAlert(this.booking ? "That wager is not yours to book." : "");
    else if (event instanceof KeyboardEvent) this.booking.amount.focus();
  }

  /** Keys outside of text boxes: faces and Enter, and what an offer says of itself.
   * @param {KeyboardEvent} event */
  #onKey(event) {
    const at = /** @type {HTMLElement} */ (event.target);
    if (at.closest("input:not([type=checkbox], [type=radio]), textarea, select, #felt") || event.ctrlKey || event.altKey || event.metaKey) return;
    const all = this.offers.map((one) => one.find((offer) => offer.key === event.key.toLowerCase())).find(Boolean);
    const pad = this.offers.map((one) => one.find((offer) => offer.part === "dice" && !offer.bar && offer.fields.some((f) => f.kind === "face"))).find(Boolean);
    if (/^[1-6]$/.test(event.key) && pad) pad.dicePad?.type(Number(event.key));
    else if (event.key === "Enter" && pad?.dicePad?.faces.length && !at.closest("button, a")) void pad.send();
    else if (event.key === "Escape" && pad) pad.dicePad?.clear();
    else if (event.key.toLowerCase() === "t" && this.work) this.work.tickNext();
    else if (all && !all.offer.bar) void all.send();
    else return;
    event.preventDefault();
  }
}
