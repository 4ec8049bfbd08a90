// @ts-check
/** The dice and the stick's calls. A button, a key or a flick of the dice throws them. They fly over the
 * felt, and only when they rest does the page show what the throw did. There is one pair of dice: it
 * flies, lies on the felt, or lies in the tray of the player who may throw it. */

import { buttonById, byId, inputById, localStore, makeDie, makeElement, motionAllowed, showName } from "./dom.js";
import { FeltDice, HIT_SECONDS, middleOfDice, planThrow } from "./dice_animation.js";
import { formatMoney, parseCents } from "./money.js";

/** Pixels of a flick, and calls that the log keeps. */
const FLICK_PIXELS = 40;
const MAX_CALLS = 50;
/** Milliseconds within which a second click is part of a double click, and for which thrown dice lie on
 * the felt before the stick returns them. */
const DOUBLE_CLICK_MS = 500;
const LIE_MS = 2200;

/** The pair of dice, the lock of `Roll`, and the log of calls. */
export class DiceThrows {
  #lastShown = -1;
  /** @type {{puck: number | null, shooter: string | null}} */
  #before = { puck: null, shooter: null };
  /** From the press of Roll until the throw is shown. */
  #pressed = false;
  /** The entry of the throw that was pressed, once the server has answered. @type {number | null} */
  #awaited = null;
  #pressedAt = -Infinity;
  #flying = false;
  /** Until when the dice stay where they fell. */
  #liesUntil = 0;
  /** Where the dice of a throw fell. @type {{seq: number, at: import("./dice_animation.js").Point} | null} */
  #fallen = null;

  /** @param {import("./table.js").TablePage} page */
  constructor(page) {
    this.page = page;
    this.feltDice = new FeltDice(page.felt);
    for (const act of ["undo", "ready"]) buttonById(act).addEventListener("click", () => void this.sayAct(act));
    buttonById("roll").addEventListener("click", (event) => {
      const again = event.detail > 1 && performance.now() - this.#pressedAt < DOUBLE_CLICK_MS;
      if (!again) void this.roll();
    });
    buttonById("roll").addEventListener("keydown", (event) => event.repeat && event.preventDefault()); // One press is one throw.
    this.#listenForFlick(byId("dice"));
    this.#listenForSkip();
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

  /** Throw the dice, or show why that is not allowed. Does nothing from the press until the dice rest. */
  async roll() {
    if (this.locked) return;
    const bar = this.page.state?.acts.roll?.bar;
    if (bar) return this.page.messages.showBar(bar);
    this.#pressedAt = performance.now();
    this.#pressed = true;
    this.#awaited = null;
    this.showRoll();
    const accepted = await this.page.bets.say("roll");
    this.#awaited = accepted ? this.page.bets.lastSeq : -1;
    this.#unlockAfter(this.page.state?.seq ?? -1);
  }

  /** Whether a throw is under way: from the press of Roll until the dice rest. */
  get locked() {
    return this.#pressed || this.#flying;
  }

  /** Unlock Roll if the page shows the throw that was pressed. @param {number} seq the last entry that it shows */
  #unlockAfter(seq) {
    if (!this.#pressed || this.#awaited === null || seq < this.#awaited || this.#flying) return;
    this.#pressed = false;
    this.showRoll();
    this.placeDice();
  }

  /** Show whether Roll can be pressed now. */
  showRoll() {
    const { state } = this.page;
    const waits = state?.now_before !== undefined && this.page.updates.millisecondsUntil(state.betting_ends) > 0;
    const option = state?.acts.roll;
    buttonById("roll").setAttribute("aria-disabled", String(this.locked || waits || option === undefined || "bar" in option));
    buttonById("roll").title = waits ? state.now_before : (option?.bar?.reason ?? "");
  }

  /** Show throws before anything that they changed: the dice of the last one fly, and the others are
   * counted. Resolve when the dice rest. After an absence all are counted, unless it was only one.
   * @param {import("./page_stream.js").Throw[]} throws @param {any} state the table after them
   * @param {boolean} away whether the throws were made while the page was disconnected */
  async showThrows(throws, state, away) {
    const last = throws[throws.length - 1];
    const unseen = document.hidden || (away && throws.length > 1);
    const missed = unseen ? throws : throws.slice(0, -1);
    this.#flying = !unseen;
    this.page.crewAnimation.finish();
    if (missed.length) this.page.history.addMissed(missed, unseen);
    else this.page.history.clearMissed();
    for (const { dice, call } of throws.slice(0, -1)) this.#addCall(`${dice.join(" and ")}: ${call}.`);
    if (!unseen) await this.#fly(last, state);
    this.#flying = false;
    this.#pressed = false;
    if (unseen) return;
    this.page.crewAnimation.prepare();
    if (inputById("voice").checked) this.#speak(last.call);
  }

  /** Let the dice of a throw fly. Resolve when they rest, which is at once where nothing may move.
   * @param {import("./page_stream.js").Throw} thrown @param {any} state */
  async #fly({ seq, dice }, state) {
    const still = !motionAllowed() || this.page.inTextMode || state.post !== undefined;
    this.page.sounds.dice(still ? HIT_SECONDS.map((at) => at - HIT_SECONDS[0]) : HIT_SECONDS);
    if (still) return;
    const path = this.#planPath(state);
    this.#showTray(null);
    this.showRoll();
    this.page.details.setTipShown(false); // It would cover the dice.
    await this.feltDice.fly(dice, path);
    this.#fallen = { seq, at: path.rest };
    this.#liesUntil = performance.now() + LIE_MS;
    window.setTimeout(() => this.placeDice(), LIE_MS + 20);
  }

