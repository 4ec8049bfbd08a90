// @ts-check
/** The felt of the table page. The server draws the picture; this module lays a grid of targets over it
 * (Felt), handles taps, long presses and arrow keys (FeltInput), and draws chips that can be read at
 * every size (FeltChips). */

import { makeElement, makeSvg, parseSvg, parseSvgFragment } from "./dom.js";
import { formatMoney } from "./money.js";

/**
 * @typedef {{x: number, y: number, w: number, h: number}} Box
 * @typedef {{slug: string, name: string, number: number, kind: string, pays: string[],
 *   x: number, y: number, w: number, h: number, bend: number[], more: Box[], beside: boolean, bet_as: string}} Target
 * @typedef {{svg: string, views: Record<string, number[]>, rows: {name: string, cells: Target[]}[],
 *   chips: {colour: string, value: string}[]}} FeltDrawing
 * @typedef {{bet: (slug: string) => void, look: (slug: string) => void,
 *   more: (slug: string) => void, away: () => void, reach: () => void}} FeltActions
 */

/** The smallest side of a target in pixels. It is a little over 24, since browsers round down. */
const MIN_TARGET_PIXELS = 24.1;

/** Place an element over a box of a frame, by percentages. @param {HTMLElement} element @param {Box} box @param {Box} frame */
function placeWithin(element, box, frame) {
  element.style.left = `${(100 * (box.x - frame.x)) / frame.w}%`;
  element.style.top = `${(100 * (box.y - frame.y)) / frame.h}%`;
  element.style.width = `${(100 * box.w) / frame.w}%`;
  element.style.height = `${(100 * box.h) / frame.h}%`;
}

/** Return the slug of the target that contains an element, or "". @param {EventTarget | null} element */
function slugOf(element) {
  const cell = element instanceof Element ? element.closest("[role=gridcell]") : null;
  return cell?.getAttribute("data-slug") ?? "";
}

