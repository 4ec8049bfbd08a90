// @ts-check
/** The chips to bet with. One is chosen as in a radio group, and each can be dragged to a spot of the
 * felt. */

import { byId, makeElement, sessionStore } from "./dom.js";
import { formatDollars, parseCents } from "./money.js";

/** Pixels that a pointer moves before a drag begins. */
const DRAG_PIXELS = 8;

/** The radio group of chips. */
export class ChipRack {
  /** The value of the chip that the player chose, or of the table's minimum. */
  #wanted = "";
  /** The table's minimum that the chips are shown for. */
  #minimum = "";

  /** @param {{over: (x: number, y: number) => string, bet: (slug: string, chip: number, x: number, y: number) => void, mark: (slug: string) => void}} felt */
  constructor(felt) {
    this.felt = felt;
    this.group = byId("chip");
    /** @type {{id: number, x: number, y: number, value: number, label: HTMLElement, ghost: HTMLElement | null} | null} */
    this.drag = null;
    this.group.addEventListener("change", () => this.#want(this.#checked()?.value ?? ""));
    this.group.addEventListener("pointerdown", (event) => this.#onPointerDown(event));
    window.addEventListener("pointermove", (event) => this.#onPointerMove(event));
    window.addEventListener("pointerup", (event) => this.#onPointerUp(event));
    window.addEventListener("pointercancel", () => this.#endDrag());
  }

  /** Show the chips of the rack, and a stack that makes the table's minimum if no chip does. The minimum is
   * chosen first. Do nothing if the minimum is the same as before. @param {{colour: string, value: string}[]} chips @param {string} minimum */
  show(chips, minimum) {
    if (minimum === this.#minimum) return;
    this.#minimum = minimum;
    const ordered = [...chips].sort((a, b) => parseCents(a.value) - parseCents(b.value));
    const above = ordered.findIndex(({ value }) => parseCents(value) >= parseCents(minimum));
    const at = above < 0 ? ordered.length : above;
    if (ordered[at]?.value !== minimum) ordered.splice(at, 0, { colour: ordered[Math.max(0, at - 1)]?.colour ?? "other", value: minimum });
    const stored = sessionStore.get("chip");
    this.#wanted = ordered.some(({ value }) => value === stored) ? stored : minimum;
    this.group.querySelectorAll("label").forEach((label) => label.remove());
    for (const { colour: color, value } of ordered) {
      const radio = makeElement("input", { type: "radio", name: "chip", value, checked: value === this.#wanted });
      const words = formatDollars(value);
      this.group.append(makeElement("label", { class: `chip-choice chip-${color}` }, radio, makeElement("span", { "data-long": String(words.length > 4) }, words)));
    }
  }

  /** Offer the chips that the rail can pay; the smallest always. @param {string | null} rail */
  update(rail) {
    const radios = this.#radios;
    radios.forEach((radio, at) => (radio.disabled = rail !== null && at > 0 && parseCents(radio.value) > parseCents(rail)));
    const payable = radios.filter((radio) => !radio.disabled);
    const chosen = payable.find(({ value }) => value === this.#wanted) ?? payable.at(-1);
    if (chosen) chosen.checked = true;
  }

  /** @param {string} value */
  #want(value) {
    this.#wanted = value;
    sessionStore.put("chip", value);
  }

  get #radios() {
    return [...this.group.querySelectorAll("input")];
  }

  #checked() {
    return /** @type {HTMLInputElement | null} */ (this.group.querySelector("input:checked"));
  }

  get chip() {
    const found = this.#checked();
    return found ? parseCents(found.value) : 100;
  }

  /** The color of the chosen chip. */
  get color() {
    return /chip-(?!choice)(\w+)/.exec(this.#checked()?.closest("label")?.className ?? "")?.[1] ?? "other";
  }

  /** Choose the chip at an index, smallest first. Return its value in words, or "" if there is none. @param {number} at */
  choose(at) {
    const radio = this.#radios[at];
    if (!radio || radio.disabled) return "";
    radio.checked = true;
    this.#want(radio.value);
    return formatDollars(radio.value);
  }

  /** @param {PointerEvent} event */
  #onPointerDown(event) {
    if (this.drag) return this.#endDrag(); // A second finger ends the drag.
    const label = /** @type {HTMLElement} */ (event.target).closest("label");
    const radio = label?.querySelector("input");
    if (!label || !radio || radio.disabled || event.button !== 0) return undefined;
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
    if (slug) this.felt.bet(slug, drag.value, event.clientX, event.clientY);
  }

  #endDrag() {
    this.drag?.ghost?.remove();
    this.drag = null;
    this.felt.mark("");
  }
}
