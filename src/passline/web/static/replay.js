// @ts-check
/** A game walked through: every step asks the server for the moment, and shows it. */

import { TableApi } from "./api.js";
import { part } from "./replay_dom.js";
import { ReplayFelt } from "./replay_felt.js";
import { Hands } from "./replay_hands.js";
import { feltWords, showMoment } from "./replay_parts.js";

const api = new TableApi(part("replay").dataset.table ?? "");
const slider = /** @type {HTMLInputElement} */ (part("slider"));
const pace = /** @type {HTMLSelectElement} */ (part("pace"));
const PLAY = part("play").querySelector("path")?.getAttribute("d") ?? "";
const PAUSE = "M7 4v16h4V4zM14 4v16h4V4z";

class Replay {
  /** @type {any} */
  moment = null;
  #upto = 0;
  /** The moment that is wanted next; -1: the last there is. @type {number | null} */
  #wanted = null;
  #asking = false;
  /** What is told once the next moment is shown. */
  #told = "";
  #following = false;
  /** @type {number | undefined} */
  #timer = undefined;

  constructor() {
    this.felt = new ReplayFelt(part("felt"));
    this.hands = new Hands((path) => api.get(path), (at) => this.go(at));
  }

  async begin() {
    this.#listen();
    await this.#ask(fromHash());
    if (!this.moment && fromHash() >= 0) await this.#lastInstead();
    this.felt.show(await api.get("/replay/felt"));
    this.#views();
    this.#lay();
    if (this.moment?.running) this.#follow();
  }

