// @ts-check
/** Animates what the crew does after a throw: take, pay and place, one move after the other. Also lists
 * the moves in words. The player chooses the pace. */

import { buttonById, byId, checkedValue, clauseLink, makeElement, makeSvg, motionAllowed } from "./dom.js";
import { translationOf } from "./felt.js";
import { formatDollars } from "./money.js";

/**
 * @typedef {{do: string, by: string, player: string | null, wager: string | null, amount: string,
 *   chips: Record<string, number>, to: string | null, words: string, cite: string, rule: string | null}} Move
 */

/** Milliseconds for all moves, the limits for one move, and for the banner afterwards. */
const TOTAL_MS = 4200;
const MIN_MOVE_MS = 220;
const MAX_MOVE_MS = 620;
const BANNER_MS = 2200;

/** One animation at a time; a new throw or an act of the player ends it. */
export class CrewAnimation {
  /** The number of the current run. It changes when another run begins or this one is ended. */
  #runId = 0;
  /** @type {(() => void) | null} */
  #continue = null;

  /** @param {import("./table.js").TablePage} page */
  constructor(page) {
    this.page = page;
    buttonById("work-next").addEventListener("click", () => this.step());
    buttonById("work-end").addEventListener("click", () => this.finish());
  }

  /** List the moves of a throw with their clauses. @param {Move[]} moves */
  listMoves(moves) {
    const book = this.page.state?.rulebook ?? "";
    byId("moves-part").hidden = moves.length === 0;
    byId("moves").replaceChildren(
      ...moves.map((move) =>
        makeElement("li", {}, `${move.by} ${move.words} (`, ...(move.rule ? [clauseLink(book, move.rule), "; "] : []), clauseLink(book, move.cite), ")"),
      ),
    );
  }

  /** Whether moves are being animated. */
  isRunning = false;

  /** Leave the chips on the felt as they were before a throw, if the crew's moves will be animated. Call
   * this before the page shows the table after the throw. */
  prepare() {
    if (checkedValue("pace", "follow") === "instant" || document.hidden || this.page.inTextMode) return;
    this.isRunning = true;
    this.page.felt.chips.freeze();
  }

  /** Animate a throw that was prepared, until the felt shows the table after it. @param {any} last */
  async run(last) {
    if (!this.isRunning) return;
    const pace = checkedValue("pace", "follow");
    const runId = (this.#runId += 1);
    /** @type {Move[]} */
    const moves = last.moves ?? [];
    this.#showBanner(last.call, "");
    const pause = Math.min(Math.max(TOTAL_MS / Math.max(moves.length, 1), MIN_MOVE_MS), MAX_MOVE_MS);
    byId("work").hidden = pace !== "step" || !moves.length;
    for (const [at, move] of moves.entries()) {
      this.#showBanner(last.call, move.words);
      byId("work-move").textContent = `${at + 1} of ${moves.length}: ${move.by} ${move.words}`;
      byId("moves").children[at]?.classList.add("now-done");
      this.#animateMove(move, pause);
      await this.#wait(pace === "step" ? Infinity : pause);
      if (runId !== this.#runId) return;
    }
    this.#cleanUp();
    window.setTimeout(() => runId === this.#runId && this.#showBanner("", ""), BANNER_MS);
  }

  /** @param {number} milliseconds */
  #wait(milliseconds) {
    return new Promise((/** @type {(value: void) => void} */ resolve) => {
      this.#continue = resolve;
      if (milliseconds !== Infinity) window.setTimeout(resolve, milliseconds);
    });
  }

  /** Continue with the next move. */
  step() {
    this.#continue?.();
  }

  /** End the animation and show the felt as it is now. */
  finish() {
    this.#runId += 1;
    this.#continue?.();
    this.#showBanner("", "");
    this.#cleanUp();
  }

  #cleanUp() {
    this.#continue = null;
    byId("work").hidden = true;
    this.page.felt.chips.unfreeze();
    if (!this.isRunning) return;
    this.isRunning = false;
    this.page.dice.placeDice();
  }

  /** @param {string} call @param {string} move */
  #showBanner(call, move) {
    byId("call").replaceChildren(...(call ? [makeElement("strong", {}, call)] : []), ...(move ? [makeElement("span", {}, move)] : []));
  }

