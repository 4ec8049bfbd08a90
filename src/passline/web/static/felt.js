// @ts-check
/** The felt: the picture that the server draws, and over it a grid of targets. It is drawn so large
 * that a finger finds each of them. */
/** Hands on the felt: a tap bets, a long press or the other button shows more; keys move about. */
/** What lies on the felt: the server's drawing of it, one's own chips readable, hopes as ghosts. */

import { makeElement, makeSvg, parseSvg, parseSvgFragment } from "./dom.js";
import { formatMoney } from "./money.js";


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
    this.place = box;
    this.input = new FeltInput(this, action);
    this.chips = new FeltChips();
    /** @type {Map<string, {target: Target, cell: HTMLElement}>} */
    this.cells = new Map();
    this.mode = "Place";
    /** The whole, one's own end with the center, or one of these; `looks`: to be seen, not bet on. */
    this.view = "whole";
    this.viewOnly = false;
    /** @type {FeltDrawing | null} */
    this.drawing = null;
    new ResizeObserver(() => this.#scaleChips()).observe(box);
  }

  /** @param {FeltDrawing} drawing */
  show(drawing) {
    const picture = new DOMParser().parseFromString(drawing.svg, "image/svg+xml").documentElement;
    const svg = document.importNode(picture, true);
    svg.setAttribute("aria-hidden", "true");
    svg.removeAttribute("role");
    this.svg = svg;
    this.drawing = drawing;
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
    this.place.replaceChildren(svg, grid);
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
    return ((this.drawing?.views[view]?.[2] ?? 0) * MIN_TARGET_PIXELS) / small;
  }

  /** Look at a part of the felt. On a small screen a number's column is one target, and the mode
   * says which of its wagers that is. */
  layOut() {
    if (!this.drawing || !this.svg) return;
    const frame = this.drawing.views[this.view] ?? this.drawing.views.whole;
    const [left, top, width, height] = frame;
    this.svg.setAttribute("viewBox", frame.join(" "));
    this.place.style.setProperty("--wide", String(width));
    this.place.style.setProperty("--high", String(height));
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
    this.place.classList.toggle("looks", this.viewOnly);
    this.place.style.setProperty("--need", this.viewOnly ? "0" : (MIN_TARGET_PIXELS / small).toFixed(4));
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
    const frame = this.drawing?.views[this.view] ?? this.drawing?.views.whole;
    if (frame && this.place.clientWidth) this.chips.setScale(this.place.clientWidth / frame[2]);
  }

  /** The wagers of a number's column. @param {string} slug */
  column(slug) {
    const rows = this.drawing?.rows.filter((row) => row.cells.every((cell) => cell.number)) ?? [];
    return rows.find((row) => row.cells.some((cell) => cell.slug === slug))?.cells ?? [];
  }

  /** The targets that stand for their whole column. */
  #columnTargets() {
    /** @type {Map<string, {x: number, y: number, w: number, h: number}>} */
    const found = new Map();
    if (!this.isPartView) return found;
    const wanted = { Place: /^Place \d+$/, Buy: /^Buy/, Lay: /^Lay/, Odds: /odds$/ }[this.mode];
    const columns = this.drawing?.rows.filter((row) => row.cells.every((cell) => cell.number)) ?? [];
    for (const { cells: column } of columns) {
      const fit = column.filter((target) => wanted?.test(target.name));
      const item = fit.find((target) => this.#isEnabled(target.slug)) ?? fit.at(-1);
      if (!item) continue;
      const x = Math.min(...column.map((target) => target.x));
      const y = Math.min(...column.map((target) => target.y));
      const right = Math.max(...column.map((target) => target.x + target.w));
      const bottom = Math.max(...column.map((target) => target.y + target.h));
      found.set(item.slug, { x, y, w: right - x, h: bottom - y });
    }
    return found;
  }

  /** @param {string} slug */
  #isEnabled(slug) {
    return this.cells.get(slug)?.cell.getAttribute("aria-disabled") === "false";
  }

  /** What lies there now, and what may be done.
   * @param {string} contents @param {string} me @param {Record<string, any>} may @param {Map<string, string>} up */
  update(contents, me, may, up) {
    this.chips.show(contents, me);
    for (const [slug, { target, cell }] of this.cells) {
      const lies = up.get(slug);
      cell.setAttribute("aria-label", lies ? `${target.name}, ${lies}` : target.name);
      const option = may[slug]?.raise ?? may[slug]?.bet;
      const barred = option === undefined || "bar" in option;
      cell.setAttribute("aria-disabled", String(barred));
      cell.classList.toggle("idle", target.beside && barred && !lies); // what it lies with is not there
    }
    this.place.classList.toggle("seated", me !== "");
    if (this.isPartView) this.layOut(); // which of a number's odds it is may have changed
  }

  /** Chips that are hoped to lie there. @param {Map<string, number>} hoped @param {Map<string, number>} lies */
  showPending(hoped, lies) {
    this.chips.showPending(hoped, lies, (slug) => this.cells.get(slug)?.target);
  }

  /** The wager under a point of the window. @param {number} x @param {number} y */
  wagerAt(x, y) {
    const cell = document.elementFromPoint(x, y)?.closest("[role=gridcell]");
    return cell instanceof HTMLElement ? (cell.dataset.slug ?? "") : "";
  }

  /** Where a chip that is dragged would fall. @param {string} slug */
  markDropTarget(slug) {
    for (const [of, { cell }] of this.cells) cell.classList.toggle("drop", of === slug);
  }
}

