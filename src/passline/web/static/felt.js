// @ts-check
/** The felt of the table page. The server draws the picture; this module lays a grid of targets over it
 * (Felt), handles taps, long presses and arrow keys (FeltInput), and draws chips that can be read at
 * every size (FeltChips). */

import { placeChips } from "./own_chip_places.js";
import { CursorChip } from "./click_preview.js";
import { makeElement, makeSvg, parseSvg, parseSvgFragment } from "./dom.js";
import { formatMoney } from "./money.js";

/**
 * @typedef {{x: number, y: number, w: number, h: number}} Box
 * @typedef {{slug: string, name: string, number: number, kind: string, pays: string[], area: string,
 *   box: Box, share: Box, outlines: number[][][], bet_as: string}} Target
 * @typedef {{svg: string, views: Record<string, number[]>, rows: {name: string, cells: Target[]}[],
 *   chips: {colour: string, value: string}[]}} FeltDrawing
 * @typedef {{bet: (slug: string) => void, look: (slug: string) => void,
 *   offer: (slug: string) => import("./click_preview.js").Offer | null,
 *   more: (slug: string) => void, away: () => void, reach: () => void}} FeltActions what the page does: `bet` adds a chip;
 *   `look` and `away` when a wager is pointed at and no longer; `offer` says what a click would book; `more` opens the dialog
 *   of a wager; `reach` when the focus enters a part that is not shown
 */

/** The smallest side of a target in pixels. It is a little over 24, since browsers round down. */
const MIN_TARGET_PIXELS = 24.1;

/** The wood outside an end's apron that a view may leave out, in felt units. */
const END_WOOD_UNITS = 46;

/** Whether a target is a player's own spot, which grows where the felt is small. @param {Target} target */
const isOwnSpot = ({ kind }) => kind === "fire";

/** Return the smallest side of some targets, in felt units. @param {Target[]} targets */
function smallestSide(targets) {
  return Math.min(...targets.filter((target) => !isOwnSpot(target)).map(({ box }) => Math.min(box.w, box.h)));
}

/** Whether the middle of a box is between the left and the right side of a frame. @param {Box} box @param {number[]} frame */
function isWithin(box, [left, , width]) {
  const middle = box.x + box.w / 2;
  return middle > left && middle < left + width;
}

/** Return a box whose sides are at least this long, around the same middle. @param {Box} box @param {number} least */
function growBox({ x, y, w, h }, least) {
  const [wide, high] = [Math.max(w, least), Math.max(h, least)];
  return { x: x - (wide - w) / 2, y: y - (high - h) / 2, w: wide, h: high };
}

/** Place an element over a box of a frame, by percentages. @param {HTMLElement} element @param {Box} box @param {Box} frame */
function placeWithin(element, box, frame) {
  element.style.left = `${(100 * (box.x - frame.x)) / frame.w}%`;
  element.style.top = `${(100 * (box.y - frame.y)) / frame.h}%`;
  element.style.width = `${(100 * box.w) / frame.w}%`;
  element.style.height = `${(100 * box.h) / frame.h}%`;
}

/** Give an element the shape of an outline over a box. @param {HTMLElement} element @param {number[][]} outline @param {Box} box */
function shapeWithin(element, outline, box) {
  const [xs, ys] = [0, 1].map((axis) => outline.map((point) => point[axis]));
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  const [w, h] = [Math.max(...xs) - x, Math.max(...ys) - y];
  placeWithin(element, { x, y, w, h }, box);
  const corners = outline.map((point) => `${((100 * (point[0] - x)) / w).toFixed(2)}% ${((100 * (point[1] - y)) / h).toFixed(2)}%`);
  element.style.clipPath = `polygon(${corners.join(", ")})`;
}

/** Return the slug of the target that contains an element, or "". @param {EventTarget | null} element */
function slugOf(element) {
  const cell = element instanceof Element ? element.closest("[role=gridcell]") : null;
  return cell?.getAttribute("data-slug") ?? "";
}