  /** Plan the path of a throw: from the shooter's place to where the dice rest. The page still shows the table
   * before the throw. @param {any} state the table after it */
  #planPath(state) {
    const before = this.page.state ?? state;
    const whole = this.page.felt.drawing?.views.whole ?? this.page.felt.frame;
    const plate = /<text[^>]* x="([-\d.]+)" y="([-\d.]+)"/.exec(before.felt[`plate/${before.shooter ?? before.due}`] ?? "");
    const edge = before.watched === "left" ? whole[0] + whole[2] : whole[0]; // The left end is the stick's left.
    const shooter = plate ? { x: Number(plate[1]), y: Number(plate[2]) } : { x: edge, y: whole[1] + whole[3] / 2 };
    const rest = middleOfDice(state.felt["dice/rest"]) ?? { x: whole[0] + whole[2] / 2, y: whole[1] + whole[3] / 2 };
    return planThrow(whole, this.page.felt.frame, shooter, rest);
  }

  /** Skip the flight with a click on the felt, Escape or Space. Such a click bets nothing: the felt still
   * shows the table before the throw. */
  #listenForSkip() {
    let skipped = false;
    /** @param {Event} event */
    const swallow = (event) => {
      event.preventDefault();
      event.stopPropagation();
    };
    byId("stage").addEventListener("pointerdown", (event) => {
      skipped = this.#flying;
      if (!skipped) return;
      event.stopPropagation();
      this.feltDice.skip();
    }, { capture: true });
    byId("stage").addEventListener("click", (event) => {
      if (skipped) swallow(event);
      skipped = false;
    }, { capture: true });
    document.addEventListener("visibilitychange", () => document.hidden && this.feltDice.skip()); // A hidden page animates nothing.
    let spaceHeld = false;
    window.addEventListener("keydown", (event) => {
      const typing = event.target instanceof Element && event.target.closest("input:not([type=radio], [type=checkbox]), textarea, select, dialog");
      if (event.key === " " && spaceHeld) return swallow(event);
      if (!this.#flying || typing || !["Escape", " "].includes(event.key)) return undefined;
      spaceHeld = event.key === " ";
      this.feltDice.skip();
      return swallow(event);
    }, { capture: true });
    window.addEventListener("keyup", (event) => {
      if (event.key !== " " || !spaceHeld) return;
      spaceHeld = false;
      swallow(event); // A button with the focus would be pressed.
    }, { capture: true });
  }

  /** Roll when the player flicks the dice. @param {HTMLElement} tray */
  #listenForFlick(tray) {
    /** @type {{x: number, y: number} | null} */
    let from = null;
    tray.addEventListener("pointerdown", (event) => {
      if (tray.classList.contains("empty")) return;
      from = { x: event.clientX, y: event.clientY };
      tray.setPointerCapture(event.pointerId);
    });
    tray.addEventListener("pointercancel", () => (from = null));
    window.addEventListener("pointerup", (event) => {
      const far = from ? Math.hypot(event.clientX - from.x, event.clientY - from.y) : 0;
      from = null;
      if (far > FLICK_PIXELS && this.page.state?.seat?.here) void this.roll();
    });
  }

  /** Announce a throw that the new state contains: the call, the player's result, and what changed. @param {any} state */
  update(state) {
    const before = this.#before;
    this.#before = { puck: state.puck, shooter: state.shooter };
    this.#unlockAfter(state.seq);
    this.placeDice();
    const seq = state.last?.seq ?? 0;
    if (seq === this.#lastShown) return;
    const first = this.#lastShown < 0;
    this.#lastShown = seq;
    if (!state.last) return;
    const { last } = state;
    const hand = last.hand ? ` The hand had ${last.hand.words}.` : "";
    this.#addCall(`${last.corrected ? `${last.corrected} ` : ""}${last.dice.join(" and ")}: ${last.call}.${this.#describeNet(state.net)}${hand}${first ? "" : this.#describeChanges(state, before)}`);
    this.page.crewAnimation.listMoves(last.moves ?? []);
    if (!first) this.page.messages.clear(); // Messages from before the throw no longer apply.
  }

  /** Put the dice where they are now: in the tray if this player may throw them and the crew has finished,
   * otherwise on the felt. */
  placeDice() {
    const { state } = this.page;
    if (this.locked || !state) return;
    const faces = state.last?.dice ?? [5, 2];
    const lying = performance.now() < this.#liesUntil || this.page.crewAnimation.isRunning;
    const mine = state.acts.roll !== undefined && !("bar" in state.acts.roll);
    if (this.page.inTextMode || (mine && !lying)) {
      if (this.feltDice.place && this.#fallen) this.page.sounds.stick();
      this.#fallen = null;
      this.feltDice.hide();
      this.#showTray(faces);
      return;
    }
    this.#showTray(null);
    const fallen = this.#fallen?.seq === state.last?.seq && !state.dice_out ? this.#fallen?.at : null;
    const place = fallen ?? middleOfDice((!state.dice_out && state.felt["dice/rest"]) || state.felt.dice);
    if (place) this.feltDice.show(faces, place);
    else this.feltDice.hide();
  }

  /** Show the dice in the tray, or an empty tray. @param {number[] | null} faces */
  #showTray(faces) {
    byId("dice").replaceChildren(...(faces ?? []).map((face) => makeDie(face)));
    byId("dice").classList.toggle("empty", faces === null);
    const roll = this.page.state?.acts.roll;
    byId("dice").hidden = faces === null && (roll === undefined || "bar" in roll); // Nobody else gets the dice.
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
    if (state.shooter !== before.shooter && state.shooter) sentences.push(` ${showName(state.shooter)} shoots.`);
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
}