/** What lies aside is so much farther: where it is not opposite at all, and where it is. */
const OFF_AXIS_WEIGHT = 3;
const ASIDE_WEIGHT = 0.1;
/** Milliseconds that a press is long from, and pixels that a still finger moves. */
const LONG_PRESS_MS = 500;
const STILL_PIXELS = 10;

export class FeltInput {
  /** @param {import("./felt.js").Felt} felt @param {import("./felt.js").FeltActions} actions */
  constructor(felt, actions) {
    this.felt = felt;
    this.actions = actions;
    /** @type {{timer: number, x: number, y: number} | null} */
    this.press = null;
    this.wasLongPress = false;
  }

  /** @param {HTMLElement} grid */
  listen(grid) {
    grid.addEventListener("click", (event) => this.#onClick(event));
    grid.addEventListener("keydown", (event) => this.#onKey(event));
    grid.addEventListener("focusin", (event) => this.#onFocus(event));
    grid.addEventListener("pointerover", (event) => this.#onPointerOver(event));
    grid.addEventListener("pointerdown", (event) => this.#onPointerDown(event));
    grid.addEventListener("pointermove", (event) => this.#onPointerMove(event));
    for (const ends of ["pointerup", "pointercancel", "pointerleave"]) {
      grid.addEventListener(ends, () => this.#cancelPress());
    }
    grid.addEventListener("pointerleave", () => this.actions.away());
    grid.addEventListener("focusout", () => this.actions.away());
    grid.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      if (!this.wasLongPress) this.#showMore(this.#slugOf(event));
    });
  }

  /** @param {Event} event */
  #slugOf(event) {
    const cell = /** @type {HTMLElement} */ (event.target).closest?.("[role=gridcell]");
    return cell instanceof HTMLElement ? (cell.dataset.slug ?? "") : "";
  }

  /** @param {Event} event */
  #onClick(event) {
    const slug = this.#slugOf(event);
    if (slug && !this.wasLongPress) this.actions.bet(slug);
    this.wasLongPress = false;
  }

  /** @param {string} slug */
  #showMore(slug) {
    if (slug) this.actions.more(slug);
  }

  /** @param {PointerEvent} event */
  #onPointerDown(event) {
    const second = this.press !== null;
    this.#cancelPress();
    this.wasLongPress = false;
    if (second || event.button !== 0) return; // two fingers pinch
    const slug = this.#slugOf(event);
    const timer = window.setTimeout(() => {
      this.#cancelPress();
      this.wasLongPress = true;
      this.#showMore(slug);
    }, LONG_PRESS_MS);
    this.press = { timer, x: event.clientX, y: event.clientY };
  }

  /** @param {PointerEvent} event */
  #onPointerMove(event) {
    const from = this.press;
    if (from && Math.hypot(event.clientX - from.x, event.clientY - from.y) > STILL_PIXELS) this.#cancelPress();
  }