/** The picture with its grid of targets, one gridcell for each wager. */
export class Felt {
  /** The slugs of the wagers that are offered. */
  #offered;
  /** What this player has up, by slug. @type {Map<string, string>} */
  #placed = new Map();

  /** @param {HTMLElement} place @param {FeltActions} actions */
  constructor(place, actions) {
    this.place = place;
    this.input = new FeltInput(this, actions);
    this.cursorChip = new CursorChip(/** @type {HTMLElement} */ (place.parentElement), actions.offer);
    /** @type {Map<string, {target: Target, cell: HTMLElement}>} */
    this.cells = new Map();
    this.chips = new FeltChips((slug) => this.cells.get(slug)?.target);
    /** The choice in `Bet as`: which of the wagers on a number is offered. */
    this.mode = "Place";
    this.#offered = "";
    /** The part that is shown: "whole", "near" (own end and center), "end" or "center". `viewOnly`: no
     * bets are taken on it. */
    this.view = "whole";
    this.viewOnly = false;
    /** The part of the drawing that is shown: x, y, width and height. */
    this.frame = [0, 0, 1, 1];
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
    const patches = target.outlines.map(() => makeElement("i", { class: "patch" }));
    const data = { "data-slug": slug, "data-kind": kind, "data-number": number > 0 && String(number) };
    const cell = makeElement("div", { role: "gridcell", tabindex: "-1", class: patches.length > 0 && "shaped", ...data }, ...patches);
    this.cells.set(slug, { target, cell });
    return cell;
  }