/** The picture with its grid of targets, one gridcell for each wager. */
export class Felt {
  /** @param {HTMLElement} place @param {FeltActions} actions */
  constructor(place, actions) {
    this.place = place;
    this.input = new FeltInput(this, actions);
    this.chips = new FeltChips();
    /** @type {Map<string, {target: Target, cell: HTMLElement}>} */
    this.cells = new Map();
    this.mode = "Place";
    /** The part that is shown: "whole", "near" (own end and center), "end" or "center". `viewOnly`: no
     * bets are taken on it. */
    this.view = "whole";
    this.viewOnly = false;
    /** @type {FeltDrawing | null} */
    this.drawing = null;
    new ResizeObserver(() => this.#scaleChips()).observe(place);
  }

  /** @param {FeltDrawing} drawing */
  show(drawing) {
    const svg = parseSvg(drawing.svg);
    svg.setAttribute("aria-hidden", "true");
    svg.removeAttribute("role");
    this.svg = svg;
    this.drawing = drawing;
    this.cells.clear();
    const rows = drawing.rows.map(({ name, cells }) =>
      makeElement("div", { role: "row", "aria-label": name }, ...cells.map((target) => this.#makeCell(target))),
    );
    const grid = makeElement("div", { class: "targets", role: "grid", "aria-label": "Felt" }, ...rows);
    this.place.replaceChildren(svg, grid);
    this.chips.attachTo(svg);
    this.layOut();
    const first = this.cells.values().next().value;
    if (first) first.cell.tabIndex = 0;
    this.input.listen(grid);
  }

  /** @param {Target} target */
  #makeCell(target) {
    const { slug, kind, number } = target;
    const patches = target.more.map(() => makeElement("i", { class: "more" }));
    const data = { "data-slug": slug, "data-kind": kind, "data-number": number > 0 && String(number) };
    const cell = makeElement("div", { role: "gridcell", tabindex: "-1", ...data }, ...patches);
    this.cells.set(slug, { target, cell });
    return cell;
  }

  /** The part of the drawing that is shown: x, y, width and height. */
  get frame() {
    return this.drawing?.views[this.view] ?? this.drawing?.views.whole ?? [0, 0, 1, 1];
  }

  /** Whether only one part is shown. There, each number has one target for all its wagers. */
  get isPartView() {
    return this.view === "end" || this.view === "center";
  }

  /** Return the width in pixels at which every target of a view is large enough for a finger. @param {"whole" | "near"} view */
  widthNeeded(view) {
    const small = Math.min(...Array.from(this.cells.values(), ({ target }) => Math.min(target.w, target.h)));
    return ((this.drawing?.views[view]?.[2] ?? 0) * MIN_TARGET_PIXELS) / small;
  }

  /** Show the current view and place the targets over it. On a small screen a number's column is one
   * target, and `mode` says for which of its wagers. */
  layOut() {
    if (!this.drawing || !this.svg) return;
    const { frame } = this;
    const [left, top, width, height] = frame;
    this.svg.setAttribute("viewBox", frame.join(" "));
    this.place.style.setProperty("--left", String(left));
    this.place.style.setProperty("--top", String(top));
    this.place.style.setProperty("--wide", String(width));
    this.place.style.setProperty("--high", String(height));
    const chosen = this.#columnTargets();
    let small = Infinity;
    for (const [slug, { target, cell }] of this.cells) {
      const box = chosen.get(slug) ?? target;
      placeWithin(cell, box, { x: left, y: top, w: width, h: height });
      this.#shapeCell(cell, target, box);
      cell.classList.toggle("chosen", chosen.has(slug));
      const covered = this.isPartView && target.number > 0 && !chosen.has(slug) && this.column(slug).length > 0;
      cell.classList.toggle("under", covered);
      const middle = box.x + box.w / 2; // A target that is cut in half belongs to another view.
      const outside = middle <= left || middle >= left + width;
      cell.classList.toggle("out", outside); // Keys and screen readers still reach it.
      if (!outside && !covered) small = Math.min(small, box.w, box.h);
    }
    this.place.classList.toggle("looks", this.viewOnly);
    this.place.style.setProperty("--need", this.viewOnly ? "0" : (MIN_TARGET_PIXELS / small).toFixed(4));
    this.#scaleChips();
  }

  /** Add a target's further patches and round its corners. @param {HTMLElement} cell @param {Target} target @param {Box} box */
  #shapeCell(cell, target, box) {
    target.more.forEach((more, index) => placeWithin(/** @type {HTMLElement} */ (cell.children[index]), more, box));
    const [right, left] = target.bend;
    if (!right && !left) return;
    const of = (/** @type {number} */ side) => `0 0 ${(100 * right) / side}% ${(100 * left) / side}%`;
    cell.style.borderRadius = `${of(box.w)} / ${of(box.h)}`;
  }

  /** Scale own chips and their amounts so that they can be read at this size. */
  #scaleChips() {
    if (this.drawing && this.place.clientWidth) this.chips.setScale(this.place.clientWidth / this.frame[2]);
  }

  /** The targets of each number. */
  get #columns() {
    return (this.drawing?.rows ?? []).map((row) => row.cells).filter((cells) => cells.every((cell) => cell.number));
  }

  /** Return the targets in the column of a wager's number. @param {string} slug */
  column(slug) {
    return this.#columns.find((column) => column.some((cell) => cell.slug === slug)) ?? [];
  }

  /** Return the box of each target that takes the place of its whole column. */
  #columnTargets() {
    /** @type {Map<string, Box>} */
    const found = new Map();
    if (!this.isPartView) return found;
    for (const column of this.#columns) {
      const candidates = column.filter((target) => target.bet_as === this.mode);
      const chosen = candidates.find((target) => this.#isEnabled(target.slug)) ?? candidates.at(-1);
      if (!chosen) continue;
      const x = Math.min(...column.map((target) => target.x));
      const y = Math.min(...column.map((target) => target.y));
      const right = Math.max(...column.map((target) => target.x + target.w));
      const bottom = Math.max(...column.map((target) => target.y + target.h));
      found.set(chosen.slug, { x, y, w: right - x, h: bottom - y });
    }
    return found;
  }

  /** @param {string} slug */
  #isEnabled(slug) {
    return this.cells.get(slug)?.cell.getAttribute("aria-disabled") === "false";
  }

  /** Show the chips of a new state, and which wagers can be bet now.
   * @param {Record<string, string>} pieces @param {string} me @param {Record<string, any>} may @param {Map<string, string>} ownAmounts */
  update(pieces, me, may, ownAmounts) {
    this.chips.show(joinPieces(pieces), me);
    for (const [slug, { target, cell }] of this.cells) {
      const placed = ownAmounts.get(slug);
      cell.setAttribute("aria-label", placed ? `${target.name}, ${placed}` : target.name);
      const option = may[slug]?.raise ?? may[slug]?.bet;
      const barred = option === undefined || "bar" in option;
      cell.setAttribute("aria-disabled", String(barred));
      cell.classList.toggle("idle", target.beside && barred && !placed); // The bet that it goes with is not on the table.
    }
    this.place.classList.toggle("seated", me !== "");
    if (this.isPartView) this.layOut(); // The odds of a number may belong to another bet now.
  }

  /** Draw the chips of bets that are not confirmed yet. @param {Map<string, number>} pending @param {Map<string, number>} placed */
  showPending(pending, placed) {
    this.chips.showPending(pending, placed, (slug) => this.cells.get(slug)?.target);
  }

  /** Move the focus to the current target. */
  focus() {
    /** @type {HTMLElement | null} */ (this.place.querySelector("[role=gridcell][tabindex='0']"))?.focus({ preventScroll: true });
  }

  /** Return the slug of the wager at a point of the window, or "". @param {number} x @param {number} y */
  wagerAt(x, y) {
    return slugOf(document.elementFromPoint(x, y));
  }

  /** Highlight the target under a dragged chip. @param {string} slug */
  markDropTarget(slug) {
    for (const [of, { cell }] of this.cells) cell.classList.toggle("drop", of === slug);
  }
}

