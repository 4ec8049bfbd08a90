// @ts-check
/** A post's page: its parts in the server's order, each told anew whenever the table changes. */

import { TableApi, TableError } from "./api.js";
import { cents } from "./money.js";
import { Booking, Players } from "./post_book.js";
import { barWords, make, money, put } from "./post_dom.js";
import { Offers } from "./post_forms.js";
import { Log } from "./post_log.js";
import { showAsking, showCall, showCenter, showDice, showHouse, showSet } from "./post_parts.js";
import { Invitations, showPosts } from "./post_people.js";
import { WorkList } from "./post_work.js";

export class PostPage {
  #over = new AbortController();

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
    /** @type {Map<string, (told: any) => void>} */
    this.parts = new Map();
    /** @type {Offers[]} */
    this.offers = [];
    this.busy = false;
    this.again = false;
    document.addEventListener("keydown", (event) => this.#key(event), { signal: this.#over.signal });
  }

  /** It is left: its keys do nothing any more. */
  end() {
    this.#over.abort();
  }

  /** The table changed. @param {any} sight */
  see(sight) {
    this.sight = sight;
    if (!this.told || this.told.seq !== sight.seq) void this.refresh();
    else this.#show();
  }

  async refresh() {
    if (this.busy) {
      this.again = true;
      return;
    }
    this.busy = true;
    try {
      const after = this.log && this.log.seen >= 0 ? `&after=${this.log.seen}` : "";
      this.told = await this.api.get(`/post?player=${encodeURIComponent(this.picked)}${after}`);
      this.picked = this.told.player ?? "";
      this.#show();
    } catch (wrong) {
      if (wrong instanceof TableError) this.#tell(wrong.message);
    } finally {
      this.busy = false;
      if (this.again) {
        this.again = false;
        void this.refresh();
      }
    }
  }

