// @ts-check
/** The chips to bet with: one is chosen; each can be dragged to a spot. */

import { made, part, session } from "./dom.js";
import { cents, shown } from "./money.js";

/** So far a pointer moves before it drags. */
const SLACK = 8;

export class Rack {
  /** @param {{over: (x: number, y: number) => string, bet: (slug: string, chip: number) => void, mark: (slug: string) => void}} felt */
  constructor(felt) {
    this.felt = felt;
    this.group = part("chip");
    /** @type {{id: number, x: number, y: number, value: number, label: HTMLElement, ghost: HTMLElement | null} | null} */
    this.held = null;
    this.group.addEventListener("change", () => session.put("chip", this.#checked()?.value ?? ""));
    this.group.addEventListener("pointerdown", (event) => this.#down(event));
    window.addEventListener("pointermove", (event) => this.#move(event));
    window.addEventListener("pointerup", (event) => this.#up(event));
    window.addEventListener("pointercancel", () => this.#drop());
  }

  /** @param {{colour: string, value: string}[]} chips */
  show(chips) {
    const before = this.#checked()?.value ?? session.get("chip");
    const ordered = [...chips].sort((a, b) => cents(a.value) - cents(b.value));
    this.group.querySelectorAll("label").forEach((label) => label.remove());
    for (const [at, { colour, value }] of ordered.entries()) {
      const radio = /** @type {HTMLInputElement} */ (made("input", { type: "radio", name: "chip", value }));
      radio.checked = chips.some((chip) => chip.value === before) ? before === value : at === 0;
      const words = shown(cents(value));
      const label = made("label", { class: `chip-choice chip-${colour}` }, radio, made("span", { "data-long": String(words.length > 4) }, words));
      this.group.append(label);
    }
  }

  #checked() {
    return /** @type {HTMLInputElement | null} */ (this.group.querySelector("input:checked"));
  }

  get chip() {
    const found = this.#checked();
    return found ? cents(found.value) : 100;
  }

  /** Choose by number, the least first. @param {number} at */
  choose(at) {
    const radio = /** @type {HTMLInputElement | undefined} */ (this.group.querySelectorAll("input")[at]);
    if (!radio) return "";
    radio.checked = true;
    session.put("chip", radio.value);
    return shown(cents(radio.value));
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (this.held) return this.#drop(); // a second finger: that is no drag
    const label = /** @type {HTMLElement} */ (event.target).closest("label");
    const radio = label?.querySelector("input");
    if (!label || !radio || event.button !== 0) return undefined;
    this.held = { id: event.pointerId, x: event.clientX, y: event.clientY, value: cents(radio.value), label, ghost: null };
    return undefined;
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const held = this.held;
    if (!held || held.id !== event.pointerId) return;
    if (!held.ghost) {
      if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < SLACK) return;
      held.ghost = /** @type {HTMLElement} */ (held.label.cloneNode(true));
      held.ghost.querySelector("input")?.remove();
      held.ghost.classList.add("dragged");
      held.ghost.setAttribute("aria-hidden", "true");
      document.body.append(held.ghost);
    }
    event.preventDefault();
    held.ghost.style.translate = `${event.clientX}px ${event.clientY}px`;
    this.felt.mark(this.felt.over(event.clientX, event.clientY));
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const held = this.held;
    if (!held || held.id !== event.pointerId) return;
    const slug = held.ghost ? this.felt.over(event.clientX, event.clientY) : "";
    this.#drop();
    if (slug) this.felt.bet(slug, held.value);
  }

  #drop() {
    this.held?.ghost?.remove();
    this.held = null;
    this.felt.mark("");
  }
}
