// @ts-check
/** The crew works the layout after a throw: take, pay, place, move by move, for all to see. */

import { buttonById, byId, checkedValue, clauseLink, makeElement, makeSvg, motionAllowed } from "./dom.js";
import { translationOf } from "./felt.js";
import { formatDollars } from "./money.js";

/**
 * @typedef {{do: string, by: string, player: string | null, wager: string | null, amount: string,
 *   chips: Record<string, number>, to: string | null, words: string, cite: string, rule: string | null}} Move
 */

/** Milliseconds of the whole work, and of one move. */
const TOTAL_MS = 4200;
const MIN_MOVE_MS = 220;
const MAX_MOVE_MS = 620;
const BANNER_MS = 2200;

export class CrewAnimation {
  /** Which show runs: whoever began another, or ended it, takes the number on. */
  #runId = 0;
  /** @type {(() => void) | null} */
  #continue = null;

  /** @param {import("./table.js").TablePage} page */
  constructor(page) {
    this.page = page;
    buttonById("work-next").addEventListener("click", () => this.step());
    buttonById("work-end").addEventListener("click", () => this.finish());
  }

  /** What the crew does on a throw, listed. @param {Move[]} moves */
  listMoves(moves) {
    const book = this.page.state?.rulebook ?? "";
    byId("moves-part").hidden = moves.length === 0;
    byId("moves").replaceChildren(
      ...moves.map((move) =>
        makeElement("li", {}, `${move.by} ${move.words} (`, ...(move.rule ? [clauseLink(book, move.rule), "; "] : []), clauseLink(book, move.cite), ")"),
      ),
    );
  }

  /** Show it. The felt stays as it was until the last move. @param {any} last @param {Promise<void>} dice */
  async run(last, dice) {
    this.finish();
    const pace = checkedValue("pace", "follow");
    const mine = (this.#runId += 1);
    /** @type {Move[]} */
    const moves = last.moves ?? [];
    byId("call").textContent = "";
    if (pace === "instant" || document.hidden || this.page.inTextMode) return;
    this.page.felt.chips.freeze();
    await dice;
    if (mine !== this.#runId) return;
    this.#showBanner(last.call, "");
    const pause = Math.min(Math.max(TOTAL_MS / Math.max(moves.length, 1), MIN_MOVE_MS), MAX_MOVE_MS);
    byId("work").hidden = pace !== "step" || !moves.length;
    for (const [at, move] of moves.entries()) {
      this.#showBanner(last.call, move.words);
      byId("work-move").textContent = `${at + 1} of ${moves.length}: ${move.by} ${move.words}`;
      byId("moves").children[at]?.classList.add("now-done");
      this.#animateMove(move, pause);
      await this.#wait(pace === "step" ? Infinity : pause);
      if (mine !== this.#runId) return;
    }
    this.#cleanUp();
    window.setTimeout(() => mine === this.#runId && this.#showBanner("", ""), BANNER_MS);
  }

  /** @param {number} long */
  #wait(long) {
    return new Promise((/** @type {(value: void) => void} */ go) => {
      this.#continue = go;
      if (long !== Infinity) window.setTimeout(go, long);
    });
  }

  /** Go on to the next move. */
  step() {
    this.#continue?.();
  }

  /** No more of it: everything lies where it lies. */
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
  }

  /** @param {string} call @param {string} move */
  #showBanner(call, move) {
    byId("call").replaceChildren(...(call ? [makeElement("strong", {}, call)] : []), ...(move ? [makeElement("span", {}, move)] : []));
  }

  /** One move of chips, seen. @param {Move} move @param {number} pause */
  #animateMove(move, pause) {
    const lie = this.page.felt.chips;
    const stack = move.player && move.wager ? lie.stack(move.player, move.wager) : null;
    const from = translationOf(stack);
    if (!stack || !from) return;
    stack.classList.add("worked");
    if (move.do === "take") this.#moveStack(stack, from, this.#bankPosition(), pause, true);
    if (move.do === "pay") this.#payBeside(move, from, pause);
    if (move.to) {
      const there = lie.parseContents().querySelector(`.stack[data-player="${CSS.escape(move.player ?? "")}"][data-slug="${CSS.escape(move.to)}"]`);
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
   * @param {number} pause @param {boolean} gone */
  #moveStack(stack, from, to, pause, gone) {
    if (!motionAllowed()) {
      if (gone) stack.remove();
      else stack.setAttribute("transform", `translate(${to.x} ${to.y})`);
      return;
    }
    const carried = makeSvg("g", { class: "carried" });
    stack.replaceWith(carried);
    carried.append(stack);
    const there = `translate(${to.x - from.x}px, ${to.y - from.y}px)`;
    const flight = carried.animate([{ transform: "none" }, { transform: there, opacity: gone ? 0.2 : 1 }], {
      duration: Math.max(pause * 0.85, 180),
      easing: "ease-in-out",
      fill: "forwards",
    });
    if (gone) flight.addEventListener("finish", () => carried.remove());
  }

  /** Chips from the bank, set beside the bet. @param {Move} move @param {{x: number, y: number}} by @param {number} pause */
  #payBeside(move, by, pause) {
    const beside = { x: by.x + 21, y: by.y };
    const paid = makeSvg("g", { class: "stack paid", transform: `translate(${beside.x} ${beside.y})` });
    let at = 0;
    for (const [color, count] of Object.entries(move.chips)) {
      for (let chip = 0; chip < Math.min(count, 8); chip += 1, at += 1) {
        const disc = makeSvg("g", { class: `chip-${color}`, transform: `translate(0 ${-at * 2})` });
        disc.append(makeSvg("circle", { r: 7, class: "disc" }), makeSvg("circle", { r: 6, class: "spots", "stroke-dasharray": "3 3" }));
        paid.append(disc);
      }
    }
    paid.append(makeSvg("text", { class: "count own-count", y: -14 - at * 2, "font-size": 12 }, `+${formatDollars(move.amount)}`));
    this.page.felt.chips.layer?.append(paid);
    if (!motionAllowed()) return;
    const bank = this.#bankPosition();
    const carried = makeSvg("g", { class: "carried" });
    paid.replaceWith(carried);
    carried.append(paid);
    const away = `translate(${bank.x - beside.x}px, ${bank.y - beside.y}px)`;
    carried.animate([{ transform: away }, { transform: "none" }], { duration: Math.max(pause * 0.8, 180), easing: "ease-out" });
  }
}
