// @ts-check
/** Typing the dice: two groups of six faces, shown large before they go. */

import { makeOld } from "./post_dom.js";

const NAMES = ["First die", "Second die"];

/** A die's face, drawn. @param {number} face */
export function makeDieFace(face) {
  const die = makeOld("span", { class: "face", "data-face": String(face), "aria-hidden": "true" });
  for (let pip = 0; pip < face; pip += 1) die.append(makeOld("i"));
  return die;
}

export class DicePad {
  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    /** @type {number[]} */
    this.chosen = [0, 0];
    this.place = makeOld("div", { class: "dice-pad" });
    this.groups = NAMES.map((name, at) => this.#makeGroup(name, at));
    this.place.append(...this.groups);
  }

  /** What was chosen, both or nothing. */
  get faces() {
    return this.chosen.every(Boolean) ? this.chosen : [];
  }

  /** @param {string} name @param {number} at */
  #makeGroup(name, at) {
    const group = makeOld("fieldset", {}, makeOld("legend", { text: name }));
    for (let face = 1; face <= 6; face += 1) {
      const key = makeOld("button", { type: "button", "aria-label": `${name} ${face}`, "aria-pressed": "false" }, makeDieFace(face));
      key.addEventListener("click", () => this.choose(at, face));
      group.append(key);
    }
    return group;
  }

  /** @param {number} at @param {number} face */
  choose(at, face) {
    this.chosen[at] = face;
    this.groups.forEach((group, n) => {
      group.querySelectorAll("button").forEach((key, shows) => key.setAttribute("aria-pressed", String(this.chosen[n] === shows + 1)));
    });
    this.changed();
  }

  /** A key: the first die, then the second; a third begins anew. @param {number} face */
  type(face) {
    if (this.faces.length) this.clear();
    this.choose(this.chosen[0] ? 1 : 0, face);
  }

  clear() {
    this.choose(0, 0);
    this.choose(1, 0);
  }

  /** Where a die is still to be chosen. */
  focusMissing() {
    this.groups[this.chosen[0] ? 1 : 0].querySelector("button")?.focus();
  }
}
