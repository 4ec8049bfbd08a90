// @ts-check
/** The chip at the mouse pointer over the felt, with what a click books: "Place 6, $6". */

import { makeElement } from "./dom.js";

/** @typedef {{words: string, color: string}} Offer what a click books; `color` is empty if it books nothing */

/** Pixels from the window's right edge at which the words are left of the pointer. */
const WORDS_PIXELS = 190;

export class CursorChip {
  #slug = "";

  /** @param {HTMLElement} place @param {(slug: string) => Offer | null} offer */
  constructor(place, offer) {
    this.offer = offer;
    this.chip = makeElement("span", { class: "disk" });
    this.words = makeElement("span", { class: "words" });
    this.element = makeElement("div", { class: "cursor-chip", "aria-hidden": "true" }, this.chip, this.words);
    this.element.hidden = true;
    place.append(this.element);
    window.addEventListener("scroll", () => this.hide(), { passive: true }); // The felt moves away under it.
  }

  /** Follow the pointer. @param {string} slug of the wager under it @param {number} x @param {number} y */
  move(slug, x, y) {
    this.element.style.translate = `${x}px ${y}px`;
    this.element.classList.toggle("left", x > window.innerWidth - WORDS_PIXELS);
    if (slug === this.#slug) return;
    this.#slug = slug;
    this.refresh();
  }

  hide() {
    this.#slug = "";
    this.element.hidden = true;
  }

  /** Show what a click books now. */
  refresh() {
    const offer = this.#slug ? this.offer(this.#slug) : null;
    this.element.hidden = offer === null;
    if (!offer) return;
    this.words.textContent = offer.words;
    this.chip.className = offer.color ? `disk chip-${offer.color}` : "disk none";
  }
}
