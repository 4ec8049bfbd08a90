// @ts-check
/** Hands on the felt: a tap bets, a long press or the other button shows more; keys move about. */

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
    this.does = actions;
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
    grid.addEventListener("pointerleave", () => this.does.away());
    grid.addEventListener("focusout", () => this.does.away());
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
    if (slug && !this.wasLongPress) this.does.bet(slug);
    this.wasLongPress = false;
  }

  /** @param {string} slug */
  #showMore(slug) {
    if (slug) this.does.more(slug);
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
    if (slug && event.pointerType === "mouse") this.does.look(slug);
  }

  /** @param {FocusEvent} event */
  #onFocus(event) {
    const slug = this.#slugOf(event);
    if (!slug) return;
    if (this.felt.cells.get(slug)?.cell.classList.contains("out")) this.does.reach();
    for (const [of, { cell }] of this.felt.cells) {
      cell.tabIndex = of === slug ? 0 : -1;
      if (of === slug) cell.setAttribute("aria-describedby", "spot-told");
      else cell.removeAttribute("aria-describedby");
    }
    this.does.look(slug);
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const slug = this.#slugOf(event);
    const here = this.felt.cells.get(slug);
    if (!here || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.does.bet(slug);
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