  #cancelPress() {
    window.clearTimeout(this.press?.timer);
    this.press = null;
  }

  /** @param {PointerEvent} event */
  #onPointerOver(event) {
    const slug = this.#slugOf(event);
    if (slug && event.pointerType === "mouse") this.actions.look(slug);
  }

  /** @param {FocusEvent} event */
  #onFocus(event) {
    const slug = this.#slugOf(event);
    if (!slug) return;
    if (this.felt.cells.get(slug)?.cell.classList.contains("out")) this.actions.reach();
    for (const [of, { cell }] of this.felt.cells) {
      cell.tabIndex = of === slug ? 0 : -1;
      if (of === slug) cell.setAttribute("aria-describedby", "spot-told");
      else cell.removeAttribute("aria-describedby");
    }
    this.actions.look(slug);
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const slug = this.#slugOf(event);
    const here = this.felt.cells.get(slug);
    if (!here || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.actions.bet(slug);
      return;
    }
    /** @type {Record<string, number[]>} */
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const way = ways[event.key];
    const seen = [...this.felt.cells.values()];
    const edge = event.key === "Home" ? seen[0] : event.key === "End" ? seen.at(-1) : undefined;
    if (!way && !edge) return;
    event.preventDefault();
    const next = way ? this.#nearestCell(here.target, way) : edge?.cell;
    next?.focus();
  }

  /** The nearest target in a direction. @param {import("./felt.js").Target} from @param {number[]} way */
  #nearestCell(from, way) {
    const at = [from.x + from.w / 2, from.y + from.h / 2];
    /** @type {HTMLElement | undefined} */
    let found;
    let best = Infinity;
    for (const { target, cell } of this.felt.cells.values()) {
      const off = [target.x + target.w / 2 - at[0], target.y + target.h / 2 - at[1]];
      const along = off[0] * way[0] + off[1] * way[1];
      const aside = Math.abs(off[0] * way[1]) + Math.abs(off[1] * way[0]);
      const wide = way[0] ? target.h + from.h : target.w + from.w;
      if (along < 1 || target.slug === from.slug) continue;
      const far = along + OFF_AXIS_WEIGHT * Math.max(0, aside - wide / 2) + aside * ASIDE_WEIGHT; // what lies opposite goes first
      if (far < best) {
        best = far;
        found = cell;
      }
    }
    return found;
  }
}

/** A chip lies fourteen units wide; one's own is to be seen this many pixels wide. */
const CHIP_UNITS = 14;
const OWN_CHIP_PIXELS = 17;
const MAX_CHIP_SCALE = 2.3;
const LETTER_PIXELS = 12;

/** Where a group was moved to. @param {Element | null | undefined} group */
export function translationOf(group) {
  const found = /translate\(([-\d.]+)[ ,]([-\d.]+)\)/.exec(group?.getAttribute("transform") ?? "");
  return found ? { x: Number(found[1]), y: Number(found[2]) } : null;
}

export class FeltChips {
  #contents = "";
  #me = "";
  #frozen = false;
  #pixelsPerUnit = 1;

  /** @param {Element} svg */
  attachTo(svg) {
    this.layer = makeSvg("g", { class: "lie" });
    this.pendingLayer = makeSvg("g", { class: "hopes" });
    svg.append(this.layer, this.pendingLayer);
    this.#draw();
  }