/** For the arrow keys: how much farther a target counts that is beside the line of movement, outside and
 * inside its width. */
const OFF_AXIS_WEIGHT = 3;
const ASIDE_WEIGHT = 0.1;
/** Milliseconds of a long press, and pixels that a finger may move during it. */
const LONG_PRESS_MS = 500;
const STILL_PIXELS = 10;

/** Turns taps, long presses and keys on the felt into actions. */
class FeltInput {
  /** @param {Felt} felt @param {FeltActions} actions */
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
    for (const ends of ["pointerup", "pointercancel", "pointerleave"]) grid.addEventListener(ends, () => this.#cancelPress());
    for (const ends of ["pointerleave", "focusout"]) grid.addEventListener(ends, () => this.actions.away());
    grid.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      const slug = slugOf(event.target);
      if (slug && !this.wasLongPress) this.actions.more(slug);
    });
  }

  /** @param {Event} event */
  #onClick(event) {
    const slug = slugOf(event.target);
    if (slug && !this.wasLongPress) this.actions.bet(slug);
    this.wasLongPress = false;
  }

  /** @param {PointerEvent} event */
  #onPointerDown(event) {
    const second = this.press !== null;
    this.#cancelPress();
    this.wasLongPress = false;
    if (second || event.button !== 0) return; // Two fingers pinch the page.
    const slug = slugOf(event.target);
    const timer = window.setTimeout(() => {
      this.#cancelPress();
      this.wasLongPress = true;
      if (slug) this.actions.more(slug);
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
    const slug = slugOf(event.target);
    if (slug && event.pointerType === "mouse") this.actions.look(slug);
  }

  /** @param {FocusEvent} event */
  #onFocus(event) {
    const slug = slugOf(event.target);
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
    const slug = slugOf(event.target);
    const current = this.felt.cells.get(slug);
    if (!current || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.actions.bet(slug);
      return;
    }
    /** @type {Record<string, number[]>} */
    const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const direction = directions[event.key];
    const cells = [...this.felt.cells.values()];
    const edge = event.key === "Home" ? cells[0] : event.key === "End" ? cells.at(-1) : undefined;
    if (!direction && !edge) return;
    event.preventDefault();
    const next = direction ? this.#nearestCell(current.target, direction) : edge?.cell;
    next?.focus();
  }

  /** Return the nearest target in a direction. @param {Target} from @param {number[]} direction */
  #nearestCell(from, direction) {
    const center = [from.x + from.w / 2, from.y + from.h / 2];
    /** @type {HTMLElement | undefined} */
    let found;
    let best = Infinity;
    for (const { target, cell } of this.felt.cells.values()) {
      const off = [target.x + target.w / 2 - center[0], target.y + target.h / 2 - center[1]];
      const along = off[0] * direction[0] + off[1] * direction[1];
      const aside = Math.abs(off[0] * direction[1]) + Math.abs(off[1] * direction[0]);
      const wide = direction[0] ? target.h + from.h : target.w + from.w;
      if (along < 1 || target.slug === from.slug) continue;
      const distance = along + OFF_AXIS_WEIGHT * Math.max(0, aside - wide / 2) + aside * ASIDE_WEIGHT; // Targets straight ahead come first.
      if (distance < best) {
        best = distance;
        found = cell;
      }
    }
    return found;
  }
}

