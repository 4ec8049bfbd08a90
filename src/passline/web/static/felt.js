// @ts-check
/** The felt: the picture that the server draws, and over it a grid of targets. It is drawn so large
 * that a finger finds each of them. */

import { FeltInput } from "./felt_hands.js";
import { FeltChips } from "./felt_lie.js";

/**
 * @typedef {{x: number, y: number, w: number, h: number}} Box
 * @typedef {{slug: string, name: string, number: number, kind: string, pays: string[],
 *   x: number, y: number, w: number, h: number, bend: number[], more: Box[], beside: boolean}} Target
 * @typedef {{svg: string, views: Record<string, number[]>, rows: {name: string, cells: Target[]}[],
 *   chips: {colour: string, value: string}[]}} FeltDrawing
 * @typedef {{bet: (slug: string) => void, look: (slug: string) => void,
 *   more: (slug: string) => void, away: () => void, reach: () => void}} FeltActions
 */

/** Pixels that a target measures at least, each way; a browser rounds some of it off. */
const MIN_TARGET_PIXELS = 24.1;

export class Felt {
  /** @param {HTMLElement} box @param {FeltActions} action */
  constructor(box, action) {
    this.box = box;
    this.input = new FeltInput(this, action);
    this.chips = new FeltChips();
    /** @type {Map<string, {target: Target, cell: HTMLElement}>} */
    this.cells = new Map();
    this.mode = "Place";
    /** The whole, one's own end with the center, or one of these; `looks`: to be seen, not bet on. */
    this.view = "whole";
    this.viewOnly = false;
    /** @type {FeltDrawing | null} */
    this.drawn = null;
    new ResizeObserver(() => this.#scaleChips()).observe(box);
  }

  /** @param {FeltDrawing} drawing */
  show(drawing) {
    const picture = new DOMParser().parseFromString(drawing.svg, "image/svg+xml").documentElement;
    const svg = document.importNode(picture, true);
    svg.setAttribute("aria-hidden", "true");
    svg.removeAttribute("role");
    this.svg = svg;
    this.drawn = drawing;
    const grid = document.createElement("div");
    grid.setAttribute("role", "grid");
    grid.setAttribute("aria-label", "Felt");
    grid.className = "targets";
    this.cells.clear();
    for (const row of drawing.rows) {
      const line = document.createElement("div");
      line.setAttribute("role", "row");
      line.setAttribute("aria-label", row.name);
      for (const target of row.cells) line.append(this.#makeCell(target));
      grid.append(line);
    }
    this.box.replaceChildren(svg, grid);
    this.chips.attachTo(svg);
    this.layOut();
    const first = this.cells.values().next().value;
    if (first) first.cell.tabIndex = 0;
    this.input.listen(grid);
  }

  /** @param {Target} target */
  #makeCell(target) {
    const cell = document.createElement("div");
    cell.setAttribute("role", "gridcell");
    cell.dataset.slug = target.slug;
    cell.dataset.kind = target.kind;
    if (target.number) cell.dataset.number = String(target.number);
    cell.tabIndex = -1;
    for (const _ of target.more) cell.append(Object.assign(document.createElement("i"), { className: "more" }));
    this.cells.set(target.slug, { target, cell });
    return cell;
  }

  /** Whether one part is looked at: there a number's column is one target. */
  get isPartView() {
    return this.view === "end" || this.view === "center";
  }

  /** The pixels that a view of everything needs across. @param {"whole" | "near"} view */
  widthNeeded(view) {
    const small = Math.min(...Array.from(this.cells.values(), ({ target }) => Math.min(target.w, target.h)));
    return ((this.drawn?.views[view]?.[2] ?? 0) * MIN_TARGET_PIXELS) / small;
  }

  /** Look at a part of the felt. On a small screen a number's column is one target, and the mode
   * says which of its wagers that is. */
  layOut() {
    if (!this.drawn || !this.svg) return;
    const frame = this.drawn.views[this.view] ?? this.drawn.views.whole;
    const [left, top, width, height] = frame;
    this.svg.setAttribute("viewBox", frame.join(" "));
    this.box.style.setProperty("--wide", String(width));
    this.box.style.setProperty("--high", String(height));
    const chosen = this.#columnTargets();
    let small = Infinity;
    for (const [slug, { target, cell }] of this.cells) {
      const at = chosen.get(slug) ?? target;
      cell.style.left = `${(100 * (at.x - left)) / width}%`;
      cell.style.top = `${(100 * (at.y - top)) / height}%`;
      cell.style.width = `${(100 * at.w) / width}%`;
      cell.style.height = `${(100 * at.h) / height}%`;
      this.#shapeCell(cell, target, at);
      cell.classList.toggle("chosen", chosen.has(slug));
      const under = this.isPartView && target.number > 0 && !chosen.has(slug) && this.column(slug).length > 0;
      cell.classList.toggle("under", under);
      const middle = at.x + at.w / 2; // what is cut in half is looked at elsewhere
      const out = middle <= left || middle >= left + width;
      cell.classList.toggle("out", out); // not seen, and still there for keys and readers
      if (!out && !under) small = Math.min(small, at.w, at.h);
    }
    this.box.classList.toggle("looks", this.viewOnly);
    this.box.style.setProperty("--need", this.viewOnly ? "0" : (MIN_TARGET_PIXELS / small).toFixed(4));
    this.#scaleChips();
  }

  /** The rest of its zone, and the round corner of a line. @param {HTMLElement} cell @param {Target} target @param {Box} at */
  #shapeCell(cell, target, at) {
    target.more.forEach((more, index) => {
      const { style } = /** @type {HTMLElement} */ (cell.children[index]);
      style.left = `${(100 * (more.x - at.x)) / at.w}%`;
      style.top = `${(100 * (more.y - at.y)) / at.h}%`;
      style.width = `${(100 * more.w) / at.w}%`;
      style.height = `${(100 * more.h) / at.h}%`;
    });
    const [right, left] = target.bend;
    if (!right && !left) return;
    const of = (/** @type {number} */ side) => `0 0 ${(100 * right) / side}% ${(100 * left) / side}%`;
    cell.style.borderRadius = `${of(at.w)} / ${of(at.h)}`;
  }

