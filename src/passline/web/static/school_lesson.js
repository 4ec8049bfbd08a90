// @ts-check
/** Figures of a lesson: a felt can be flipped to the dealer's side, and steps that move chips can be
 * played and paused. Without this script all steps are shown. */

import { makeButton, makeElement } from "./dom.js";

const STEP_MS = 2500; // Milliseconds that each step is shown while they play.

/** Add a button that flips a felt. @param {HTMLElement} felt */
function addFlip(felt) {
  const flip = makeButton("Dealer's side", () => {
    const flipped = felt.classList.toggle("dealer-side");
    flip.setAttribute("aria-pressed", String(flipped));
  }, "Dealer's side", "quiet small");
  flip.setAttribute("aria-pressed", "false");
  felt.after(flip);
}

/** Steps that play and pause, one at a time. */
class StepPlayer {
  /** @param {HTMLElement} list */
  constructor(list) {
    this.steps = /** @type {HTMLElement[]} */ ([...list.children]);
    this.at = 0;
    this.timer = 0;
    this.play = makeButton("Play", () => this.#toggle());
    this.status = makeElement("span", { role: "status", class: "keys" });
    const back = makeButton("Back", () => this.#go(this.at - 1), "Back", "quiet");
    const next = makeButton("Next step", () => this.#go(this.at + 1), "Next step", "quiet");
    list.before(makeElement("p", { class: "acts step-player" }, this.play, back, next, this.status));
    this.#show();
  }

  #toggle() {
    if (this.timer) return this.#pause();
    if (this.at >= this.steps.length - 1) this.at = -1;
    this.play.textContent = "Pause";
    this.timer = window.setInterval(() => this.#tick(), STEP_MS);
    return this.#tick();
  }

  #pause() {
    window.clearInterval(this.timer);
    this.timer = 0;
    this.play.textContent = "Play";
  }

  #tick() {
    this.at += 1;
    this.#show();
    if (this.at >= this.steps.length - 1) this.#pause();
  }

  /** @param {number} at */
  #go(at) {
    this.#pause();
    this.at = Math.max(0, Math.min(at, this.steps.length - 1));
    this.#show();
  }

  #show() {
    const at = Math.max(0, this.at);
    this.steps.forEach((step, n) => {
      step.classList.toggle("current", n === at);
      step.querySelector(".piles")?.toggleAttribute("hidden", n !== at);
    });
    this.status.textContent = `Step ${at + 1} of ${this.steps.length}`;
  }
}

for (const felt of document.querySelectorAll(".felt-shown")) addFlip(/** @type {HTMLElement} */ (felt));
for (const list of document.querySelectorAll(".crew-steps.played")) new StepPlayer(/** @type {HTMLElement} */ (list));