/** A chip's width in felt units; for own chips, the wanted width and the letters in pixels, and the
 * largest scale. */
const CHIP_UNITS = 14;
const OWN_CHIP_PIXELS = 17;
const MAX_CHIP_SCALE = 2.3;
const LETTER_PIXELS = 12;

/** Return the position of a group that is moved by `translate`, or null. @param {Element | null | undefined} group */
export function translationOf(group) {
  const found = /translate\(([-\d.]+)[ ,]([-\d.]+)\)/.exec(group?.getAttribute("transform") ?? "");
  return found ? { x: Number(found[1]), y: Number(found[2]) } : null;
}

/** What lies on the felt, from the cloth up. */
const LAYERS = ["stick", "holder", "marker", "puck", "stack", "lammer", "spare", "plate"];

/** Join the drawings of things on the felt in the order in which they lie: stacks that are nearer cover
 * others. The dice in play are not among them: they are drawn over the felt. @param {Record<string, string>} pieces */
function joinPieces(pieces) {
  const drawn = Object.entries(pieces).filter(([key]) => key.split("/")[0] !== "dice").map(([key, svg]) => ({
    svg,
    layer: LAYERS.indexOf(key.split("/")[0] ?? ""),
    y: Number(/translate\([-\d.]+ ([-\d.]+)\)/.exec(svg)?.[1] ?? 0),
  }));
  return drawn.sort((a, b) => a.layer - b.layer || a.y - b.y).map(({ svg }) => svg).join("");
}

/** The chips on the felt: the server's drawing, own chips enlarged, pending bets as ghosts. */
class FeltChips {
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

  /** @param {string} contents @param {string} me */
  show(contents, me) {
    const same = contents === this.#contents && me === this.#me;
    this.#contents = contents;
    this.#me = me;
    if (!same && !this.#frozen) this.#draw();
  }

  /** @param {number} unit pixels of a unit */
  setScale(unit) {
    if (Math.abs(unit - this.#pixelsPerUnit) < 0.01) return;
    this.#pixelsPerUnit = unit;
    if (!this.#frozen) this.#draw();
  }

  /** Keep the chips as they are while the crew's moves are animated. */
  freeze() {
    this.#frozen = true;
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

  /** Enlarge a stack of this player and write its amount below it, or above it if another amount is in
   * the way. @param {Element} stack @param {{x: number, y: number, wide: number}[]} written */
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

  /** Enlarge the stack's lammer and move it so that the number stays readable.
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

  /** @param {Map<string, number>} pending @param {Map<string, number>} placed
   * @param {(slug: string) => Target | undefined} target */
  showPending(pending, placed, target) {
    const ghosts = [];
    for (const [slug, amount] of pending) {
      const spot = target(slug);
      const stack = this.stack(this.#me, slug);
      const shownNow = translationOf(stack);
      const same = shownNow !== null && Number(stack?.getAttribute("data-amount")) * 100 === amount;
      if (!spot || !amount || same) continue;
      const at = shownNow ?? { x: spot.x + spot.w / 2, y: spot.y + spot.h / 2 };
      const radius = OWN_CHIP_PIXELS / 2 / this.#pixelsPerUnit;
      const letters = LETTER_PIXELS / this.#pixelsPerUnit;
      const chip = makeSvg("circle", { r: radius, class: "hoped" });
      const words = makeSvg("text", { class: "count", y: radius + letters * 0.6, "font-size": letters.toFixed(1) }, formatMoney(amount));
      ghosts.push(makeSvg("g", { class: "ghost", transform: `translate(${at.x} ${at.y})`, "data-slug": slug }, chip, words));
    }
    this.pendingLayer?.replaceChildren(...ghosts);
  }
}
