// @ts-check
/** A clock that can be turned off: then nothing is timed. It counts up, or down to the end. */

import { box, part } from "./dom.js";
import { remembered } from "./school_dom.js";

/** @param {number} seconds */
export const minuted = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

export class Clock {
  /** @param {() => void} [over] what happens when time is up */
  constructor(over) {
    this.began = performance.now();
    this.pace = 0;
    /** @type {number | null} so many seconds until the end; null: it counts up */
    this.until = null;
    this.over = over;
    this.stopped = true;
    remembered("clock-on", "school-clock", true, () => this.#show());
    setInterval(() => this.#tick(), 250);
  }

  get on() {
    return box("clock-on").checked;
  }

  /** @param {number} pace seconds in which a working dealer answers */
  start(pace) {
    this.began = performance.now();
    this.pace = pace;
    this.stopped = false;
    this.#show();
  }

  stop() {
    this.stopped = true;
  }

  /** Seconds since the question was put; null where nothing is timed. */
  get seconds() {
    return this.on ? (performance.now() - this.began) / 1000 : null;
  }

  #tick() {
    if (!this.stopped) this.#show();
    if (this.until !== null && performance.now() >= this.until) {
      this.until = null;
      this.over?.();
    }
  }

  #show() {
    const at = part("clock");
    at.hidden = !this.on && this.until === null;
    const gone = (performance.now() - this.began) / 1000;
    const left = this.until === null ? null : Math.max(0, (this.until - performance.now()) / 1000);
    const words = left === null ? `${minuted(gone)}${this.pace ? ` (a dealer: ${minuted(this.pace)})` : ""}` : `${minuted(left)} left`;
    if (at.textContent !== words) at.textContent = words;
    at.classList.toggle("late", left === null ? this.pace > 0 && gone > this.pace : left < 60);
  }
}
