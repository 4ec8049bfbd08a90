// @ts-check
/** The replay page: one moment of a game at a time, with the felt, the line, the settlements, rails,
 * bets, ledger and work list, and the hands of the game as buttons. Each step requests its moment from
 * the server. */

import { describeError, TableApi } from "./api.js";
import { byId, clauseLink, makeButton, makeDie, makeElement, makeTable, plainName, runOneAtATime, showName } from "./dom.js";
import { FeltPicture } from "./felt_picture.js";
import { formatDollars } from "./money.js";
import { makeProof } from "./dice_proof.js";

const api = new TableApi(byId("replay").dataset.table ?? "");
const slider = /** @type {HTMLInputElement} */ (byId("slider"));
const pace = /** @type {HTMLSelectElement} */ (byId("pace"));
const PLAY = byId("play").querySelector("path")?.getAttribute("d") ?? "";
const PAUSE = "M7 4v16h4V4zM14 4v16h4V4z";

/** The moment that is shown, playback, and the stream of a running game. */
class ReplayPage {
  /** @type {any} */
  moment = null;
  #lastMoment = 0;
  /** The moment to load next; -1 is the last. @type {number | null} */
  #wanted = null;
  /** The message to show with the next moment. */
  #notice = "";
  #following = false;
  /** @type {number | undefined} */
  #timer = undefined;

  constructor() {
    this.felt = new FeltPicture(byId("felt"));
    this.hands = new HandList((path) => api.get(path), (at) => this.go(at));
  }

  async start() {
    this.#listen();
    await this.#load(momentFromHash());
    if (!this.moment && momentFromHash() >= 0) await this.#loadLast();
    this.felt.show(await api.get("/replay/felt"));
    this.#setUpViews();
    this.#showFelt();
    if (this.moment?.running) this.#listenForEntries();
  }

