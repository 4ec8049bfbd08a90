// @ts-check
/** A game walked through: every step asks the server for the moment, and shows it. */

import { TableApi } from "./api.js";
import { byId } from "./replay_dom.js";
import { FeltPicture } from "./replay_felt.js";
import { HandList } from "./replay_hands.js";
import { describeFelt, showMoment } from "./replay_parts.js";

const api = new TableApi(byId("replay").dataset.table ?? "");
const slider = /** @type {HTMLInputElement} */ (byId("slider"));
const pace = /** @type {HTMLSelectElement} */ (byId("pace"));
const PLAY = byId("play").querySelector("path")?.getAttribute("d") ?? "";
const PAUSE = "M7 4v16h4V4zM14 4v16h4V4z";

class ReplayPage {
  /** @type {any} */
  moment = null;
  #lastMoment = 0;
  /** The moment that is wanted next; -1: the last there is. @type {number | null} */
  #wanted = null;
  #loading = false;
  /** What is told once the next moment is shown. */
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

  /** An address that names no moment: the last one is shown, and what was wrong is told. */
  async #loadLast() {
    const words = byId("alert").textContent;
    await this.#load(-1);
    byId("alert").textContent = words;
  }

  /** Go to a moment; -1 is the last. @param {number} at */
  go(at) {
    this.#wanted = at < 0 ? -1 : Math.min(at, this.#lastMoment);
    void this.#loadWanted();
  }

  /** Go where the address says; one that names no moment is told. @param {number} at */
  #goToAddress(at) {
    const upto = this.#lastMoment;
    this.#notice = at > upto ? `There is no moment ${at}: this is the last, ${upto}.` : "";
    this.go(at);
  }

  /** Only the latest wish is asked for. */
  async #loadWanted() {
    if (this.#loading) return;
    this.#loading = true;
    while (this.#wanted !== null) {
      const at = this.#wanted;
      this.#wanted = null;
      await this.#load(at);
    }
    this.#loading = false;
  }

  /** @param {number} at */
  async #load(at) {
    try {
      this.#show(await api.get(at < 0 ? "/replay" : `/replay?at=${at}`));
      byId("alert").textContent = this.#notice;
      this.#notice = "";
    } catch (error) {
      this.#pause();
      byId("alert").textContent = error instanceof Error ? error.message : String(error);
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
    setDisabled("first", at === 0);
    setDisabled("back", at === 0);
    setDisabled("previous", step.previous === null);
    setDisabled("next", step.next === null);
    setDisabled("forward", at >= this.#lastMoment);
    setDisabled("last", at >= this.#lastMoment);
  }

  /** Entries as they come: at the end the page goes on with the game. */
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

  // Walking

  /** @param {string} how */
  walk(how) {
    if (!this.moment) return;
    const { at, walk } = this.moment;
    const here = this.#wanted ?? at;
    /** @type {Record<string, number | null>} */
    const ways = {
      first: 0,
      back: here - 1,
      forward: here + 1,
      last: -1,
      previous: walk.previous,
      next: walk.next,
    };
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

  // What people do

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
      words = location.href; // the browser does not let us: here it is, to be taken by hand
    }
    byId("copied").textContent = words;
  }

  /** The radio buttons of the parts that this felt has; a phone begins at the shooter's end. */
  #setUpViews() {
    const narrow = window.matchMedia("(max-width: 43rem)").matches;
    const there = [...this.felt.views, "none"];
    for (const one of document.querySelectorAll("input[name=view]")) {
      const input = /** @type {HTMLInputElement} */ (one);
      const label = /** @type {HTMLElement} */ (input.parentElement);
      label.hidden = !there.includes(input.value);
      input.addEventListener("change", () => this.felt.setView(input.value));
    }
    const shooter = this.moment?.players.find(
      (/** @type {any} */ one) => one.name === this.moment.shooter,
    );
    const end = `end:${shooter?.end ?? "left"}`;
    const view = narrow && there.includes(end) ? end : "whole";
    const chosen = document.querySelector(`input[name=view][value="${view}"]`);
    if (chosen instanceof HTMLInputElement) chosen.checked = true;
    this.felt.setView(view);
  }
}

/** The moment that the address names; -1: none. */
function momentFromHash() {
  const found = /^#(\d{1,15})$/.exec(location.hash);
  return found ? Number(found[1]) : -1;
}

/** @param {string} id @param {boolean} barred */
function setDisabled(id, barred) {
  byId(id).setAttribute("aria-disabled", String(barred));
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

void new ReplayPage().start();