  /** Return the part of the drawing that the current view shows. Of an end that is too wide for the stage,
   * the wood at its outer side is left out. @param {number} small the smallest side of a target */
  #findFrame(small) {
    const views = this.drawing?.views ?? {};
    const [left, top, width, height] = views[this.view] ?? views.whole ?? this.frame;
    const room = ((this.place.parentElement?.clientWidth ?? 0) * small) / MIN_TARGET_PIXELS;
    const cut = this.view === "end" && room > 0 ? Math.min(Math.max(0, width - room), END_WOOD_UNITS) : 0;
    this.place.classList.toggle("trimmed", cut > 0);
    return [left + (left < (views.center?.[0] ?? left) ? cut : 0), top, width - cut, height];
  }

  /** Whether the end that this player does not use is in view. */
  get showsOtherEnd() {
    return this.view === "whole" && !this.viewOnly && this.frame[2] > (this.drawing?.views.near?.[2] ?? 0) + 1;
  }

  /** Return the width and height in pixels at which every target of a view is large enough for a finger.
   * @param {"whole" | "near"} view @returns {{width: number, height: number}} */
  sizeNeeded(view) {
    const unit = MIN_TARGET_PIXELS / smallestSide(this.#findOffered());
    const [, , width, height] = this.drawing?.views[view] ?? [0, 0, 0, 0];
    return { width: width * unit, height: height * unit };
  }

  /** Show the current view and place the targets over it. */
  layOut() {
    if (!this.drawing || !this.svg) return;
    const offered = new Set(this.#findOffered());
    this.#offered = [...offered].map(({ slug }) => slug).join();
    const small = smallestSide([...offered].filter(({ box }) => isWithin(box, this.drawing?.views[this.view] ?? this.frame)));
    this.frame = this.#findFrame(small);
    const [left, top, width, height] = this.frame;
    this.svg.setAttribute("viewBox", this.frame.join(" "));
    this.place.style.setProperty("--left", String(left));
    this.place.style.setProperty("--top", String(top));
    this.place.style.setProperty("--wide", String(width));
    this.place.style.setProperty("--high", String(height));
    for (const { target, cell } of this.cells.values()) {
      const isOffered = offered.has(target);
      this.#placeCell(cell, target, isOffered ? target.box : target.share);
      cell.classList.toggle("under", !isOffered); // Keys and screen readers still reach it.
      cell.classList.toggle("out", !isWithin(target.box, this.frame));
    }
    this.place.classList.toggle("looks", this.viewOnly);
    this.place.style.setProperty("--need", this.viewOnly ? "0" : (MIN_TARGET_PIXELS / small).toFixed(4));
    this.#scaleChips();
  }

  /** @param {HTMLElement} cell @param {Target} target @param {Box} box */
  #placeCell(cell, target, box) {
    const [x, y, w, h] = this.frame;
    placeWithin(cell, box, { x, y, w, h });
    target.outlines.forEach((outline, at) => shapeWithin(/** @type {HTMLElement} */ (cell.children[at]), outline, box));
  }

  /** Scale own chips, their amounts, the puck and the own spot so that they can be read and pressed at this size. */
  #scaleChips() {
    if (!this.drawing || !this.place.clientWidth) return;
    const unit = this.place.clientWidth / this.frame[2];
    this.chips.setScale(unit, this.frame, this.viewOnly && unit < OVERVIEW_PIXELS ? OVERVIEW_SCALE : 1);
    for (const { target, cell } of this.cells.values()) {
      if (isOwnSpot(target)) this.#placeCell(cell, target, growBox(target.box, MIN_TARGET_PIXELS / unit));
    }
  }

  /** The targets of each number. */
  get #columns() {
    return (this.drawing?.rows ?? []).map((row) => row.cells).filter((cells) => cells.every((cell) => cell.number));
  }

  /** Return the targets in the column of a wager's number. @param {string} slug */
  column(slug) {
    return this.#columns.find((column) => column.some((cell) => cell.slug === slug)) ?? [];
  }

  /** The choices of `Bet as` that this felt has. */
  get modes() {
    return new Set(this.#columns.flat().map((target) => target.bet_as));
  }

  /** Return the targets that are offered: one in each painted area. On a number that is what `Bet as` says.
   * A line offers its odds if `Bet as` says so and they can be bet, a side wager the stage that is up. */
  #findOffered() {
    /** @type {Map<string, Target[]>} */
    const areas = new Map();
    for (const { target } of this.cells.values()) areas.set(target.area, [...(areas.get(target.area) ?? []), target]);
    return [...areas.values()].flatMap((targets) => {
      const asked = targets.filter((target) => target.bet_as === this.mode);
      const isColumn = targets.length > 1 && targets.every((target) => target.number);
      const found = asked.find((target) => this.#isEnabled(target.slug)) ?? (isColumn ? asked.at(-1) : (targets.find(({ slug }) => this.#placed.has(slug)) ?? targets[0]));
      return found ? [found] : [];
    });
  }

  /** @param {string} slug */
  #isEnabled(slug) {
    return this.cells.get(slug)?.cell.getAttribute("aria-disabled") === "false";
  }

  /** Show the chips of a new state, and which wagers can be bet now.
   * @param {Record<string, string>} pieces @param {string} me @param {Record<string, any>} may @param {Map<string, string>} ownAmounts */
  update(pieces, me, may, ownAmounts) {
    this.chips.show(joinPieces(pieces), me);
    this.#placed = ownAmounts;
    for (const [slug, { target, cell }] of this.cells) {
      const placed = ownAmounts.get(slug);
      cell.setAttribute("aria-label", placed ? `${target.name}, ${placed}` : target.name);
      const option = may[slug]?.raise ?? may[slug]?.bet;
      const barred = option === undefined || "bar" in option;
      cell.setAttribute("aria-disabled", String(barred));
    }
    this.place.classList.toggle("seated", me !== "");
    if (this.#findOffered().map(({ slug }) => slug).join() !== this.#offered) this.layOut(); // Other odds can be bet now.
    this.cursorChip.refresh();
  }

  /** Draw the chips of bets that are not confirmed yet. @param {Map<string, number>} pending @param {Map<string, number>} placed */
  showPending(pending, placed) {
    this.chips.showPending(pending, placed);
    this.cursorChip.refresh();
  }

  /** Note where a wager was clicked: on a line, its chips lie there. @param {string} slug @param {number} x @param {number} y of the window */
  noteClick(slug, x, y) {
    const shown = this.place.getBoundingClientRect();
    const [left, top, width, height] = this.frame;
    this.chips.clicks.set(slug, { x: left + ((x - shown.x) * width) / shown.width, y: top + ((y - shown.y) * height) / shown.height });
  }

  /** Move the focus to the current target. */
  focus() {
    /** @type {HTMLElement | null} */ (this.place.querySelector("[role=gridcell][tabindex='0']"))?.focus({ preventScroll: true });
  }

  /** Return the slug of the wager at a point of the window, or "". @param {number} x @param {number} y */
  wagerAt(x, y) {
    return slugOf(document.elementFromPoint(x, y));
  }

  /** Return whether a zone of the other end is painted at a point of the window. @param {number} x @param {number} y @param {string} own end */
  isOtherEnd(x, y, own) {
    const zones = document.elementsFromPoint(x, y).map((element) => element.closest(".zone"));
    return zones.some((zone) => zone !== null && ![own, "center"].includes(zone.getAttribute("data-end") ?? own));
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
    grid.addEventListener("pointerleave", () => this.felt.cursorChip.hide());
    grid.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      const slug = slugOf(event.target);
      if (slug && !this.wasLongPress) this.actions.more(slug);
    });
  }

  /** @param {MouseEvent} event */
  #onClick(event) {
    const slug = slugOf(event.target);
    if (slug && !this.wasLongPress) {
      if (event.detail) this.felt.noteClick(slug, event.clientX, event.clientY); // A screen reader's click has no place.
      this.actions.bet(slug);
    }
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
    if (event.pointerType === "mouse") this.felt.cursorChip.move(slugOf(event.target), event.clientX, event.clientY);
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

  /** Return the nearest target in a direction. @param {Target} target @param {number[]} direction */
  #nearestCell({ slug, share: from }, direction) {
    const center = [from.x + from.w / 2, from.y + from.h / 2];
    /** @type {HTMLElement | undefined} */
    let found;
    let best = Infinity;
    for (const { target, cell } of this.felt.cells.values()) {
      const to = target.share;
      const off = [to.x + to.w / 2 - center[0], to.y + to.h / 2 - center[1]];
      const along = off[0] * direction[0] + off[1] * direction[1];
      const aside = Math.abs(off[0] * direction[1]) + Math.abs(off[1] * direction[0]);
      const wide = direction[0] ? to.h + from.h : to.w + from.w;
      if (along < 1 || target.slug === slug) continue;
      const distance = along + OFF_AXIS_WEIGHT * Math.max(0, aside - wide / 2) + aside * ASIDE_WEIGHT; // Targets straight ahead come first.
      if (distance < best) {
        best = distance;
        found = cell;
      }
    }
    return found;
  }
}

