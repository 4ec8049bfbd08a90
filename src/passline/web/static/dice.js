// @ts-check
/** The dice and the stick's calls. A button, a key or a flick of the dice throws them; then they roll
 * over the felt, and the call goes into the log and, if the player wishes, is spoken. */

import { buttonById, byId, inputById, localStore, makeDie, makeElement, motionAllowed } from "./dom.js";
import { formatMoney, parseCents } from "./money.js";

/** Pixels of a flick, milliseconds of a roll, and calls that the log keeps. */
const FLICK_PIXELS = 40;
const ROLL_MS = 750;
const MAX_CALLS = 50;

/** The dice tray, the log of calls, and the roll animation. */
export class DiceThrows {
  #throwsShown = -1;
  /** @type {{puck: number | null, shooter: string | null}} */
  #before = { puck: null, shooter: null };

  /** @param {import("./table.js").TablePage} page */
  constructor(page) {
    this.page = page;
    for (const sayAct of ["roll", "undo", "ready"]) {
      buttonById(sayAct).addEventListener("click", () => void this.sayAct(sayAct));
    }
    this.#listenForFlick(byId("dice"));
    this.#findVoice(); // A browser loads its voices when they are first requested.
    inputById("voice").checked = localStore.get("voice") === "on";
    inputById("voice").addEventListener("change", () => {
      localStore.put("voice", inputById("voice").checked ? "on" : "off");
      if (inputById("voice").checked && !this.#findVoice()) this.page.messages.showNote("This browser has no voice on this device.");
    });
  }

  /** @param {string} act */
  async sayAct(act) {
    const bar = this.page.state?.acts[act]?.bar;
    if (bar) this.page.messages.showBar(bar);
    else await this.page.bets.say(act);
  }

  /** Roll when the player flicks the dice. @param {HTMLElement} on */
  #listenForFlick(on) {
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
      if (far > FLICK_PIXELS && this.page.state?.seat?.here) void this.sayAct("roll");
    });
  }

  /** Announce a throw that the new state contains: the call, the player's result, and what changed. @param {any} state */
  update(state) {
    const throws = state.throws ?? 0;
    const before = this.#before;
    this.#before = { puck: state.puck, shooter: state.shooter };
    if (throws === this.#throwsShown) return;
    const first = this.#throwsShown < 0;
    this.#throwsShown = throws;
    if (!state.last) {
      this.#showDice([]);
      return;
    }
    const { last } = state;
    const hand = last.hand ? ` The hand had ${last.hand.words}.` : "";
    this.#addCall(`${last.dice.join(" and ")}: ${last.call}.${this.#describeNet(last.net)}${hand}${first ? "" : this.#describeChanges(state, before)}`);
    this.#showDice(last.dice);
    this.page.crewAnimation.listMoves(last.moves ?? []);
    if (first) return;
    this.page.messages.clear(); // Messages from before the throw no longer apply.
    if (inputById("voice").checked) this.#speak(last.call);
    void this.page.crewAnimation.run(last, this.#animateRoll(last.dice));
  }

  /** @param {string} words */
  #addCall(words) {
    const log = byId("stick");
    log.append(makeElement("p", {}, words));
    while (log.childElementCount > MAX_CALLS) log.firstElementChild?.remove();
    log.scrollTop = log.scrollHeight;
  }

  /** Return what this player won or lost. @param {string | null | undefined} net */
  #describeNet(net) {
    if (net === null || net === undefined) return "";
    const amount = parseCents(net);
    if (amount > 0) return ` You win ${formatMoney(amount)}.`;
    return amount < 0 ? ` You lose ${formatMoney(-amount)}.` : " You are even.";
  }

  /** Return what the throw changed: own bets that moved, the point and the shooter.
   * @param {any} state @param {{puck: number | null, shooter: string | null}} before */
  #describeChanges(state, before) {
    const moved = (state.last.moves ?? []).filter((/** @type {any} */ m) => m.to && m.player === state.me);
    const sentences = moved.map((/** @type {any} */ m) => ` Your ${this.page.wagerName(m.wager)} is now ${this.page.wagerName(m.to)}.`);
    if (state.puck !== before.puck) sentences.push(state.puck ? ` The point is ${state.puck}.` : " The puck is off.");
    if (state.shooter !== before.shooter && state.shooter) sentences.push(` ${state.shooter} shoots.`);
    return sentences.join("");
  }

  /** Return an English voice of this device. Others would send the text to another host. */
  #findVoice() {
    if (!("speechSynthesis" in window)) return undefined;
    return speechSynthesis.getVoices().find((voice) => voice.localService && voice.lang.startsWith("en"));
  }

  /** @param {string} words */
  #speak(words) {
    const voice = this.#findVoice();
    if (!voice) return;
    const utterance = new SpeechSynthesisUtterance(words);
    utterance.voice = voice;
    speechSynthesis.speak(utterance);
  }

  /** @param {number[]} dice */
  #showDice(dice) {
    byId("dice").replaceChildren(...(dice.length ? dice : [5, 2]).map((face) => makeDie(face)));
    byId("dice").classList.toggle("waiting", !dice.length);
  }

  /** Animate the dice across the felt. @param {number[]} dice @returns {Promise<void>} */
  async #animateRoll(dice) {
    if (!motionAllowed() || document.hidden || this.page.inTextMode) return;
    const stage = byId("stage");
    const side = this.page.state?.watched === "left" ? 1 : -1;
    const wide = stage.clientWidth;
    const high = stage.clientHeight;
    const flights = dice.map((face, at) => {
      const die = makeDie(face);
      die.classList.add("thrown");
      stage.append(die);
      const end = { x: wide / 2 - side * wide * (0.12 + at * 0.07), y: high * (0.46 + at * 0.1) };
      const turn = side * -(640 + at * 180);
      const begin = `translate(${wide / 2 + side * wide * 0.48}px, ${high * 0.9}px) rotate(0deg) scale(0.9)`;
      const middle = `translate(${end.x + side * wide * 0.12}px, ${end.y - high * 0.16}px) rotate(${turn * 0.7}deg) scale(1)`;
      const rest = `translate(${end.x}px, ${end.y}px) rotate(${turn}deg) scale(0.6)`;
      const flight = die.animate([{ transform: begin }, { transform: middle, offset: 0.6 }, { transform: rest }], {
        duration: ROLL_MS + at * 90,
        easing: "cubic-bezier(.2,.7,.3,1)",
        fill: "forwards",
      });
      window.setTimeout(() => die.remove(), ROLL_MS + 1400);
      return flight.finished;
    });
    await Promise.all(flights).catch(() => undefined);
  }
}
