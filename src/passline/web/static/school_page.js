// @ts-check
/** Parts that the school's pages share: drawings of chips, switches, the clock, and the form that asks
 * for the learner's name. */

import { attempt } from "./api.js";
import { byId, inputById, localStore, makeElement, makeSvg, onSubmit, parseSvg } from "./dom.js";
import { school } from "./school_api.js";

/** Return a drawing of stacked chips, with a gap after every five. @param {string} color @param {number} count */
export function makeChipStack(color, count) {
  const [wide, step, cut] = [48, 6, 5];
  const high = 26 + (count - 1) * step + Math.floor((count - 1) / 5) * cut;
  const svg = makeSvg("svg", { viewBox: `0 0 ${wide} ${high}`, width: wide, height: high, class: "chip-stack", "aria-hidden": "true" });
  for (let at = 0; at < count; at += 1) {
    const y = high - 26 - at * step - Math.floor(at / 5) * cut;
    svg.append(makeSvg("use", { href: `#slab-${color}`, x: 0, y, width: wide, height: 26 }));
  }
  return svg;
}

/** Return a stack of a question with its words. A switch of the page shows the amount in dollars.
 * @param {import("./school_api.js").Stack} stack */
export function makeStack(stack) {
  const words = stack.coin ? `${stack.words} and ${stack.coin}` : stack.words;
  return makeElement(
    "figure",
    { class: "stack-shown" },
    parseSvg(stack.svg),
    makeElement("figcaption", {}, makeElement("span", { class: "stack-name" }, stack.name), makeElement("span", { class: "stack-words unseen" }, ` ${words}`), makeElement("span", { class: "in-dollars" }, ` ${stack.amount}`)),
  );
}

/** Bind a checkbox to a setting of this browser. @param {string} id @param {string} name @param {boolean} fallback @param {(on: boolean) => void} action */
export function bindSwitch(id, name, fallback, action) {
  const at = inputById(id);
  at.checked = localStore.get(name, fallback ? "on" : "off") === "on";
  at.addEventListener("change", () => {
    localStore.put(name, at.checked ? "on" : "off");
    action(at.checked);
  });
  action(at.checked);
}

/** Bind the switch for large type, which every school page has. */
export const bindLargeType = () => bindSwitch("large", "school-large", false, (on) => document.documentElement.classList.toggle("large-type", on));

/** Bind the switches for large type and for dollars beside stacks. */
export function bindSwitches() {
  bindLargeType();
  bindSwitch("dollars", "school-dollars", false, (on) => byId("drill").classList.toggle("dollars", on));
}

/** Drag a copy of an element until it is dropped. Then call `dropped` with the element under it and the place.
 * @param {PointerEvent} event that began it @param {HTMLElement} source @param {(under: Element, at: PointerEvent) => void} dropped */
export function dragElement(event, source, dropped) {
  const ghost = /** @type {HTMLElement} */ (source.cloneNode(true));
  ghost.classList.add("dragged");
  ghost.setAttribute("aria-hidden", "true");
  ghost.removeAttribute("id");
  const start = [event.clientX, event.clientY];
  const move = (/** @type {PointerEvent} */ at) => {
    if (!ghost.isConnected && Math.hypot(at.clientX - (start[0] ?? 0), at.clientY - (start[1] ?? 0)) > 6) document.body.append(ghost);
    ghost.style.left = `${at.clientX}px`;
    ghost.style.top = `${at.clientY}px`;
  };
  const end = new AbortController();
  const drop = (/** @type {PointerEvent} */ at) => {
    end.abort();
    const moved = ghost.isConnected;
    ghost.remove();
    const under = moved ? document.elementFromPoint(at.clientX, at.clientY) : null;
    if (under && at.type === "pointerup") dropped(under, at);
  };
  window.addEventListener("pointermove", move, { signal: end.signal });
  window.addEventListener("pointerup", drop, { signal: end.signal });
  window.addEventListener("pointercancel", drop, { signal: end.signal });
}

/** How many answers of a visit are stored and sent at most, since the size of a request is limited. */
export const MAX_VISIT_ANSWERS = 30;

/** @param {number} seconds */
export const formatTime = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

/** Counts up, or down to the end of an audition. It can be turned off; then nothing is timed. */
export class Clock {
  /** @param {() => void} [onTimeUp] what happens when time is up */
  constructor(onTimeUp) {
    this.startedAt = performance.now();
    this.dealerSeconds = 0;
    /** @type {number | null} so many seconds until the end; null: it counts up */
    this.endsAt = null;
    this.onTimeUp = onTimeUp;
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
    this.dealerSeconds = dealerSeconds;
    this.stopped = false;
    this.#show();
  }

  stop() {
    this.stopped = true;
  }

  /** Seconds since the question was shown, or null while the clock is off. */
  get seconds() {
    return this.on ? (performance.now() - this.startedAt) / 1000 : null;
  }

  #tick() {
    if (!this.stopped) this.#show();
    if (this.endsAt !== null && performance.now() >= this.endsAt) {
      this.endsAt = null;
      this.onTimeUp?.();
    }
  }

  #show() {
    const at = byId("clock");
    at.hidden = !this.on && this.endsAt === null;
    const gone = (performance.now() - this.startedAt) / 1000;
    const left = this.endsAt === null ? null : Math.max(0, (this.endsAt - performance.now()) / 1000);
    const words = left === null ? `${formatTime(gone)}${this.dealerSeconds ? ` (a dealer: ${formatTime(this.dealerSeconds)})` : ""}` : `${formatTime(left)} left`;
    if (at.textContent !== words) at.textContent = words;
    at.classList.toggle("late", left === null ? this.dealerSeconds > 0 && gone > this.dealerSeconds : left < 60);
  }
}

/** Ask for the learner's name if this browser has none; call `known` when there is one. Return whether
 * this browser has a name already. @param {(name: string) => void} [known] */
export async function identifyLearner(known) {
  const form = byId("begin");
  const data = byId("known");
  /** @param {string} name */
  const here = (name) => {
    form.hidden = true;
    data.hidden = false;
    data.replaceChildren("You are ", makeElement("strong", {}, name), ". Your answers are stored under this name.");
    known?.(name);
  };
  onSubmit(form, () =>
    void attempt(async () => {
      const { name } = await school.begin(inputById("learner-name").value.trim());
      localStore.put("name", name);
      here(name);
    }, byId("who-alert")),
  );
  let found = false;
  await attempt(async () => {
    const me = await school.me();
    found = me !== null;
    if (me) return here(me.name);
    inputById("learner-name").value = localStore.get("name");
    form.hidden = false;
  }, byId("who-alert"));
  return found;
}
