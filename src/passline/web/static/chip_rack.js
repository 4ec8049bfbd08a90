// @ts-check
/** The chips to bet with. One is chosen as in a radio group, and each can be dragged to a spot of the
 * felt. */

import { byId, makeElement, sessionStore } from "./dom.js";
import { formatDollars, parseCents } from "./money.js";

/** Pixels that a pointer moves before a drag begins. */
const DRAG_PIXELS = 8;

/** The radio group of chips. */
export class ChipRack {
  /** @param {{over: (x: number, y: number) => string, bet: (slug: string, chip: number) => void, mark: (slug: string) => void}} felt */
  constructor(felt) {
    this.felt = felt;
    this.group = byId("chip");
    /** @type {{id: number, x: number, y: number, value: number, label: HTMLElement, ghost: HTMLElement | null} | null} */
    this.drag = null;
    this.group.addEventListener("change", () => sessionStore.put("chip", this.#checked()?.value ?? ""));
    this.group.addEventListener("pointerdown", (event) => this.#onPointerDown(event));
    window.addEventListener("pointermove", (event) => this.#onPointerMove(event));
    window.addEventListener("pointerup", (event) => this.#onPointerUp(event));
    window.addEventListener("pointercancel", () => this.#endDrag());
  }

  /** @param {{colour: string, value: string}[]} chips */
  show(chips) {
    const before = this.#checked()?.value ?? sessionStore.get("chip");
    const ordered = [...chips].sort((a, b) => parseCents(a.value) - parseCents(b.value));
    this.group.querySelectorAll("label").forEach((label) => label.remove());
    for (const [at, { colour: color, value }] of ordered.entries()) {
      const checked = chips.some((chip) => chip.value === before) ? before === value : at === 0;
      const radio = makeElement("input", { type: "radio", name: "chip", value, checked });
      const words = formatDollars(value);
      this.group.append(makeElement("label", { class: `chip-choice chip-${color}` }, radio, makeElement("span", { "data-long": String(words.length > 4) }, words)));
    }
  }

  #checked() {
    return /** @type {HTMLInputElement | null} */ (this.group.querySelector("input:checked"));
  }

  get chip() {
    const found = this.#checked();
    return found ? parseCents(found.value) : 100;
  }

  /** Choose the chip at an index, smallest first. Return its value in words, or "" if there is none. @param {number} at */
  choose(at) {
    const radio = /** @type {HTMLInputElement | undefined} */ (this.group.querySelectorAll("input")[at]);
    if (!radio) return "";
    radio.checked = true;
    sessionStore.put("chip", radio.value);
    return formatDollars(radio.value);
  }

  /** @param {PointerEvent} event */
  #onPointerDown(event) {
    if (this.drag) return this.#endDrag(); // A second finger ends the drag.
    const label = /** @type {HTMLElement} */ (event.target).closest("label");
    const radio = label?.querySelector("input");
    if (!label || !radio || event.button !== 0) return undefined;
    this.drag = { id: event.pointerId, x: event.clientX, y: event.clientY, value: parseCents(radio.value), label, ghost: null };
    return undefined;
  }

  /** @param {PointerEvent} event */
  #onPointerMove(event) {
    const drag = this.drag;
    if (!drag || drag.id !== event.pointerId) return;
    if (!drag.ghost) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_PIXELS) return;
      drag.ghost = /** @type {HTMLElement} */ (drag.label.cloneNode(true));
      drag.ghost.querySelector("input")?.remove();
      drag.ghost.classList.add("dragged");
      drag.ghost.setAttribute("aria-hidden", "true");
      document.body.append(drag.ghost);
    }
    event.preventDefault();
    drag.ghost.style.translate = `${event.clientX}px ${event.clientY}px`;
    this.felt.mark(this.felt.over(event.clientX, event.clientY));
  }

  /** @param {PointerEvent} event */
  #onPointerUp(event) {
    const drag = this.drag;
    if (!drag || drag.id !== event.pointerId) return;
    const slug = drag.ghost ? this.felt.over(event.clientX, event.clientY) : "";
    this.#endDrag();
    if (slug) this.felt.bet(slug, drag.value);
  }

  #endDrag() {
    this.drag?.ghost?.remove();
    this.drag = null;
    this.felt.mark("");
  }
}