  /** Animate one move. @param {Move} move @param {number} pause */
  #animateMove(move, pause) {
    const { chips } = this.page.felt;
    const stack = move.player && move.wager ? chips.stack(move.player, move.wager) : null;
    const from = translationOf(stack);
    if (!stack || !from) return;
    stack.classList.add("worked");
    if (["take", "pay"].includes(move.do)) this.page.sounds.chips();
    if (move.do === "take") this.#moveStack(stack, from, this.#bankPosition(), pause, true);
    if (move.do === "pay") this.#payBeside(move, from, pause);
    if (move.to) {
      const there = chips.parseContents().querySelector(`.stack[data-player="${CSS.escape(move.player ?? "")}"][data-slug="${CSS.escape(move.to)}"]`);
      const to = translationOf(there);
      if (to) this.#moveStack(stack, from, to, pause, false);
    }
  }

  #bankPosition() {
    const bank = /** @type {SVGGraphicsElement | null | undefined} */ (this.page.felt.svg?.querySelector(".fixture.bank"));
    const at = bank?.getBBox();
    return at ? { x: at.x + at.width / 2, y: at.y + at.height / 2 } : { x: 0, y: 0 };
  }

  /** @param {Element} stack @param {{x: number, y: number}} from @param {{x: number, y: number}} to
   * @param {number} pause @param {boolean} removed */
  #moveStack(stack, from, to, pause, removed) {
    if (!motionAllowed()) {
      if (removed) stack.remove();
      else stack.setAttribute("transform", `translate(${to.x} ${to.y})`);
      return;
    }
    const there = { transform: `translate(${to.x - from.x}px, ${to.y - from.y}px)`, opacity: removed ? 0.2 : 1 };
    const { carried, flight } = carry(stack, [{ transform: "none" }, there], { duration: Math.max(pause * 0.85, 180), easing: "ease-in-out", fill: "forwards" });
    if (removed) flight.addEventListener("finish", () => carried.remove());
  }

  /** Draw the chips of a payoff beside the bet, and move them there from the bank. @param {Move} move @param {{x: number, y: number}} by @param {number} pause */
  #payBeside(move, by, pause) {
    const beside = { x: by.x + 21, y: by.y };
    const paid = makeSvg("g", { class: "stack paid", transform: `translate(${beside.x} ${beside.y})` });
    const chips = Object.entries(move.chips).flatMap(([color, count]) => Array(Math.min(count, 8)).fill(color));
    chips.forEach((color, at) => {
      const spots = makeSvg("circle", { r: 6, class: "spots", "stroke-dasharray": "3 3" });
      paid.append(makeSvg("g", { class: `chip-${color}`, transform: `translate(0 ${-at * 2})` }, makeSvg("circle", { r: 7, class: "disc" }), spots));
    });
    paid.append(makeSvg("text", { class: "count own-count", y: -14 - chips.length * 2, "font-size": 12 }, `+${formatDollars(move.amount)}`));
    this.page.felt.chips.layer?.append(paid);
    if (!motionAllowed()) return;
    const bank = this.#bankPosition();
    const away = `translate(${bank.x - beside.x}px, ${bank.y - beside.y}px)`;
    carry(paid, [{ transform: away }, { transform: "none" }], { duration: Math.max(pause * 0.8, 180), easing: "ease-out" });
  }
}

/** Put an element into a group of its own, which is animated. @param {Element} element @param {Keyframe[]} frames @param {KeyframeAnimationOptions} options */
function carry(element, frames, options) {
  const carried = makeSvg("g", { class: "carried" });
  element.replaceWith(carried);
  carried.append(element);
  return { carried, flight: carried.animate(frames, options) };
}