/** The smallest width of an own chip, in pixels and in felt units, the smallest width of the puck, and the
 * height of letters. They are a little more than is promised, since browsers round. */
const OWN_CHIP_PIXELS = 26.4;
const OWN_CHIP_UNITS = 20;
const PUCK_PIXELS = 28.4;
const LETTER_PIXELS = 12;
/** On a view where nobody can bet and a felt unit has fewer than OVERVIEW_PIXELS pixels, these sizes are multiplied
 * by OVERVIEW_SCALE, so that chips do not cover one another. */
const OVERVIEW_SCALE = 0.58;
const OVERVIEW_PIXELS = 0.42;

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

/** The chips on the felt: the server's drawing, own chips enlarged where they were clicked, pending bets as
 * ghosts. */
class FeltChips {
  #contents = "";
  #me = "";
  #frozen = false;
  #pixelsPerUnit = 1;
  /** The factor of the smallest sizes: 1, or OVERVIEW_SCALE. */
  #share = 1;
  /** @type {number[]} */
  #frame = [0, 0, Infinity, Infinity];
  /** Where each wager was last clicked, in felt units. @type {Map<string, {x: number, y: number}>} */
  clicks = new Map();

  /** @param {(slug: string) => Target | undefined} findTarget */
  constructor(findTarget) {
    this.findTarget = findTarget;
  }

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

