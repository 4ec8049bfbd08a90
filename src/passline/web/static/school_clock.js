// @ts-check
/** A clock that can be turned off: then nothing is timed. It counts up, or down to the end. */

import { inputById, byId } from "./dom.js";
import { bindSwitch } from "./school_dom.js";

/** @param {number} seconds */
export const formatTime = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

export class Clock {
  /** @param {() => void} [onTimeUp] what happens when time is up */
  constructor(onTimeUp) {
    this.startedAt = performance.now();
    this.pace = 0;
    /** @type {number | null} so many seconds until the end; null: it counts up */
    this.endsAt = null;
    this.over = onTimeUp;
    this.stopped = true;
    bindSwitch("clock-on", "school-clock", true, () => this.#show());
    setInterval(() => this.#tick(), 250);
  }

  get on() {
    return inputById("clock-on").checked;
  }

  /** @param {number} dealerSeconds seconds in which a working dealer answers */
  start(dealerSeconds) {
    this.startedAt = performance.now();
    this.pace = dealerSeconds;
    this.stopped = false;
    this.#show();
  }

  stop() {
    this.stopped = true;
  }

  /** Seconds since the question was put; null where nothing is timed. */
  get seconds() {
    return this.on ? (performance.now() - this.startedAt) / 1000 : null;
  }

  #tick() {
    if (!this.stopped) this.#show();
    if (this.endsAt !== null && performance.now() >= this.endsAt) {
      this.endsAt = null;
      this.over?.();
    }
  }

  #show() {
    const at = byId("clock");
    at.hidden = !this.on && this.endsAt === null;
    const gone = (performance.now() - this.startedAt) / 1000;
    const left = this.endsAt === null ? null : Math.max(0, (this.endsAt - performance.now()) / 1000);
    const words = left === null ? `${formatTime(gone)}${this.pace ? ` (a dealer: ${formatTime(this.pace)})` : ""}` : `${formatTime(left)} left`;
    if (at.textContent !== words) at.textContent = words;
    at.classList.toggle("late", left === null ? this.pace > 0 && gone > this.pace : left < 60);
  }
}
