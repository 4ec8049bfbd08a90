// @ts-check
/** The page of a crew member, of surveillance or of the operator: cards in the server's order with
 * offers, the work list, posts, invitations and the log. Every card is updated when the table changes.
 * `table.js` and `operator_page.js` load it. */

import { attempt, TableApi } from "./api.js";
import { BookingForm, describeBar, describeBet, Offers, PlayerList } from "./crew_forms.js";
import { byId, checkRadio, drawIfChanged, KeyedList, makeButton, makeDie, makeElement, makeFacts, makeInvitation, makeLabel, onSubmit, plainName, sessionStore, setChildren, showName } from "./dom.js";
import { formatDollars, parseCents } from "./money.js";

/** Cards that are folded where the felt and the controls share a wide screen: the less used ones. */
/** @type {Record<string, string[]>} */
const FOLDED = {
  stick: ["player", "center"],
  "left-base": ["player", "coming", "dice", "throw"],
  "right-base": ["player", "coming", "dice", "throw"],
  box: ["figures", "dice", "player", "coming", "set"],
  floor: ["figures", "set", "dice", "throw", "player", "coming"],
};
const WIDE = "(min-width: 60rem) and (min-height: 40rem)";

/** The cards of one post at one table. */
export class CrewPage {
  #listeners = new AbortController();

  /** @param {HTMLElement} place @param {import("./crew_forms.js").Say} say
   * @param {(player: string) => void} pick asks for the page of another player @param {TableApi} [api] */
  constructor(place, say, pick, api = new TableApi(location.pathname.split("/")[2] ?? "")) {
    this.place = place;
    this.api = api;
    this.say = say;
    this.pick = pick;
    /** @type {any} */
    this.state = null;
    /** @type {any} */
    this.data = null;
    /** @type {Map<string, (data: any) => void>} */
    this.parts = new Map();
    /** @type {Offers[]} */
    this.offers = [];
    document.addEventListener("keydown", (event) => this.#onKey(event), { signal: this.#listeners.signal });
  }

  /** Stop listening to keys, when the operator leaves this table. */
  close() {
    this.#listeners.abort();
  }

  /** Show a new state of the table. @param {any} state */
  update(state) {
    this.state = state;
    this.data = state.post;
    this.#show();
  }

  /** @param {string} words */
  #showAlert(words) {
    byId("alert").textContent = words;
  }

