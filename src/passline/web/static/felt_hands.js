// @ts-check
/** Hands on the felt: a tap bets, a long press or the other button shows more; keys move about. */

/** What lies aside is so much farther: where it is not opposite at all, and where it is. */
const NEAR = 3;
const BESIDE = 0.1;
/** Milliseconds that a press is long from, and pixels that a still finger moves. */
const LONG = 500;
const STILL = 10;

export class Hands {
  /** @param {import("./felt.js").Felt} felt @param {import("./felt.js").Does} does */
  constructor(felt, does) {
    this.felt = felt;
    this.does = does;
    /** @type {{timer: number, x: number, y: number} | null} */
    this.pressing = null;
    this.long = false;
  }

  /** @param {HTMLElement} grid */
  listen(grid) {
    grid.addEventListener("click", (event) => this.#tapped(event));
    grid.addEventListener("keydown", (event) => this.#key(event));
    grid.addEventListener("focusin", (event) => this.#focused(event));
    grid.addEventListener("pointerover", (event) => this.#over(event));
    grid.addEventListener("pointerdown", (event) => this.#down(event));
    grid.addEventListener("pointermove", (event) => this.#moved(event));
    for (const ends of ["pointerup", "pointercancel", "pointerleave"]) {
      grid.addEventListener(ends, () => this.#let());
    }
    grid.addEventListener("pointerleave", () => this.does.away());
    grid.addEventListener("focusout", () => this.does.away());
    grid.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      if (!this.long) this.#more(this.#slug(event));
    });
  }

  /** @param {Event} event */
  #slug(event) {
    const cell = /** @type {HTMLElement} */ (event.target).closest?.("[role=gridcell]");
    return cell instanceof HTMLElement ? (cell.dataset.slug ?? "") : "";
  }

  /** @param {Event} event */
  #tapped(event) {
    const slug = this.#slug(event);
    if (slug && !this.long) this.does.bet(slug);
    this.long = false;
  }

  /** @param {string} slug */
  #more(slug) {
    if (slug) this.does.more(slug);
  }

  /** @param {PointerEvent} event */
  #down(event) {
    const second = this.pressing !== null;
    this.#let();
    this.long = false;
    if (second || event.button !== 0) return; // two fingers pinch
    const slug = this.#slug(event);
    const timer = window.setTimeout(() => {
      this.#let();
      this.long = true;
      this.#more(slug);
    }, LONG);
    this.pressing = { timer, x: event.clientX, y: event.clientY };
  }

  /** @param {PointerEvent} event */
  #moved(event) {
    const from = this.pressing;
    if (from && Math.hypot(event.clientX - from.x, event.clientY - from.y) > STILL) this.#let();
  }

  #let() {
    window.clearTimeout(this.pressing?.timer);
    this.pressing = null;
  }

  /** @param {PointerEvent} event */
  #over(event) {
    const slug = this.#slug(event);
    if (slug && event.pointerType === "mouse") this.does.look(slug);
  }

  /** @param {FocusEvent} event */
  #focused(event) {
    const slug = this.#slug(event);
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
  #key(event) {
    const slug = this.#slug(event);
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
    const next = way ? this.#toward(here.target, way) : edge?.cell;
    next?.focus();
  }

  /** The nearest target in a direction. @param {import("./felt.js").Target} from @param {number[]} way */
  #toward(from, way) {
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
      const far = along + NEAR * Math.max(0, aside - wide / 2) + aside * BESIDE; // what lies opposite goes first
      if (far < best) {
        best = far;
        found = cell;
      }
    }
    return found;
  }
}
