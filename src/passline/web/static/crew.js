// @ts-check
/** The crew works the layout after a throw: take, pay, place, move by move, for all to see. */

import { chosen, clause, made, moving, part, button } from "./dom.js";
import { drawn, placed } from "./felt_lie.js";
import { cents, shown } from "./money.js";

/**
 * @typedef {{do: string, by: string, player: string | null, wager: string | null, amount: string,
 *   chips: Record<string, number>, to: string | null, words: string, cite: string, rule: string | null}} Move
 */

/** Milliseconds of the whole work, and of one move. */
const WHOLE = 4200;
const LEAST = 220;
const MOST = 620;
const BANNER = 2200;

export class CrewWork {
  /** Which show runs: whoever began another, or ended it, takes the number on. */
  #show = 0;
  /** @type {(() => void) | null} */
  #go = null;

  /** @param {import("./table.js").TablePage} page */
  constructor(page) {
    this.page = page;
    button("work-next").addEventListener("click", () => this.step());
    button("work-end").addEventListener("click", () => this.end());
  }

  /** What the crew does on a throw, listed. @param {Move[]} moves */
  list(moves) {
    const book = this.page.sight?.rulebook ?? "";
    part("moves-part").hidden = moves.length === 0;
    part("moves").replaceChildren(
      ...moves.map((move) =>
        made("li", {}, `${move.by} ${move.words} (`, ...(move.rule ? [clause(book, move.rule), "; "] : []), clause(book, move.cite), ")"),
      ),
    );
  }

  /** Show it. The felt stays as it was until the last move. @param {any} last @param {Promise<void>} dice */
  async run(last, dice) {
    this.end();
    const pace = chosen("pace", "follow");
    const mine = (this.#show += 1);
    /** @type {Move[]} */
    const moves = last.moves ?? [];
    part("call").textContent = "";
    if (pace === "instant" || document.hidden || this.page.texting) return;
    this.page.felt.lie.hold();
    await dice;
    if (mine !== this.#show) return;
    this.#banner(last.call, "");
    const pause = Math.min(Math.max(WHOLE / Math.max(moves.length, 1), LEAST), MOST);
    part("work").hidden = pace !== "step" || !moves.length;
    for (const [at, move] of moves.entries()) {
      this.#banner(last.call, move.words);
      part("work-move").textContent = `${at + 1} of ${moves.length}: ${move.by} ${move.words}`;
      part("moves").children[at]?.classList.add("now-done");
      this.#carry(move, pause);
      await this.#wait(pace === "step" ? Infinity : pause);
      if (mine !== this.#show) return;
    }
    this.#done();
    window.setTimeout(() => mine === this.#show && this.#banner("", ""), BANNER);
  }

  /** @param {number} long */
  #wait(long) {
    return new Promise((/** @type {(value: void) => void} */ go) => {
      this.#go = go;
      if (long !== Infinity) window.setTimeout(go, long);
    });
  }

  /** Go on to the next move. */
  step() {
    this.#go?.();
  }

  /** No more of it: everything lies where it lies. */
  end() {
    this.#show += 1;
    this.#go?.();
    this.#banner("", "");
    this.#done();
  }

  #done() {
    this.#go = null;
    part("work").hidden = true;
    this.page.felt.lie.release();
  }

  /** @param {string} call @param {string} move */
  #banner(call, move) {
    part("call").replaceChildren(...(call ? [made("strong", {}, call)] : []), ...(move ? [made("span", {}, move)] : []));
  }

  /** One move of chips, seen. @param {Move} move @param {number} pause */
  #carry(move, pause) {
    const lie = this.page.felt.lie;
    const stack = move.player && move.wager ? lie.stack(move.player, move.wager) : null;
    const from = placed(stack);
    if (!stack || !from) return;
    stack.classList.add("worked");
    if (move.do === "take") this.#fly(stack, from, this.#bank(), pause, true);
    if (move.do === "pay") this.#pay(move, from, pause);
    if (move.to) {
      const there = lie.coming().querySelector(`.stack[data-player="${CSS.escape(move.player ?? "")}"][data-slug="${CSS.escape(move.to)}"]`);
      const to = placed(there);
      if (to) this.#fly(stack, from, to, pause, false);
    }
  }

  #bank() {
    const bank = /** @type {SVGGraphicsElement | null | undefined} */ (this.page.felt.svg?.querySelector(".fixture.bank"));
    const at = bank?.getBBox();
    return at ? { x: at.x + at.width / 2, y: at.y + at.height / 2 } : { x: 0, y: 0 };
  }

  /** @param {Element} stack @param {{x: number, y: number}} from @param {{x: number, y: number}} to
   * @param {number} pause @param {boolean} gone */
  #fly(stack, from, to, pause, gone) {
    if (!moving()) {
      if (gone) stack.remove();
      else stack.setAttribute("transform", `translate(${to.x} ${to.y})`);
      return;
    }
    const carried = drawn("g", { class: "carried" });
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
  #pay(move, by, pause) {
    const beside = { x: by.x + 21, y: by.y };
    const paid = drawn("g", { class: "stack paid", transform: `translate(${beside.x} ${beside.y})` });
    let at = 0;
    for (const [colour, count] of Object.entries(move.chips)) {
      for (let chip = 0; chip < Math.min(count, 8); chip += 1, at += 1) {
        const disc = drawn("g", { class: `chip-${colour}`, transform: `translate(0 ${-at * 2})` });
        disc.append(drawn("circle", { r: 7, class: "disc" }), drawn("circle", { r: 6, class: "spots", "stroke-dasharray": "3 3" }));
        paid.append(disc);
      }
    }
    paid.append(drawn("text", { class: "count own-count", y: -14 - at * 2, "font-size": 12 }, `+${shown(cents(move.amount))}`));
    this.page.felt.lie.layer?.append(paid);
    if (!moving()) return;
    const bank = this.#bank();
    const carried = drawn("g", { class: "carried" });
    paid.replaceWith(carried);
    carried.append(paid);
    const away = `translate(${bank.x - beside.x}px, ${bank.y - beside.y}px)`;
    carried.animate([{ transform: away }, { transform: "none" }], { duration: Math.max(pause * 0.8, 180), easing: "ease-out" });
  }
}