  /** How many pixels a unit of the felt has: what is written by the page is readable by that. */
  #scaleChips() {
    const frame = this.drawn?.views[this.view] ?? this.drawn?.views.whole;
    if (frame && this.box.clientWidth) this.chips.setScale(this.box.clientWidth / frame[2]);
  }

  /** The wagers of a number's column. @param {string} slug */
  column(slug) {
    const rows = this.drawn?.rows.filter((row) => row.cells.every((cell) => cell.number)) ?? [];
    return rows.find((row) => row.cells.some((cell) => cell.slug === slug))?.cells ?? [];
  }

  /** The targets that stand for their whole column. */
  #columnTargets() {
    /** @type {Map<string, {x: number, y: number, w: number, h: number}>} */
    const found = new Map();
    if (!this.isPartView) return found;
    const wanted = { Place: /^Place \d+$/, Buy: /^Buy/, Lay: /^Lay/, Odds: /odds$/ }[this.mode];
    const columns = this.drawn?.rows.filter((row) => row.cells.every((cell) => cell.number)) ?? [];
    for (const { cells: column } of columns) {
      const fit = column.filter((target) => wanted?.test(target.name));
      const one = fit.find((target) => this.#isEnabled(target.slug)) ?? fit.at(-1);
      if (!one) continue;
      const x = Math.min(...column.map((target) => target.x));
      const y = Math.min(...column.map((target) => target.y));
      const right = Math.max(...column.map((target) => target.x + target.w));
      const bottom = Math.max(...column.map((target) => target.y + target.h));
      found.set(one.slug, { x, y, w: right - x, h: bottom - y });
    }
    return found;
  }

  /** @param {string} slug */
  #isEnabled(slug) {
    return this.cells.get(slug)?.cell.getAttribute("aria-disabled") === "false";
  }

  /** What lies there now, and what may be done.
   * @param {string} wagerAt @param {string} me @param {Record<string, any>} may @param {Map<string, string>} up */
  update(wagerAt, me, may, up) {
    this.chips.show(wagerAt, me);
    for (const [slug, { target, cell }] of this.cells) {
      const lies = up.get(slug);
      cell.setAttribute("aria-label", lies ? `${target.name}, ${lies}` : target.name);
      const option = may[slug]?.raise ?? may[slug]?.bet;
      const barred = option === undefined || "bar" in option;
      cell.setAttribute("aria-disabled", String(barred));
      cell.classList.toggle("idle", target.beside && barred && !lies); // what it lies with is not there
    }
    this.box.classList.toggle("seated", me !== "");
    if (this.isPartView) this.layOut(); // which of a number's odds it is may have changed
  }

  /** Chips that are hoped to lie there. @param {Map<string, number>} hoped @param {Map<string, number>} lies */
  showPending(hoped, lies) {
    this.chips.showPending(hoped, lies, (slug) => this.cells.get(slug)?.target);
  }

  /** The wager under a point of the window. @param {number} x @param {number} y */
  over(x, y) {
    const cell = document.elementFromPoint(x, y)?.closest("[role=gridcell]");
    return cell instanceof HTMLElement ? (cell.dataset.slug ?? "") : "";
  }

  /** Where a chip that is dragged would fall. @param {string} slug */
  markDropTarget(slug) {
    for (const [of, { cell }] of this.cells) cell.classList.toggle("drop", of === slug);
  }
}