  /** @param {string} words */
  #tell(words) {
    const alert = document.getElementById("alert");
    if (alert) alert.textContent = words;
  }

  #build() {
    const { role } = this.told;
    this.head = make("p", { class: "post-state" });
    this.watch = make("p", { class: "why", role: "note" });
    const title = role === "surveillance" ? role : `the ${this.told.called}`;
    const columns = this.told.page.map((/** @type {{part: string, title: string}[]} */ parts) => {
      return make("div", { class: "post-column" }, ...parts.map(({ part, title: over }) => this.#card(part, over)));
    });
    const body = make("div", { class: "post-columns", "data-role": role }, ...columns);
    const felt = document.getElementById("felt");
    this.place.replaceChildren(make("div", { class: "post-head" }, make("h2", { text: `You are ${title}` }), this.head), this.watch);
    if (this.sight.learns) {
      const work = make("a", { class: "button", href: `/t/${this.api.table}/learn`, text: "Go to your work" });
      this.place.append(make("p", {}, work));
    }
    document.querySelector(".table-head")?.after(this.place);
    this.place.after(body);
    const narrow = window.matchMedia("(max-width: 43.9rem)");
    narrow.addEventListener("change", () => this.#stage(body, columns, narrow.matches));
    this.#stage(body, columns, narrow.matches);
    document.querySelector(".table-page")?.classList.add("at-post", ...(this.told.watches ? ["only-watches"] : []));
    document.getElementById("say")?.setAttribute("placeholder", "ann: place 6 for 12");
    window.addEventListener("resize", () => requestAnimationFrame(() => this.#rows()));
    this.#lookAt(role === "stick" ? "center" : role.endsWith("-base") ? "end" : "whole");
    felt?.addEventListener("click", (event) => this.#cell(event), true);
    felt?.addEventListener("keydown", (event) => (event.key === "Enter" || event.key === " ") && this.#cell(event), true);
  }

  /** The felt stands over everything; on a small screen, before what it is used for.
   * @param {HTMLElement} body @param {HTMLElement[]} columns @param {boolean} narrow */
  #stage(body, columns, narrow) {
    const stage = document.getElementById("stage") ?? document.getElementById("felt");
    if (!stage) return;
    const books = columns.findIndex((column) => column.querySelector(".part-book"));
    if (narrow && books !== 0) columns[0].after(stage);
    else body.before(stage);
  }

  /** A small screen shows the part of the felt that the post deals. @param {string} view */
  #lookAt(view) {
    const choice = document.querySelector(`input[name="view"][value="${view}"]`);
    if (!(choice instanceof HTMLInputElement)) return;
    choice.checked = true;
    choice.dispatchEvent(new Event("change", { bubbles: true }));
  }

  /** @param {string} part @param {string} title */
  #card(part, title) {
    const body = make("div", { class: "card-body" });
    const offers = make("div", { class: "post-offers" });
    const card = make("section", { class: `post-card part-${part}`, "aria-labelledby": `part-${part}` }, make("h3", { id: `part-${part}`, text: title }), body, offers);
    const mine = new Offers(offers, this.say, (words) => this.#tell(words));
    this.offers.push(mine);
    const fill = this.#filler(part, body);
    this.parts.set(part, (told) => {
      const own = told.offers.filter((/** @type {any} */ offer) => offer.part === part);
      mine.show(own);
      fill?.(told);
      card.hidden = !fill && !own.length;
      if (part === "waiting") card.hidden = !own.length && !told.asking.length;
      if (part === "player") /** @type {HTMLElement} */ (card.firstElementChild).textContent = told.player ? `For ${told.player}` : title;
    });
    return card;
  }

  /** What a part shows besides its offers. @param {string} part @param {HTMLElement} body
   * @returns {((told: any) => void) | undefined} */
  #filler(part, body) {
    /** @type {Record<string, () => (told: any) => void>} */
    const fillers = {
      waiting: () => (told) => showAsking(body, told.asking),
      call: () => (told) => showCall(body, told.work),
      dice: () => (told) => showDice(body, told.dice),
      set: () => (told) => showSet(body, told.dice),
      figures: () => (told) => showHouse(body, told.house),
      center: () => (told) => showCenter(body, told.center),
      players: () => this.#players(body),
      book: () => {
        const book = new Booking(body, this.say);
        this.booking = book;
        body.append(this.#chips(book));
        return (told) => {
          book.show(told.book, told.says, told.player ?? "");
          this.#light(told.book);
        };
      },
      work: () => {
        const work = new WorkList(body, this.api.table, this.told.role === "surveillance");
        this.work = work;
        return (told) => work.show(told.work);
      },
      posts: () => {
        const list = make("dl", { class: "facts" });
        body.append(list);
        return (told) => showPosts(list, told.posts);
      },
      invites: () => {
        const invitations = new Invitations(body, this.api, (words) => this.#tell(words));
        return (told) => invitations.show(told.invites);
      },
      log: () => {
        const log = new Log(body, this.api.table);
        this.log = log;
        return (told) => log.add(told.log);
      },
    };
    return fillers[part]?.();
  }

  /** @param {HTMLElement} body */
  #players(body) {
    const pick = (/** @type {string} */ name) => {
      this.picked = name;
      void this.refresh();
    };
    const list = new Players(body, pick, !this.told.watches);
    return (/** @type {any} */ told) => list.show(told.players, told.player ?? "");
  }

  /** Chips to tap for an amount. @param {Booking} book */
  #chips(book) {
    const chips = make("div", { class: "chips", role: "group", "aria-label": "Add to the amount" });
    for (const value of this.told.chips) {
      const chip = make("button", { type: "button", class: "quiet", text: `+${money(value)}` });
      chip.addEventListener("click", () => book.add(cents(value)));
      chips.append(chip);
    }
    return chips;
  }

  #show() {
    if (!this.head) this.#build();
    const { told, sight } = this;
    const puck = sight.puck ? `Point ${sight.puck}` : "Coming out";
    const status = { dead: "Dead game", closed: "Closed", live: "" }[/** @type {string} */ (sight.status)] ?? "";
    const name = told.name ? `${told.name}` : "";
    const facts = [name, status, puck, sight.shooter ? `${sight.shooter} shoots` : "no shooter"].filter(Boolean);
    if (this.head) put(this.head, facts.map((text) => make("span", { text })));
    if (this.watch) {
      this.watch.hidden = !told.watches;
      this.watch.textContent = told.watches && told.role !== "surveillance" ? barWords(told.watches) : told.watches ? "You see all, and say nothing." : "";
    }
    for (const fill of this.parts.values()) fill(told);
    this.#rows();
  }

  /** A row of the felt of which nothing is seen, on a small screen, is no row. */
  #rows() {
    document.querySelectorAll("#felt [role=row]").forEach((row) => {
      /** @type {HTMLElement} */ (row).hidden = !row.querySelector("[role=gridcell]:not(.out)");
    });
  }

  /** Cells of the felt that can be booked now are shown so. @param {{wager: string, offers: any[]}[]} book */
  #light(book) {
    const may = new Map(book.map((one) => [one.wager, one.offers.some((offer) => !offer.bar)]));
    document.querySelectorAll("#felt [data-slug]").forEach((cell) => {
      cell.setAttribute("aria-disabled", String(!may.get(/** @type {HTMLElement} */ (cell).dataset.slug ?? "")));
    });
  }

  /** @param {Event} event */
  #cell(event) {
    const cell = /** @type {HTMLElement} */ (event.target).closest?.("[data-slug]");
    if (!(cell instanceof HTMLElement)) return;
    event.preventDefault();
    event.stopPropagation();
    if (!this.booking?.choose(cell.dataset.slug ?? "")) this.#tell(this.booking ? "That wager is not yours to book." : "");
    else if (event instanceof KeyboardEvent) this.booking.amount.focus();
  }

  /** Keys outside of text boxes: faces and Enter, and what an offer says of itself.
   * @param {KeyboardEvent} event */
  #key(event) {
    const at = /** @type {HTMLElement} */ (event.target);
    if (at.closest("input:not([type=checkbox], [type=radio]), textarea, select, #felt") || event.ctrlKey || event.altKey || event.metaKey) return;
    const all = this.offers.map((one) => one.find((offer) => offer.key === event.key.toLowerCase())).find(Boolean);
    const pad = this.offers.map((one) => one.find((offer) => offer.part === "dice" && !offer.bar && offer.fields.some((f) => f.kind === "face"))).find(Boolean);
    if (/^[1-6]$/.test(event.key) && pad) pad.pads?.type(Number(event.key));
    else if (event.key === "Enter" && pad?.pads?.faces.length && !at.closest("button, a")) void pad.send();
    else if (event.key === "Escape" && pad) pad.pads?.clear();
    else if (event.key.toLowerCase() === "t" && this.work) this.work.next();
    else if (all && !all.offer.bar) void all.send();
    else return;
    event.preventDefault();
  }
}