  #build() {
    const { role } = this.data;
    this.head = makeElement("p", { class: "post-state" });
    this.watch = makeElement("p", { class: "why", role: "note" });
    const title = role === "surveillance" ? role : `the ${this.data.called}`;
    const columns = this.data.page.map((/** @type {{part: string, title: string}[]} */ parts) => {
      return makeElement("div", { class: "post-column" }, ...parts.map(({ part, title: over }) => this.#makeCard(part, over)));
    });
    const body = makeElement("div", { class: `post-columns${role in FOLDED ? " one-screen" : ""}`, "data-role": role }, ...columns);
    const felt = document.getElementById("felt");
    this.place.replaceChildren(makeElement("div", { class: "post-head" }, makeElement("h2", { text: `You are ${title}` }), this.head), this.watch);
    if (this.state.learns) {
      const work = makeElement("a", { class: "button", href: `/t/${this.api.table}/learn`, text: "Go to your work" });
      this.place.append(makeElement("p", {}, work));
    }
    document.querySelector(".table-head")?.after(this.place);
    this.place.after(body);
    const narrow = window.matchMedia("(max-width: 43.9rem)");
    narrow.addEventListener("change", () => this.#placeFelt(body, columns, narrow.matches));
    this.#placeFelt(body, columns, narrow.matches);
    document.querySelector(".table-page")?.classList.add("at-post", ...(this.data.watches ? ["only-watches"] : []));
    document.getElementById("say")?.setAttribute("placeholder", "ann: place 6 for 12");
    window.addEventListener("resize", () => requestAnimationFrame(() => this.#hideEmptyRows()));
    const small = role === "stick" ? "center" : role.endsWith("-base") ? "end" : "whole";
    const view = window.matchMedia(WIDE).matches ? "whole" : small; // The part of the felt that is shown.
    checkRadio("view", view)?.dispatchEvent(new Event("change", { bubbles: true }));
    felt?.addEventListener("click", (event) => this.#onCell(event), true);
    felt?.addEventListener("keydown", (event) => (event.key === "Enter" || event.key === " ") && this.#onCell(event), true);
  }

  /** Put the felt above the cards; on a small screen, before the card that books bets.
   * @param {HTMLElement} body @param {HTMLElement[]} columns @param {boolean} narrow */
  #placeFelt(body, columns, narrow) {
    const stage = document.getElementById("stage") ?? document.getElementById("felt");
    if (!stage) return;
    const books = columns.findIndex((column) => column.querySelector(".part-book"));
    if (narrow && books !== 0) columns[0].after(stage);
    else body.before(stage);
  }

  /** @param {string} part @param {string} title */
  #makeCard(part, title) {
    const body = makeElement("div", { class: "card-body" });
    const offers = makeElement("div", { class: "post-offers" });
    const heading = makeElement("h3", { id: `part-${part}`, text: title });
    const folded = FOLDED[this.data.role]?.includes(part);
    const attributes = { class: `post-card part-${part}`, "aria-labelledby": `part-${part}` };
    const card = folded ? makeElement("details", attributes, makeElement("summary", {}, heading), body, offers) : makeElement("section", attributes, heading, body, offers);
    if (card instanceof HTMLDetailsElement) {
      const wide = window.matchMedia(WIDE);
      card.open = !wide.matches;
      wide.addEventListener("change", () => (card.open = !wide.matches), { signal: this.#listeners.signal });
    }
    const mine = new Offers(offers, this.say, (words) => this.#showAlert(words));
    this.offers.push(mine);
    const fill = this.#makeFiller(part, body);
    this.parts.set(part, (data) => {
      const own = data.offers.filter((/** @type {any} */ offer) => offer.part === part);
      mine.show(own);
      fill?.(data);
      card.hidden = !fill && !own.length;
      if (part === "waiting") card.hidden = !own.length && !data.asking.length;
      if (part === "player") heading.textContent = data.player ? `For ${showName(data.player)}` : title;
    });
    return card;
  }

  /** Build what a card shows besides its offers. Return the function that updates it. @param {string} part @param {HTMLElement} body
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
      players: () => {
        const list = new PlayerList(body, (name) => this.pick(name), !this.data.watches);
        return (data) => list.show(data.players, data.player ?? "");
      },
      book: () => {
        const book = new BookingForm(body, this.say);
        this.booking = book;
        body.append(this.#makeChips(book));
        const betAs = this.data.role.endsWith("-base") && document.getElementById("bet-as"); // What a click on a number chooses.
        if (betAs) body.append(makeElement("div", { class: "modes" }, betAs));
        return (data) => {
          book.show(data.book, data.says, data.player ?? "");
          this.#enableCells(data.book);
        };
      },
      work: () => {
        const work = new WorkList(body, this.api.table, this.data.role === "surveillance");
        this.work = work;
        return (data) => work.show(data.work ?? null);
      },
      posts: () => (data) => showPosts(body, data.posts),
      invites: () => {
        const invitations = new Invitations(body, this.api);
        return (data) => invitations.show(data.invites);
      },
      log: () => {
        const log = new LogView(body, this.api.table);
        this.log = log;
        return (data) => log.add(Object.values(data.log));
      },
    };
    return fillers[part]?.();
  }

  /** Return the chip buttons that add to the amount. @param {BookingForm} book */
  #makeChips(book) {
    const chips = this.data.chips.map((/** @type {string} */ value) =>
      makeButton(`+${formatDollars(value)}`, () => book.add(parseCents(value)), undefined, "quiet"),
    );
    return makeElement("div", { class: "chips", role: "group", "aria-label": "Add to the amount" }, ...chips);
  }

  #show() {
    if (!this.head) this.#build();
    const { data, state } = this;
    const puck = state.puck ? `Point ${state.puck}` : "Coming out";
    const status = { dead: "Dead game", closed: "Closed", live: "" }[/** @type {string} */ (state.status)] ?? "";
    const facts = [data.name, status, puck, state.shooter ? `${showName(state.shooter)} shoots` : "no shooter"].filter(Boolean);
    if (this.head) setChildren(this.head, facts.map((text) => makeElement("span", { text })));
    if (this.watch) {
      this.watch.hidden = !data.watches;
      this.watch.textContent = data.watches && data.role !== "surveillance" ? describeBar(data.watches) : data.watches ? "You see everything. Surveillance says nothing at the table." : "";
    }
    for (const fill of this.parts.values()) fill(data);
    this.#hideEmptyRows();
  }

  /** Hide the rows of the felt of which this view shows no cell. */
  #hideEmptyRows() {
    document.querySelectorAll("#felt [role=row]").forEach((row) => {
      /** @type {HTMLElement} */ (row).hidden = !row.querySelector("[role=gridcell]:not(.out)");
    });
  }

  /** Enable the felt cells whose wager can be booked now. @param {{wager: string, offers: any[]}[]} book */
  #enableCells(book) {
    const may = new Map(book.map((item) => [item.wager, item.offers.some((offer) => !offer.bar)]));
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
    if (!this.booking?.choose(cell.dataset.slug ?? "")) this.#showAlert(this.booking ? "You don't book that wager." : "");
    else if (event instanceof KeyboardEvent) this.booking.amount.focus();
  }

  /** Handle keys outside text boxes: 1 to 6 and Enter for typed dice, T to tick work, and the key of each
   * offer.
   * @param {KeyboardEvent} event */
  #onKey(event) {
    const at = /** @type {HTMLElement} */ (event.target);
    if (at.closest("input:not([type=checkbox], [type=radio]), textarea, select, #felt") || event.ctrlKey || event.altKey || event.metaKey) return;
    const all = this.offers.map((item) => item.find((offer) => offer.key === event.key.toLowerCase())).find(Boolean);
    const pad = this.offers.map((item) => item.find((offer) => offer.part === "dice" && !offer.bar && offer.fields.some((f) => f.kind === "face"))).find(Boolean);
    if (/^[1-6]$/.test(event.key) && pad) pad.dicePad?.type(Number(event.key));
    else if (event.key === "Enter" && pad?.dicePad?.faces.length && !at.closest("button, a")) void pad.send();
    else if (event.key === "Escape" && pad) pad.dicePad?.clear();
    else if (event.key.toLowerCase() === "t" && this.work) this.work.tickNext();
    else if (all && !all.offer.bar) void all.send();
    else return;
    event.preventDefault();
  }
}

const DICE_PLACES = { bowl: "in the bowl", center: "in the center", out: "out, with the shooter", air: "in the air" };

/** Replace what a card shows, only if its data changed.
 * @param {HTMLElement} body @param {unknown} data @param {() => HTMLElement[]} nodes */
const showIfChanged = (body, data, nodes) => drawIfChanged(body, data, () => body.replaceChildren(...nodes()));

/** @param {HTMLElement} body @param {string[]} lines */
const showLines = (body, lines) => showIfChanged(body, lines, () => lines.map((text) => makeElement("p", { text })));

/** @param {HTMLElement} body @param {[string, string][]} facts */
const showFacts = (body, facts) => showIfChanged(body, facts, () => [makeFacts(facts)]);

/** Show the buy-ins that wait for the box. @param {HTMLElement} body @param {{name: string, amount: string, place: number | null}[]} asks */
function showBuyInRequests(body, asks) {
  showLines(body, asks.map((ask) => `${showName(ask.name)} asks for ${formatDollars(ask.amount)}${ask.place ? ` at place ${ask.place}` : ""}.`));
}

/** @param {HTMLElement} body @param {{throw: number, dice: number[], call: string} | null} work */
function showCall(body, work) {
  showIfChanged(body, work?.throw ?? null, () => {
    if (!work) return [makeElement("p", { text: "No throw yet." })];
    return [makeElement("p", { class: "faces" }, ...work.dice.map(makeDie)), makeElement("p", { class: "big-call", text: work.call })];
  });
}

/** @param {HTMLElement} body @param {any} dice */
function showDice(body, dice) {
  const lines = [`The dice are ${DICE_PLACES[/** @type {keyof typeof DICE_PLACES} */ (dice.where)]}.`];
  if (dice.held) lines.push("They wait for the new boxperson's OK.");
  if (dice.bar) lines.push(describeBar(dice.bar));
  if (dice.lost) lines.push(`${dice.lost} dice of the set are missing.`);
  showLines(body, lines);
}

/** @param {HTMLElement} body @param {any} dice */
function showSet(body, dice) {
  /** @type {[string, string][]} */
  const facts = [["in play", dice.serial || "the house's first set"]];
  if (dice.since) facts.push(["since", dice.since]);
  for (const kind of ["ready", "retired", "cancelled"]) if (dice[kind].length) facts.push([kind, dice[kind].join(", ")]);
  showFacts(body, facts);
}

/** @param {HTMLElement} body @param {Record<string, string>} house */
function showHouse(body, house) {
  const { least, most, ...figures } = house;
  const rows = Object.entries(figures).map(([name, value]) => /** @type {[string, string]} */ ([plainName(name), formatDollars(value)]));
  showFacts(body, [...rows, ["limits", `${formatDollars(least)} to ${formatDollars(most)}`]]);
}

/** @param {HTMLElement} body @param {any[]} up */
function showCenter(body, up) {
  showIfChanged(body, up, () => {
    if (!up.length) return [makeElement("p", { text: "Nothing." })];
    return [makeElement("ul", { class: "center-up" }, ...up.map((item) => makeElement("li", {}, makeElement("b", { text: showName(item.player) }), ` ${describeBet(item)}`)))];
  });
}

/** @typedef {{post: string, called: string, held: string, name: string, missing: string}} Post */

/** @param {HTMLElement} body @param {Post[]} posts */
function showPosts(body, posts) {
  const who = (/** @type {Post} */ item) =>
    item.missing ? `none in this game (${item.missing})` : item.held === "machine" ? "the machine" : showName(item.name) || `a ${item.held}`;
  showFacts(body, posts.map((item) => [item.called, who(item)]));
}

/** The form that makes invitation links and withdraws tokens. */
class Invitations {
  /** @param {HTMLElement} place @param {import("./api.js").TableApi} api */
  constructor(place, api) {
    this.api = api;
    this.role = makeElement("select", {});
    this.name = makeElement("input", { type: "text", autocomplete: "off" });
    this.links = makeElement("div", { class: "links", "aria-live": "polite" });
    const withdraw = makeButton("Withdraw tokens", () => void attempt(() => this.#withdraw()), undefined, "quiet");
    this.form = makeElement(
      "form",
      { class: "offer", novalidate: true },
      makeElement("div", { class: "fill" }, makeLabel("Role", this.role), makeLabel("Name, if any", this.name)),
      makeElement("div", { class: "verbs" }, makeElement("button", { type: "submit", text: "Make a link" }), withdraw),
    );
    this.none = makeElement("p", { text: "Only the floor and the operator can invite people." });
    place.append(this.form, this.links, this.none);
    onSubmit(this.form, () => void attempt(() => this.#invite()));
  }

  /** @param {string[]} roles */
  show(roles) {
    this.form.hidden = !roles.length;
    this.none.hidden = roles.length > 0;
    if (this.role.options.length !== roles.length) setChildren(this.role, roles.map((role) => makeElement("option", { value: role, text: plainName(role) })));
  }

  get #invited() {
    return { role: this.role.value, name: this.name.value.trim() };
  }

  async #invite() {
    const who = this.#invited;
    const { token } = await this.api.post("/tokens", who);
    const label = `Link for ${plainName(who.role)}${who.name ? `, ${who.name}` : ""}`;
    const link = makeInvitation(label, `${location.origin}/t/${this.api.table}#${token}`, `Copy the ${label.toLowerCase()}`);
    this.links.prepend(makeElement("div", { class: "link" }, ...link));
    this.name.value = "";
  }

  async #withdraw() {
    const who = this.#invited;
    await this.api.remove("/tokens", who);
    const words = `The tokens of ${plainName(who.role)}${who.name ? `, ${who.name},` : " without a name"} are withdrawn.`;
    this.links.prepend(makeElement("p", { text: words }));
  }
}

/** @typedef {{seq: number, at: string, role: string, by: string, line: string, act: string, words: string[], hash: string}} Entry */

const MAX_ENTRIES = 300;

/** The newest entries of the log, filtered by role or by text. */
class LogView {
  /** @param {HTMLElement} place @param {string} table */
  constructor(place, table) {
    this.table = table;
    /** @type {Entry[]} */
    this.entries = [];
    this.role = makeElement("select", {}, makeElement("option", { value: "", text: "everybody" }));
    this.name = makeElement("input", { type: "text", autocomplete: "off", placeholder: "ann" });
    this.list = makeElement("ol", { class: "log", tabindex: "0", "aria-label": "Entries of the log", reversed: true });
    const filter = makeElement("div", { class: "fill" }, makeLabel("Said by", this.role), makeLabel("About", this.name));
    const api = `/api/tables/${encodeURIComponent(table)}`;
    const links = makeElement("p", {}, makeElement("a", { href: `${api}/log`, text: "The whole log" }), ", ", makeElement("a", { href: `${api}/record`, text: "the record" }));
    place.append(filter, this.list, links);
    this.role.addEventListener("change", () => this.#show());
    this.name.addEventListener("input", () => this.#show());
    /** @type {KeyedList<Entry>} */
    this.rows = new KeyedList(this.list, (entry) => String(entry.seq), (entry) => this.#makeRow(entry), () => undefined);
  }

  /** The number of the newest entry, or -1. */
  get lastSeq() {
    return this.entries.length ? this.entries[0].seq : -1;
  }

  /** @param {Entry[]} fresh */
  add(fresh) {
    const after = fresh.filter((entry) => entry.seq > this.lastSeq);
    if (!after.length) return;
    this.entries = [...after.reverse(), ...this.entries].slice(0, MAX_ENTRIES);
    const known = Array.from(this.role.options, (option) => option.value);
    const roles = [...new Set(this.entries.map((entry) => entry.role))].filter((role) => !known.includes(role));
    this.role.append(...roles.map((role) => makeElement("option", { value: role, text: plainName(role) })));
    this.#show();
  }

  #show() {
    const about = this.name.value.trim().toLowerCase();
    const has = (/** @type {Entry} */ item) => [item.by, item.line, showName(item.by), showName(item.line), ...item.words].some((text) => text.toLowerCase().includes(about));
    this.rows.show(this.entries.filter((item) => (!this.role.value || item.role === this.role.value) && (!about || has(item))));
  }

  /** @param {Entry} entry */
  #makeRow(entry) {
    const when = new Date(entry.at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" });
    const who = entry.role === entry.by ? plainName(entry.role) : `${plainName(entry.role)} ${showName(entry.by)}`;
    const link = makeElement("a", { href: `/t/${this.table}/replay#${entry.seq}`, text: `#${entry.seq}`, "aria-label": `Entry ${entry.seq} in the replay` });
    const line = showName(entry.line);
    const [first = line || entry.act, ...others] = entry.words; // What happened; the line of the record comes last.
    return makeElement(
      "li",
      {},
      makeElement("p", { class: "entry-head" }, link, " ", makeElement("time", { datetime: entry.at, text: when }), ` ${who}`),
      makeElement("p", { class: line === first && "entry-line" }, makeElement("b", { text: first })),
      ...others.slice(0, 12).map((item) => makeElement("p", { class: "entry-words", text: item })),
      line !== first && makeElement("p", { class: "entry-line" }, makeElement("code", { text: line })),
      makeElement("p", { class: "receipt" }, makeElement("code", { text: `${entry.seq}:${entry.hash}`, title: "A receipt: passline audit --receipt" })),
    );
  }
}

/**
 * @typedef {{by: string, words: string, cite: string, amount: string, chips: Record<string, number>, own: boolean}} Task
 * @typedef {{throw: number, dice: number[], call: string, tasks: Task[]}} Work
 */

/** The tasks of the last throw with checkboxes. What is ticked stays in this browser tab. */
class WorkList {
  /** @param {HTMLElement} place @param {string} table @param {boolean} everybody */
  constructor(place, table, everybody) {
    this.table = table;
    this.done = new Set(/** @type {number[]} */ ([]));
    this.thrown = -1;
    /** @type {Work | null} */
    this.work = null;
    this.none = makeElement("p", {});
    this.list = makeElement("ol", { class: "tasks" });
    this.all = makeElement("input", { type: "checkbox", checked: everybody });
    this.left = makeElement("p", { class: "left", role: "status" });
    const pick = makeElement("label", { class: "pill" }, this.all, "Everybody's work");
    this.all.addEventListener("change", () => this.show(this.work));
    this.list.addEventListener("change", (event) => this.#onTick(/** @type {HTMLInputElement} */ (event.target)));
    place.append(this.none, this.left, this.list, makeElement("p", {}, pick));
    /** @type {KeyedList<[number, Task]>} */
    this.rows = new KeyedList(this.list, ([at]) => `${this.thrown} ${at}`, (item) => this.#makeRow(item), () => undefined);
  }

  get #key() {
    return `work-${this.table}-${this.thrown}`;
  }

  /** @param {Work | null} work */
  show(work) {
    this.work = work;
    const throwNumber = work?.throw ?? 0;
    if (throwNumber !== this.thrown) {
      this.thrown = throwNumber;
      this.done = new Set(JSON.parse(sessionStore.get(this.#key, "[]")));
    }
    const seen = (work?.tasks ?? []).map((task, at) => /** @type {[number, Task]} */ ([at, task]));
    const own = seen.filter(([, task]) => this.all.checked || task.own);
    this.none.textContent = work ? "Nothing to do." : "No throw yet.";
    this.none.hidden = own.length > 0;
    this.rows.show(own);
    this.#showCount();
  }

  /** @param {[number, Task]} one */
  #makeRow([at, task]) {
    const tick = makeElement("input", { type: "checkbox", value: String(at), checked: this.done.has(at) });
    const data = makeElement("span", { class: "task" }, makeElement("b", { text: task.words }));
    const chips = Object.entries(task.chips);
    if (chips.length) {
      const piles = chips.map(([color, count]) => makeElement("span", { class: `pile chip-${color}`, text: `${count} ${color}` }));
      data.append(makeElement("span", { class: "piles" }, `${formatDollars(task.amount)}: `, ...piles));
    }
    data.append(makeElement("small", { text: `${task.by} · ${task.cite}` }));
    return makeElement("li", {}, makeElement("label", {}, tick, data));
  }

  /** @param {HTMLInputElement} tick */
  #onTick(tick) {
    const at = Number(tick.value);
    if (tick.checked) this.done.add(at);
    else this.done.delete(at);
    sessionStore.put(this.#key, JSON.stringify([...this.done]));
    this.#showCount();
  }

  #showCount() {
    const ticks = Array.from(this.list.querySelectorAll("input"));
    const open = ticks.filter((tick) => !tick.checked).length;
    this.left.textContent = !ticks.length ? "" : open ? `${open} of ${ticks.length} to do.` : "All done.";
    this.left.classList.toggle("all-done", ticks.length > 0 && open === 0);
  }

  /** Tick the first open task. */
  tickNext() {
    const tick = this.list.querySelector("input:not(:checked)");
    if (tick instanceof HTMLInputElement) tick.click();
  }
}
