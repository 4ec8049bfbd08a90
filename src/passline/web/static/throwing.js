// @ts-check
/** A throw: asked for by button, key or flick; the dice roll; the stick calls, aloud if wished. */

import { box, button, kept, made, moving, part } from "./dom.js";
import { cents, shown } from "./money.js";

/** Pixels of a flick, and milliseconds that dice roll. */
const FLICK = 40;
const ROLLS = 750;
const LINES = 50;

export class Throwing {
  #seen = -1;
  /** @type {{puck: number | null, shooter: string | null}} */
  #was = { puck: null, shooter: null };

  /** @param {import("./table.js").TablePage} page */
  constructor(page) {
    this.page = page;
    for (const act of ["roll", "undo", "ready"]) {
      button(act).addEventListener("click", () => void this.act(act));
    }
    this.#flicked(part("dice"));
    this.#voice(); // a browser looks for its voices when it is first asked
    box("voice").checked = kept.get("voice") === "on";
    box("voice").addEventListener("change", () => {
      kept.put("voice", box("voice").checked ? "on" : "off");
      if (box("voice").checked && !this.#voice()) this.page.telling.note("This browser has no voice of its own here.");
    });
  }

  /** @param {string} act */
  async act(act) {
    const bar = this.page.sight?.acts[act]?.bar;
    if (bar) this.page.telling.bar(bar);
    else await this.page.betting.say(act);
  }

  /** A flick of the dice throws them. @param {HTMLElement} on */
  #flicked(on) {
    /** @type {{x: number, y: number} | null} */
    let from = null;
    on.addEventListener("pointerdown", (event) => {
      from = { x: event.clientX, y: event.clientY };
      on.setPointerCapture(event.pointerId);
    });
    on.addEventListener("pointercancel", () => (from = null));
    window.addEventListener("pointerup", (event) => {
      const far = from ? Math.hypot(event.clientX - from.x, event.clientY - from.y) : 0;
      from = null;
      if (far > FLICK && !part("controls").hidden) void this.act("roll");
    });
  }

  /** A sight came: was there a throw? One announcement for each. @param {any} sight */
  saw(sight) {
    const thrown = sight.throws ?? 0;
    const was = this.#was;
    this.#was = { puck: sight.puck, shooter: sight.shooter };
    if (thrown === this.#seen) return;
    const first = this.#seen < 0;
    this.#seen = thrown;
    if (!sight.last) {
      this.#tray([]);
      return;
    }
    const { last } = sight;
    const hand = last.hand ? ` The hand had ${last.hand.words}.` : "";
    this.#log(`${last.dice.join(" and ")}: ${last.call}.${this.#net(last.net)}${hand}${first ? "" : this.#news(sight, was)}`);
    this.#tray(last.dice);
    this.page.crew.list(last.moves ?? []);
    if (first) return;
    this.page.telling.clear(); // of what was said before the throw
    if (box("voice").checked) this.#speak(last.call);
    void this.page.crew.run(last, this.#roll(last.dice));
  }

  /** @param {string} words */
  #log(words) {
    const log = part("stick");
    log.append(made("p", {}, words));
    while (log.childElementCount > LINES) log.firstElementChild?.remove();
    log.scrollTop = log.scrollHeight;
  }

  /** What one won or lost. @param {string | null | undefined} net */
  #net(net) {
    if (net === null || net === undefined) return "";
    const amount = cents(net);
    if (amount > 0) return ` You win ${shown(amount)}.`;
    return amount < 0 ? ` You lose ${shown(-amount)}.` : " You are even.";
  }

  /** What is new after it: the point, the shooter, one's bets that moved.
   * @param {any} sight @param {{puck: number | null, shooter: string | null}} was */
  #news(sight, was) {
    const moved = (sight.last.moves ?? []).filter((/** @type {any} */ m) => m.to && m.player === sight.me);
    const told = moved.map((/** @type {any} */ m) => ` Your ${this.page.name(m.wager)} is now ${this.page.name(m.to)}.`);
    if (sight.puck !== was.puck) told.push(sight.puck ? ` The point is ${sight.puck}.` : " The puck is off.");
    if (sight.shooter !== was.shooter && sight.shooter) told.push(` ${sight.shooter} shoots.`);
    return told.join("");
  }

  /** The voice that speaks: one of this machine, so that nothing goes to another host. */
  #voice() {
    if (!("speechSynthesis" in window)) return undefined;
    return speechSynthesis.getVoices().find((voice) => voice.localService && voice.lang.startsWith("en"));
  }

  /** @param {string} words */
  #speak(words) {
    const voice = this.#voice();
    if (!voice) return;
    const said = new SpeechSynthesisUtterance(words);
    said.voice = voice;
    speechSynthesis.speak(said);
  }

  /** @param {number} face */
  #die(face) {
    const die = made("span", { class: "face", "data-face": String(face) });
    for (let pip = 0; pip < face; pip += 1) die.append(made("i"));
    return die;
  }

  /** @param {number[]} dice */
  #tray(dice) {
    part("dice").replaceChildren(...(dice.length ? dice : [5, 2]).map((face) => this.#die(face)));
    part("dice").classList.toggle("waiting", !dice.length);
  }

  /** The dice across the felt. @param {number[]} dice @returns {Promise<void>} */
  async #roll(dice) {
    if (!moving() || document.hidden || this.page.texting) return;
    const stage = part("stage");
    const side = this.page.sight?.watched === "left" ? 1 : -1;
    const wide = stage.clientWidth;
    const high = stage.clientHeight;
    const flights = dice.map((face, at) => {
      const die = this.#die(face);
      die.classList.add("thrown");
      stage.append(die);
      const end = { x: wide / 2 - side * wide * (0.12 + at * 0.07), y: high * (0.46 + at * 0.1) };
      const turn = side * -(640 + at * 180);
      const begin = `translate(${wide / 2 + side * wide * 0.48}px, ${high * 0.9}px) rotate(0deg) scale(0.9)`;
      const middle = `translate(${end.x + side * wide * 0.12}px, ${end.y - high * 0.16}px) rotate(${turn * 0.7}deg) scale(1)`;
      const rest = `translate(${end.x}px, ${end.y}px) rotate(${turn}deg) scale(0.6)`;
      const flight = die.animate([{ transform: begin }, { transform: middle, offset: 0.6 }, { transform: rest }], {
        duration: ROLLS + at * 90,
        easing: "cubic-bezier(.2,.7,.3,1)",
        fill: "forwards",
      });
      window.setTimeout(() => die.remove(), ROLLS + 1400);
      return flight.finished;
    });
    await Promise.all(flights).catch(() => undefined);
  }
}