  /** @param {string} over @param {string} me */
  show(over, me) {
    const same = over === this.#contents && me === this.#me;
    this.#contents = over;
    this.#me = me;
    if (!same && !this.#frozen) this.#draw();
  }

  /** @param {number} unit pixels of a unit */
  setScale(unit) {
    if (Math.abs(unit - this.#pixelsPerUnit) < 0.01) return;
    this.#pixelsPerUnit = unit;
    if (!this.#frozen) this.#draw();
  }

  /** While the crew works, what lies there is as it was. */
  freeze() {
    this.#frozen = true;
    this.layer?.querySelectorAll(":scope > .die").forEach((dice) => dice.remove()); // they are thrown
  }

  unfreeze() {
    if (!this.#frozen) return;
    this.#frozen = false;
    this.#draw();
  }

  /** Return the chips of the latest state, which a frozen felt does not show yet. */
  parseContents() {
    return parseSvgFragment(this.#contents);
  }

  #draw() {
    if (!this.layer) return;
    this.layer.replaceChildren(...this.parseContents().childNodes);
    if (!this.#me) return;
    /** @type {{x: number, y: number, wide: number}[]} */
    const written = [];
    for (const stack of this.layer.querySelectorAll(`.stack[data-player="${CSS.escape(this.#me)}"]`)) this.#enlargeOwn(stack, written);
  }

  /** One's own chips are large enough to be seen, and say how much they are: beneath them, or above
   * where something is written there. @param {Element} stack @param {{x: number, y: number, wide: number}[]} written */
  #enlargeOwn(stack, written) {
    const at = translationOf(stack) ?? { x: 0, y: 0 };
    const size = Math.min(Math.max(OWN_CHIP_PIXELS / (CHIP_UNITS * this.#pixelsPerUnit), 1), MAX_CHIP_SCALE);
    const letters = LETTER_PIXELS / this.#pixelsPerUnit / size;
    stack.setAttribute("transform", `${stack.getAttribute("transform")} scale(${size.toFixed(2)})`);
    stack.classList.add("own");
    const words = formatMoney(Math.round(Number(stack.getAttribute("data-amount")) * 100));
    const below = CHIP_UNITS / 2 + letters * 0.6;
    const rise = translationOf([...stack.querySelectorAll("use")].at(-1))?.y ?? 0;
    const wide = letters * 0.62 * words.length * size;
    const free = (/** @type {number} */ y) =>
      written.every((w) => Math.abs(w.x - at.x) > (w.wide + wide) / 2 || Math.abs(w.y - y) > letters * size);
    const y = free(at.y + below * size) ? below : rise - below;
    written.push({ x: at.x, y: at.y + y * size, wide });
    stack.append(makeSvg("text", { class: "count own-count", y, "font-size": letters.toFixed(1) }, words));
    stack.parentElement?.append(stack);
    this.#enlargeLammer(stack, at, size);
  }

  /** Its lammer is as large, and leaves the numeral to be read.
   * @param {Element} stack @param {{x: number, y: number}} at @param {number} size */
  #enlargeLammer(stack, at, size) {
    const of = `.lammer[data-player="${CSS.escape(this.#me)}"][data-slug="${CSS.escape(stack.getAttribute("data-slug") ?? "")}"]`;
    const lammer = this.layer?.querySelector(of);
    const middle = lammer?.querySelector("circle");
    if (!lammer || !middle) return;
    const [x, y] = ["cx", "cy"].map((side) => -Number(middle.getAttribute(side)));
    const off = (CHIP_UNITS / 2) * size;
    lammer.setAttribute("transform", `translate(${at.x + off} ${at.y - off}) scale(${size.toFixed(2)}) translate(${x} ${y})`);
    stack.after(lammer);
  }

  /** @param {string} player @param {string} slug */
  stack(player, slug) {
    const of = `.stack[data-player="${CSS.escape(player)}"][data-slug="${CSS.escape(slug)}"]`;
    return this.layer?.querySelector(of) ?? null;
  }

  /** @param {Map<string, number>} hoped @param {Map<string, number>} lies
   * @param {(slug: string) => import("./felt.js").Target | undefined} target */
  showPending(hoped, lies, target) {
    const ghosts = [];
    for (const [slug, amount] of hoped) {
      const spot = target(slug);
      const shownNow = translationOf(this.stack(this.#me, slug));
      const same = shownNow !== null && Number(this.stack(this.#me, slug)?.getAttribute("data-amount")) * 100 === amount;
      if (!spot || !amount || same) continue;
      const at = shownNow ?? { x: spot.x + spot.w / 2, y: spot.y + spot.h / 2 };
      const radius = OWN_CHIP_PIXELS / 2 / this.#pixelsPerUnit;
      const ghost = makeSvg("g", { class: "ghost", transform: `translate(${at.x} ${at.y})`, "data-slug": slug });
      const letters = LETTER_PIXELS / this.#pixelsPerUnit;
      ghost.append(
        makeSvg("circle", { r: radius, class: "hoped" }),
        makeSvg("text", { class: "count", y: radius + letters * 0.6, "font-size": letters.toFixed(1) }, formatMoney(amount)),
      );
      ghosts.push(ghost);
    }
    this.pendingLayer?.replaceChildren(...ghosts);
  }
}
