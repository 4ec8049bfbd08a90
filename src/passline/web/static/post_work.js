// @ts-check
/** The work of the last throw, to tick off. What was ticked is this page's own affair. */

import { makeOld, formatDollars, KeyedList } from "./post_dom.js";

/**
 * @typedef {{by: string, words: string, cite: string, amount: string, chips: Record<string, number>, own: boolean}} Task
 * @typedef {{throw: number, dice: number[], call: string, tasks: Task[]}} Work
 */

export class WorkList {
  /** @param {HTMLElement} place @param {string} table @param {boolean} everybody */
  constructor(place, table, everybody) {
    this.table = table;
    this.done = new Set(/** @type {number[]} */ ([]));
    this.thrown = -1;
    /** @type {Work | null} */
    this.work = null;
    this.none = makeOld("p", {});
    this.list = makeOld("ol", { class: "tasks" });
    this.all = /** @type {HTMLInputElement} */ (makeOld("input", { type: "checkbox", checked: everybody }));
    this.left = makeOld("p", { class: "left", role: "status" });
    const pick = makeOld("label", { class: "pill" }, this.all, "Everybody's work");
    this.all.addEventListener("change", () => this.show(this.work));
    this.list.addEventListener("change", (event) => this.#onTick(/** @type {HTMLInputElement} */ (event.target)));
    place.append(this.none, this.left, this.list, makeOld("p", {}, pick));
    /** @type {KeyedList<[number, Task]>} */
    this.rows = new KeyedList(this.list, ([at]) => `${this.thrown} ${at}`, (one) => this.#makeRow(one), () => undefined);
  }

  get #key() {
    return `passline-work-${this.table}-${this.thrown}`;
  }

  /** @param {Work | null} work */
  show(work) {
    this.work = work;
    const throwNumber = work?.throw ?? 0;
    if (throwNumber !== this.thrown) {
      this.thrown = throwNumber;
      this.done = new Set(JSON.parse(sessionStorage.getItem(this.#key) ?? "[]"));
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
    const tick = /** @type {HTMLInputElement} */ (makeOld("input", { type: "checkbox", value: String(at) }));
    tick.checked = this.done.has(at);
    const data = makeOld("span", { class: "task" }, makeOld("b", { text: task.words }));
    const chips = Object.entries(task.chips);
    if (chips.length) {
      const piles = chips.map(([color, count]) => makeOld("span", { class: `pile chip-${color}`, text: `${count} ${color}` }));
      data.append(makeOld("span", { class: "piles" }, `${formatDollars(task.amount)}: `, ...piles));
    }
    data.append(makeOld("small", { text: `${task.by} · ${task.cite}` }));
    return makeOld("li", {}, makeOld("label", {}, tick, data));
  }

  /** @param {HTMLInputElement} tick */
  #onTick(tick) {
    const at = Number(tick.value);
    if (tick.checked) this.done.add(at);
    else this.done.delete(at);
    sessionStorage.setItem(this.#key, JSON.stringify([...this.done]));
    this.#showCount();
  }

  #showCount() {
    const ticks = Array.from(this.list.querySelectorAll("input"));
    const open = ticks.filter((tick) => !tick.checked).length;
    this.left.textContent = !ticks.length ? "" : open ? `${open} of ${ticks.length} to do.` : "All done.";
    this.left.classList.toggle("all-done", ticks.length > 0 && open === 0);
  }

  /** Tick off what comes next. */
  tickNext() {
    const tick = this.list.querySelector("input:not(:checked)");
    if (tick instanceof HTMLInputElement) tick.click();
  }
}