  /** Show the last moment instead of one that does not exist. Do not clear the message about that. */
  async #loadLast() {
    const words = byId("alert").textContent;
    await this.#load(-1);
    byId("alert").textContent = words;
  }

  /** Go to a moment. -1 is the last. @param {number} at */
  go(at) {
    this.#wanted = at < 0 ? -1 : Math.min(at, this.#lastMoment);
    void this.#loadWanted();
  }

  /** Go to the moment in the address, with a message if it does not exist. @param {number} at */
  #goToAddress(at) {
    const upto = this.#lastMoment;
    this.#notice = at > upto ? `There is no moment ${at}: this is the last, ${upto}.` : "";
    this.go(at);
  }

  /** Load the wanted moment. If it changes during a request, only the latest is loaded. */
  #loadWanted = runOneAtATime(async () => {
    const at = this.#wanted ?? -1;
    this.#wanted = null;
    await this.#load(at);
  });

  /** @param {number} at */
  async #load(at) {
    try {
      this.#show(await api.get(at < 0 ? "/replay" : `/replay?at=${at}`));
      byId("alert").textContent = this.#notice;
      this.#notice = "";
    } catch (error) {
      this.#pause();
      byId("alert").textContent = describeError(error);
    }
  }

  /** @param {any} moment */
  #show(moment) {
    this.moment = moment;
    this.#setLastMoment(moment.upto);
    this.#following = moment.running && moment.at === moment.upto;
    slider.value = String(moment.at);
    if (location.hash !== `#${moment.at}`) history.replaceState(null, "", `#${moment.at}`);
    showMoment(moment);
    this.#showFelt();
    this.#showPosition();
    void this.hands.update(moment);
  }

  #showFelt() {
    if (this.moment) this.felt.showContents(this.moment.over, describeFelt(this.moment));
  }

  /** @param {number} upto */
  #setLastMoment(upto) {
    this.#lastMoment = Math.max(upto, this.#lastMoment);
    slider.max = String(this.#lastMoment);
  }

  #showPosition() {
    const { at, walk: step, running } = this.moment;
    const live = this.#following ? ", live" : running && at < this.#lastMoment ? ", the game goes on" : "";
    const words = `Moment ${at} of ${this.#lastMoment}, throw ${step.throw} of ${step.throws}${live}`;
    byId("mark").textContent = words;
    byId("mark").classList.toggle("live", this.#following);
    slider.setAttribute("aria-valuetext", words);
    const barred = { previous: step.previous === null, next: step.next === null };
    const atEnd = at >= this.#lastMoment;
    for (const [id, off] of Object.entries({ ...barred, first: !at, back: !at, forward: atEnd, last: atEnd })) {
      byId(id).setAttribute("aria-disabled", String(off));
    }
  }

  /** Listen to new entries. A page at the last moment follows the game. */
  #listenForEntries() {
    const stream = new EventSource(`${api.base}/events?after=${this.#lastMoment}`);
    stream.addEventListener("entry", (event) => {
      this.#setLastMoment(Number(event.lastEventId));
      if (this.#following) this.go(-1);
      else this.#showPosition();
    });
    stream.addEventListener("error", () => {
      if (stream.readyState === EventSource.CLOSED) window.setTimeout(() => this.#listenForEntries(), 2000);
    });
  }

  // Steps and playback

  /** @param {string} how */
  walk(how) {
    if (!this.moment) return;
    const { at, walk } = this.moment;
    const here = this.#wanted ?? at;
    /** @type {Record<string, number | null>} */
    const ways = { first: 0, back: here - 1, forward: here + 1, last: -1, previous: walk.previous, next: walk.next };
    const to = ways[how];
    if (to === null || (how === "back" && to < 0) || (how === "forward" && to > this.#lastMoment)) return;
    this.go(to);
  }

  togglePlay() {
    if (this.#timer !== undefined) this.#pause();
    else if (this.moment?.at >= this.#lastMoment && !this.moment?.running) this.#play(0);
    else this.#play();
  }

  /** @param {number} [from] */
  #play(from) {
    if (from !== undefined) this.go(from);
    showPlaying(true);
    const beat = () => {
      this.#timer = window.setTimeout(beat, Number(pace.value));
      if (this.moment.at < this.#lastMoment) this.walk("forward");
      else if (!this.moment.running) this.#pause();
    };
    this.#timer = window.setTimeout(beat, Number(pace.value));
  }

  #pause() {
    window.clearTimeout(this.#timer);
    this.#timer = undefined;
    showPlaying(false);
  }

  // Controls

  #listen() {
    for (const how of ["first", "back", "forward", "last", "previous", "next"])
      byId(how).addEventListener("click", () => this.walk(how));
    byId("play").addEventListener("click", () => this.togglePlay());
    slider.addEventListener("input", () => this.go(Number(slider.value)));
    window.addEventListener("hashchange", () => this.#goToAddress(momentFromHash()));
    document.addEventListener("keydown", (event) => this.#onKey(event));
    byId("copy").addEventListener("click", () => void this.#copyLink());
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const on = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (on.closest("input, select, textarea")) return;
    if (event.key === " " && on.closest("button, a, summary")) return;
    const far = event.shiftKey;
    /** @type {Record<string, string>} */
    const keys = {
      ArrowLeft: far ? "previous" : "back",
      ArrowRight: far ? "next" : "forward",
      PageUp: "previous",
      PageDown: "next",
      Home: "first",
      End: "last",
      " ": "play",
    };
    const how = keys[event.key];
    if (!how || (on.closest(".scroll") && /^Arrow/.test(event.key) && !far)) return;
    event.preventDefault();
    if (how === "play") this.togglePlay();
    else this.walk(how);
  }

  async #copyLink() {
    let words = "The link is copied.";
    try {
      await navigator.clipboard.writeText(location.href);
    } catch {
      words = location.href; // The browser does not allow it, so show the link.
    }
    byId("copied").textContent = words;
  }

  /** Show the views that this felt has. A phone starts with the shooter's end. */
  #setUpViews() {
    const narrow = window.matchMedia("(max-width: 43rem)").matches;
    const there = [...this.felt.views, "none"];
    for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("input[name=view]"))) {
      input.parentElement?.toggleAttribute("hidden", !there.includes(input.value));
      input.addEventListener("change", () => this.felt.setView(input.value));
    }
    const shooter = this.moment?.players.find((/** @type {any} */ item) => item.name === this.moment.shooter);
    const end = `end:${shooter?.end ?? "left"}`;
    const view = narrow && there.includes(end) ? end : "whole";
    const chosen = document.querySelector(`input[name=view][value="${view}"]`);
    if (chosen instanceof HTMLInputElement) chosen.checked = true;
    this.felt.setView(view);
  }
}

/** Return the moment in the address, or -1. */
function momentFromHash() {
  const found = /^#(\d{1,15})$/.exec(location.hash);
  return found ? Number(found[1]) : -1;
}

/** @param {boolean} on */
function showPlaying(on) {
  const button = byId("play");
  const words = on ? "Pause" : "Play";
  button.title = words;
  const label = button.querySelector("span");
  if (label) label.textContent = words;
  button.querySelector("path")?.setAttribute("d", on ? PAUSE : PLAY);
}

/** @typedef {{hand: number, shooter: string | null, throws: number[][]}} Hand */

/** The hands of the game with a button for each throw. */
class HandList {
  #firstHand = 0;
  #throws = -1;
  #pageSize = 50;
  #moment = -1;

  /** @param {(path: string) => Promise<any>} get @param {(at: number) => void} go */
  constructor(get, go) {
    this.get = get;
    this.go = go;
  }

  /** Show the hand of a moment and mark its throw. @param {any} moment */
  async update(moment) {
    const { hand, throws } = moment.walk;
    this.#moment = moment.at;
    const wanted = Math.max(1, hand);
    const here = this.#firstHand && wanted >= this.#firstHand && wanted < this.#firstHand + this.#pageSize;
    if (!here || throws !== this.#throws) {
      this.#throws = throws;
      await this.#load(here ? this.#firstHand : Math.max(1, wanted - Math.floor(this.#pageSize / 2)));
    }
    this.#markCurrent();
  }

  /** @param {number} first */
  async #load(first) {
    const data = await this.get(`/replay/hands?from=${first}`);
    this.#firstHand = first;
    this.#pageSize = data.page;
    if (!data.of) return byId("hands").replaceChildren(makeQuiet("No throw yet."));
    const list = makeElement("ol", { class: "hands" }, ...data.hands.map((/** @type {Hand} */ item) => this.#makeHand(item)));
    const next = first + data.hands.length;
    const earlier = first > 1 && this.#makePager("Earlier hands", Math.max(1, first - this.#pageSize));
    byId("hands").replaceChildren(list, makeElement("p", { class: "turn" }, earlier, next <= data.of && this.#makePager("Later hands", next)));
    return undefined;
  }

  /** @param {string} words @param {number} first */
  #makePager(words, first) {
    return makeButton(words, () => void this.#load(first).then(() => this.#markCurrent()));
  }

  /** @param {Hand} hand */
  #makeHand(hand) {
    const title = `Hand ${hand.hand}${hand.shooter ? `, ${showName(hand.shooter)}` : ""}`;
    const throws = makeElement("span", { class: "throws" }, ...hand.throws.map((item) => this.#makeThrow(item)));
    return makeElement("li", {}, makeElement("span", { class: "whose" }, title), throws);
  }

  /** @param {number[]} thrown */
  #makeThrow([at, first, second]) {
    const words = first ? `${first}-${second}` : "no roll";
    const button = makeButton(words, () => this.go(at), `${words}, moment ${at}`);
    button.dataset.at = String(at);
    return button;
  }

  #markCurrent() {
    byId("hands").querySelector("[aria-current]")?.removeAttribute("aria-current");
    byId("hands").querySelector(`button[data-at="${this.#moment}"]`)?.setAttribute("aria-current", "true");
  }
}

/** @typedef {any} Moment One line of the game and the table after it, as `/replay` sends it. */

/** @type {Record<string, string>} */
const ACCOUNTS = { drop: "Drop (cash)", bank: "Bank", promotions: "Promotions", vigorish: "Vigorish", tokes: "Tokes", layout: "on the layout" };
/** @type {Record<string, string>} */
const RESULTS = { win: "wins", lose: "loses", push: "pushes", return: "comes back" };

/** Return a remark. @param {string} words */
const makeQuiet = (words) => makeElement("p", { class: "quiet" }, words);

/** Show everything of a moment except the felt. @param {Moment} moment */
function showMoment(moment) {
  byId("facts").replaceChildren(...makeFacts(moment));
  byId("moment").replaceChildren(...makeLine(moment));
  byId("settled").replaceChildren(makeSettlements(moment));
  byId("rails").replaceChildren(makeRails(moment));
  byId("wagers").replaceChildren(makeWagers(moment));
  byId("ledger").replaceChildren(makeLedger(moment));
  byId("work").replaceChildren(makeWork(moment));
  byId("proof").replaceChildren(makeProof(moment));
}

/** Return in words what the felt shows. @param {Moment} moment */
function describeFelt(moment) {
  const up = moment.players.flatMap((/** @type {any} */ item) =>
    item.wagers.map((/** @type {any} */ bet) => `${showName(item.name)} ${bet.name} ${formatDollars(bet.amount)}`),
  );
  const puck = moment.puck ? `the puck on ${moment.puck}` : "the puck off";
  return `The felt: ${puck}; ${up.length ? up.join(", ") : "nothing up"}`;
}

/** @param {Moment} moment */
function makeFacts(moment) {
  const puck = makeElement("span", { class: `puck ${moment.puck ? "on" : "off"}` }, moment.puck ? `On ${moment.puck}` : "Off");
  const data = [moment.shooter ? `${showName(moment.shooter)} has the dice` : "nobody has the dice"];
  if (moment.status !== "live") data.push(moment.status === "dead" ? "a dead game" : "closed");
  if (moment.clock) data.push(`clock ${moment.clock}`);
  return [puck, ` ${data.join(", ")}`];
}

/** @param {Moment} moment */
function describeSpeaker(moment) {
  const name = moment.by && moment.by !== moment.role ? showName(moment.by) : "";
  const by = [plainName(moment.role ?? ""), name].filter(Boolean).join(" ") || "the table";
  const time = moment.time ? moment.time.replace("T", " ").replace(/\.\d+Z$/, " UTC") : "";
  const place = moment.line ? `line ${moment.line}` : "";
  return [by, time, place].filter(Boolean).join(", ");
}

/** Return the line, its speaker, the call, and what happened. @param {Moment} moment */
function makeLine(moment) {
  const said = showName(moment.said);
  /** @type {HTMLElement[]} */
  const shown = [makeElement("p", { class: "line" }, said || (moment.at ? "" : "The table opens.")), makeElement("p", { class: "who" }, describeSpeaker(moment))];
  if (moment.throw) {
    const faces = makeElement("span", { class: "dice" }, makeDie(moment.throw.dice[0]), makeDie(moment.throw.dice[1]));
    const words = makeElement("span", { class: "unseen" }, `${moment.throw.dice.join(" and ")}: `);
    shown.push(makeElement("p", { class: "call" }, faces, words, moment.throw.call));
    if (moment.throw.hand) shown.push(makeElement("p", { class: "luck" }, `The hand ends: ${moment.throw.hand}.`));
  }
  const words = moment.words.filter((/** @type {string} */ item) => item.replaceAll("$", "") !== said);
  if (words.length) shown.push(makeElement("ul", { class: "words" }, ...words.map((/** @type {string} */ item) => makeElement("li", {}, item))));
  for (const item of moment.refusals) {
    const cite = makeElement("span", {}, " [", clauseLink(moment.rulebook, item.cite), "]");
    shown.push(makeElement("p", { class: "refused" }, makeElement("strong", {}, "Refused: "), `${showName(item.said)}: ${item.reason}`, item.cite && cite));
  }
  return shown.filter((item) => item.textContent || item.childElementCount);
}

/** @param {any} done */
function describeResult(done) {
  if (done.result === "travel") return `travels to ${done.to_name}`;
  const odds = done.odds ? ` at ${done.odds}` : "";
  const vig = Number(done.vig) ? `, vigorish ${formatDollars(done.vig)}` : "";
  return `${RESULTS[done.result] ?? done.result}${done.result === "win" ? odds : ""}${vig}`;
}

/** @param {Moment} moment */
function makeSettlements(moment) {
  const done = moment.throw?.settlements ?? [];
  if (!moment.throw) return makeQuiet("No throw at this moment.");
  if (!done.length) return makeQuiet("The throw settles no bets.");
  return makeTable(
    "Settlements of this throw",
    ["Player", "Wager", "#Stake", "Result", "#Paid", "Clause"],
    done.map((/** @type {any} */ item) => [
      showName(item.player),
      item.name,
      formatDollars(item.stake),
      makeElement("span", { class: item.result }, describeResult(item)),
      Number(item.paid) ? formatDollars(item.paid) : "",
      clauseLink(moment.rulebook, item.cite),
    ]),
  );
}

/** @param {Moment} moment */
function makeRails(moment) {
  if (!moment.players.length) return makeQuiet("Nobody is at the table.");
  return makeTable(
    "Rails",
    ["Player", "#Place", "#Rail", "#Bought in"],
    moment.players.map((/** @type {any} */ item) => [
      showName(item.name) + (item.here ? "" : " (left)"),
      String(item.place),
      formatDollars(item.rail),
      formatDollars(item.bought_in),
    ]),
  );
}

/** @param {Moment} moment */
function makeWagers(moment) {
  const everybody = [...moment.players, { name: "the dealers", wagers: moment.dealers }];
  const up = everybody.flatMap((item) =>
    item.wagers.map((/** @type {any} */ bet) => [showName(item.name), bet.name, formatDollars(bet.amount), bet.working ? "working" : "off"]),
  );
  if (!up.length) return makeQuiet("No bets are up.");
  return makeTable("Wagers", ["Player", "Wager", "#Amount", "Next throw"], up);
}

/** @param {Moment} moment */
function makeLedger(moment) {
  const { accounts, sum } = moment.ledger;
  return makeTable(
    "Ledger",
    ["Account", "#Holds", "#Change"],
    accounts.map((/** @type {any} */ item) => [
      item.player ? `${showName(item.player)}: ${ACCOUNTS[item.account] ?? item.account}` : ACCOUNTS[item.account],
      formatDollars(item.holds),
      Number(item.change) ? formatDollars(item.change, true) : "",
    ]),
    { footer: ["Sum", formatDollars(sum), ""] },
  );
}

/** @param {Moment} moment */
function makeWork(moment) {
  if (!moment.throw) return makeQuiet("After a throw, its work list is shown here.");
  const tasks = moment.throw.work;
  if (!tasks) return makeQuiet("At this table only the crew sees the work list.");
  if (!tasks.length) return makeQuiet("There is nothing to do: a machine deals this game.");
  const rows = tasks.map((/** @type {any} */ task) => [task.by, task.words, clauseLink(moment.rulebook, task.cite)]);
  return makeTable("The crew's work on this throw", ["Who", "What", "Clause"], rows);
}

void new ReplayPage().start();
