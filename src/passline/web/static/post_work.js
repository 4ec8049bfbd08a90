// @ts-check
/** The work of the last throw, to tick off. What was ticked is this page's own affair. */

import { make, money, Rows } from "./post_dom.js";

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
    this.none = make("p", {});
    this.list = make("ol", { class: "tasks" });
    this.all = /** @type {HTMLInputElement} */ (make("input", { type: "checkbox", checked: everybody }));
    this.left = make("p", { class: "left", role: "status" });
    const pick = make("label", { class: "pill" }, this.all, "Everybody's work");
    this.all.addEventListener("change", () => this.show(this.work));
    this.list.addEventListener("change", (event) => this.#ticked(/** @type {HTMLInputElement} */ (event.target)));
    place.append(this.none, this.left, this.list, make("p", {}, pick));
    /** @type {Rows<[number, Task]>} */
    this.rows = new Rows(this.list, ([at]) => `${this.thrown} ${at}`, (one) => this.#row(one), () => undefined);
  }

  get #key() {
    return `passline-work-${this.table}-${this.thrown}`;
  }

  /** @param {Work | null} work */
  show(work) {
    this.work = work;
    const thrown = work?.throw ?? 0;
    if (thrown !== this.thrown) {
      this.thrown = thrown;
      this.done = new Set(JSON.parse(sessionStorage.getItem(this.#key) ?? "[]"));
    }
    const seen = (work?.tasks ?? []).map((task, at) => /** @type {[number, Task]} */ ([at, task]));
    const own = seen.filter(([, task]) => this.all.checked || task.own);
    this.none.textContent = work ? "Nothing to do." : "No throw yet.";
    this.none.hidden = own.length > 0;
    this.rows.show(own);
    this.#count();
  }

  /** @param {[number, Task]} one */
  #row([at, task]) {
    const tick = /** @type {HTMLInputElement} */ (make("input", { type: "checkbox", value: String(at) }));
    tick.checked = this.done.has(at);
    const told = make("span", { class: "task" }, make("b", { text: task.words }));
    const chips = Object.entries(task.chips);
    if (chips.length) {
      const piles = chips.map(([colour, count]) => make("span", { class: `pile chip-${colour}`, text: `${count} ${colour}` }));
      told.append(make("span", { class: "piles" }, `${money(task.amount)}: `, ...piles));
    }
    told.append(make("small", { text: `${task.by} · ${task.cite}` }));
    return make("li", {}, make("label", {}, tick, told));
  }

  /** @param {HTMLInputElement} tick */
  #ticked(tick) {
    const at = Number(tick.value);
    if (tick.checked) this.done.add(at);
    else this.done.delete(at);
    sessionStorage.setItem(this.#key, JSON.stringify([...this.done]));
    this.#count();
  }

  #count() {
    const ticks = Array.from(this.list.querySelectorAll("input"));
    const open = ticks.filter((tick) => !tick.checked).length;
    this.left.textContent = !ticks.length ? "" : open ? `${open} of ${ticks.length} to do.` : "All done.";
    this.left.classList.toggle("all-done", ticks.length > 0 && open === 0);
  }

  /** Tick off what comes next. */
  next() {
    const tick = this.list.querySelector("input:not(:checked)");
    if (tick instanceof HTMLInputElement) tick.click();
  }
}