  /** An address that names no moment: the last one is shown, and what was wrong is told. */
  async #lastInstead() {
    const words = part("alert").textContent;
    await this.#ask(-1);
    part("alert").textContent = words;
  }

  /** Go to a moment; -1 is the last. @param {number} at */
  go(at) {
    this.#wanted = at < 0 ? -1 : Math.min(at, this.#upto);
    void this.#next();
  }

  /** Go where the address says; one that names no moment is told. @param {number} at */
  #named(at) {
    const upto = this.#upto;
    this.#told = at > upto ? `There is no moment ${at}: this is the last, ${upto}.` : "";
    this.go(at);
  }

  /** Only the latest wish is asked for. */
  async #next() {
    if (this.#asking) return;
    this.#asking = true;
    while (this.#wanted !== null) {
      const at = this.#wanted;
      this.#wanted = null;
      await this.#ask(at);
    }
    this.#asking = false;
  }

  /** @param {number} at */
  async #ask(at) {
    try {
      this.#show(await api.get(at < 0 ? "/replay" : `/replay?at=${at}`));
      part("alert").textContent = this.#told;
      this.#told = "";
    } catch (wrong) {
      this.#pause();
      part("alert").textContent = wrong instanceof Error ? wrong.message : String(wrong);
    }
  }

  /** @param {any} moment */
  #show(moment) {
    this.moment = moment;
    this.#grown(moment.upto);
    this.#following = moment.running && moment.at === moment.upto;
    slider.value = String(moment.at);
    if (location.hash !== `#${moment.at}`) history.replaceState(null, "", `#${moment.at}`);
    showMoment(moment);
    this.#lay();
    this.#where();
    void this.hands.follow(moment);
  }

  #lay() {
    if (this.moment) this.felt.lay(this.moment.over, feltWords(this.moment));
  }

  /** @param {number} upto */
  #grown(upto) {
    this.#upto = Math.max(upto, this.#upto);
    slider.max = String(this.#upto);
  }

  #where() {
    const { at, walk, running } = this.moment;
    const live = this.#following ? ", live" : running && at < this.#upto ? ", the game goes on" : "";
    const words = `Moment ${at} of ${this.#upto}, throw ${walk.throw} of ${walk.throws}${live}`;
    part("mark").textContent = words;
    part("mark").classList.toggle("live", this.#following);
    slider.setAttribute("aria-valuetext", words);
    off("first", at === 0);
    off("back", at === 0);
    off("previous", walk.previous === null);
    off("next", walk.next === null);
    off("forward", at >= this.#upto);
    off("last", at >= this.#upto);
  }

  /** Entries as they come: at the end the page goes on with the game. */
  #follow() {
    const stream = new EventSource(`${api.base}/events?after=${this.#upto}`);
    stream.addEventListener("entry", (event) => {
      this.#grown(Number(event.lastEventId));
      if (this.#following) this.go(-1);
      else this.#where();
    });
    stream.addEventListener("error", () => {
      if (stream.readyState === EventSource.CLOSED) window.setTimeout(() => this.#follow(), 2000);
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
    if (to === null || (how === "back" && to < 0) || (how === "forward" && to > this.#upto)) return;
    this.go(to);
  }

  toggle() {
    if (this.#timer !== undefined) this.#pause();
    else if (this.moment?.at >= this.#upto && !this.moment?.running) this.#play(0);
    else this.#play();
  }

  /** @param {number} [from] */
  #play(from) {
    if (from !== undefined) this.go(from);
    played(true);
    const beat = () => {
      this.#timer = window.setTimeout(beat, Number(pace.value));
      if (this.moment.at < this.#upto) this.walk("forward");
      else if (!this.moment.running) this.#pause();
    };
    this.#timer = window.setTimeout(beat, Number(pace.value));
  }

  #pause() {
    window.clearTimeout(this.#timer);
    this.#timer = undefined;
    played(false);
  }

  // What people do

  #listen() {
    for (const how of ["first", "back", "forward", "last", "previous", "next"])
      part(how).addEventListener("click", () => this.walk(how));
    part("play").addEventListener("click", () => this.toggle());
    slider.addEventListener("input", () => this.go(Number(slider.value)));
    window.addEventListener("hashchange", () => this.#named(fromHash()));
    document.addEventListener("keydown", (event) => this.#key(event));
    part("copy").addEventListener("click", () => void this.#copy());
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
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
    if (how === "play") this.toggle();
    else this.walk(how);
  }

  async #copy() {
    let words = "The link is copied.";
    try {
      await navigator.clipboard.writeText(location.href);
    } catch {
      words = location.href; // the browser does not let us: here it is, to be taken by hand
    }
    part("copied").textContent = words;
  }

  /** The radio buttons of the parts that this felt has; a phone begins at the shooter's end. */
  #views() {
    const narrow = window.matchMedia("(max-width: 43rem)").matches;
    const there = [...this.felt.views, "none"];
    for (const one of document.querySelectorAll("input[name=view]")) {
      const input = /** @type {HTMLInputElement} */ (one);
      const label = /** @type {HTMLElement} */ (input.parentElement);
      label.hidden = !there.includes(input.value);
      input.addEventListener("change", () => this.felt.look(input.value));
    }
    const shooter = this.moment?.players.find(
      (/** @type {any} */ one) => one.name === this.moment.shooter,
    );
    const end = `end:${shooter?.end ?? "left"}`;
    const view = narrow && there.includes(end) ? end : "whole";
    const chosen = document.querySelector(`input[name=view][value="${view}"]`);
    if (chosen instanceof HTMLInputElement) chosen.checked = true;
    this.felt.look(view);
  }
}

/** The moment that the address names; -1: none. */
function fromHash() {
  const found = /^#(\d{1,15})$/.exec(location.hash);
  return found ? Number(found[1]) : -1;
}

/** @param {string} id @param {boolean} barred */
function off(id, barred) {
  part(id).setAttribute("aria-disabled", String(barred));
}

/** @param {boolean} on */
function played(on) {
  const button = part("play");
  const words = on ? "Pause" : "Play";
  button.title = words;
  const label = button.querySelector("span");
  if (label) label.textContent = words;
  button.querySelector("path")?.setAttribute("d", on ? PAUSE : PLAY);
}

void new Replay().begin();