  /** @param {number} unit pixels of a unit @param {number[]} frame the part of the felt that is shown
   * @param {number} share the factor of the smallest sizes: 1, or OVERVIEW_SCALE */
  setScale(unit, frame, share) {
    if (Math.abs(unit - this.#pixelsPerUnit) < 0.01 && frame === this.#frame && share === this.#share) return;
    this.#pixelsPerUnit = unit;
    this.#share = share;
    this.#frame = frame;
    if (!this.#frozen) this.#draw();
  }

  /** Leave the chips as they are drawn, until `unfreeze`, while the crew's moves are animated. */
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
    const drawn = parseSvgFragment(this.#contents);
    const stacks = [...drawn.querySelectorAll(`.stack[data-player="${CSS.escape(this.#me)}"]`)];
    const places = this.#placeOwn(stacks.map(slugOfStack));
    for (const stack of this.#me ? stacks : []) {
      const at = places.get(slugOfStack(stack));
      if (at) this.#enlargeOwn(drawn, stack, at);
    }
    drawn.append(...stacks.flatMap((stack) => lammersOf(drawn, stack))); // Over all own chips: a neighbor's may be wider than its box.
    drawn.querySelectorAll(".puck").forEach((puck) => this.#enlargePuck(puck));
    drawn.querySelectorAll(".stack").forEach((stack) => this.#hideOutside(drawn, stack));
    return drawn;
  }

  #draw() {
    this.layer?.replaceChildren(...this.parseContents().childNodes);
  }

  /** The width of an own chip in felt units. */
  get #ownSize() {
    return Math.max((OWN_CHIP_PIXELS * this.#share) / this.#pixelsPerUnit, OWN_CHIP_UNITS);
  }

  /** Return where own bets lie, by slug, moved so that the shown frame cuts none in half. @param {string[]} slugs */
  #placeOwn(slugs) {
    const targets = slugs.flatMap((slug) => this.findTarget(slug) ?? []);
    const places = placeChips(targets, this.clicks, this.#ownSize);
    const [left, , width] = this.#frame;
    const edge = this.#ownSize / 2 + 1;
    for (const at of places.values()) {
      if (at.x > left && at.x < left + width) at.x = Math.min(Math.max(at.x, left + edge), left + width - edge);
    }
    return places;
  }

  /** Enlarge a stack of this player, move it to its place and write its amount on it.
   * @param {Element} drawn @param {Element} stack @param {{x: number, y: number}} at */
  #enlargeOwn(drawn, stack, at) {
    const chips = [...stack.querySelectorAll("use")];
    const top = chips.at(-1);
    const scale = this.#ownSize / (2 * Number(stack.querySelector(".shade")?.getAttribute("rx") ?? OWN_CHIP_UNITS / 2));
    const rise = translationOf(top)?.y ?? 0;
    const foot = at.y - (rise * scale) / 2;
    stack.setAttribute("transform", `translate(${at.x.toFixed(2)} ${foot.toFixed(2)}) scale(${scale.toFixed(3)})`);
    stack.classList.add("own");
    top?.setAttribute("href", (top.getAttribute("href") ?? "").replace(/^#chip-(.+)-\d+$/, "#edge-$1")); // The amount takes the place of the numeral.
    const words = formatMoney(Math.round(Number(stack.getAttribute("data-amount")) * 100));
    const letters = ((LETTER_PIXELS * this.#share) / this.#pixelsPerUnit / scale).toFixed(1);
    stack.append(makeSvg("text", { class: "count own-count", y: rise, "font-size": letters }, words));
    stack.parentElement?.append(stack);
    this.#enlargeLammer(drawn, stack, { x: at.x, y: foot + rise * scale }, scale);
  }

  /** Enlarge the lammers of a stack and put them at the upper right of its top chip, so that its amount stays readable.
   * @param {Element} drawn @param {Element} stack @param {{x: number, y: number}} top @param {number} scale */
  #enlargeLammer(drawn, stack, top, scale) {
    const lammers = lammersOf(drawn, stack);
    const off = this.#ownSize * 0.55;
    lammers.forEach((lammer, count) => {
      const [x, y] = centerOf(lammer);
      const left = count ? -1 : 1; // A second one, at its upper left.
      lammer.setAttribute("transform", `translate(${top.x + left * off} ${top.y - off}) scale(${scale.toFixed(3)}) translate(${-x} ${-y})`);
    });
  }

  /** @param {Element} puck */
  #enlargePuck(puck) {
    const [x, y] = centerOf(puck);
    const width = 2 * Number(puck.querySelector("circle")?.getAttribute("r") ?? 1);
    const scale = Math.max(1, (PUCK_PIXELS * this.#share) / (width * this.#pixelsPerUnit));
    puck.setAttribute("transform", `translate(${x} ${y}) scale(${scale.toFixed(3)}) translate(${-x} ${-y})`);
  }

  /** Hide a stack of the part of the felt that is not shown: half a chip at its edge says nothing.
   * @param {Element} drawn @param {Element} stack */
  #hideOutside(drawn, stack) {
    const [left, , width] = this.#frame;
    const x = translationOf(stack)?.x ?? left;
    if (x >= left && x <= left + width) return;
    for (const item of [stack, ...lammersOf(drawn, stack)]) item.setAttribute("visibility", "hidden");
  }

  /** @param {string} player @param {string} slug */
  stack(player, slug) {
    const of = `.stack[data-player="${CSS.escape(player)}"][data-slug="${CSS.escape(slug)}"]`;
    return this.layer?.querySelector(of) ?? null;
  }

  /** @param {Map<string, number>} pending @param {Map<string, number>} placed */
  showPending(pending, placed) {
    const places = this.#placeOwn([...new Set([...placed.keys(), ...pending.keys()])]);
    const letters = (LETTER_PIXELS * this.#share) / this.#pixelsPerUnit;
    const ghosts = [];
    for (const [slug, amount] of pending) {
      const stack = this.stack(this.#me, slug);
      const same = stack !== null && Number(stack.getAttribute("data-amount")) * 100 === amount;
      const at = places.get(slug);
      if (!at || !amount || same) continue;
      const chip = makeSvg("circle", { r: this.#ownSize / 2, class: "hoped" });
      const words = makeSvg("text", { class: "count", "font-size": letters.toFixed(1) }, formatMoney(amount));
      ghosts.push(makeSvg("g", { class: "ghost", transform: `translate(${at.x} ${at.y})`, "data-slug": slug }, chip, words));
    }
    this.pendingLayer?.replaceChildren(...ghosts);
  }
}

/** @param {Element} stack */
const slugOfStack = (stack) => stack.getAttribute("data-slug") ?? "";

/** Return the center of the first circle of a group. @param {Element} group */
function centerOf(group) {
  const circle = group.querySelector("circle");
  return ["cx", "cy"].map((side) => Number(circle?.getAttribute(side)));
}

/** Return the lammers of a stack. @param {Element} drawn @param {Element} stack */
function lammersOf(drawn, stack) {
  const player = CSS.escape(stack.getAttribute("data-player") ?? "");
  return [...drawn.querySelectorAll(`.lammer[data-player="${player}"][data-slug="${CSS.escape(slugOfStack(stack))}"]`)];
}
