// @ts-check
/** Elements, made and kept: a page that is told everything anew must not lose what one types. */

import { cents, shown } from "./money.js";

/**
 * @typedef {{reason: string, cite: string}} Bar
 * @typedef {{value: string, label: string, bar: Bar | null}} Choice
 * @typedef {{name: string, label: string, kind: "choice" | "money" | "face" | "text", value?: string, optional?: boolean,
 *   choices?: Choice[], least?: string, most?: string, step?: string}} Field
 * @typedef {{id: string, act: string, label: string, part: string, line: string, fields: Field[], bar: Bar | null,
 *   key?: string}} Offer
 * @typedef {(line: string) => Promise<boolean | void> | void} Say
 */

/**
 * @param {string} tag
 * @param {Record<string, string | boolean>} [has] attributes; `text` is its words
 * @param {(Node | string)[]} holds
 * @returns {HTMLElement}
 */
export function make(tag, has = {}, ...holds) {
  const found = document.createElement(tag);
  for (const [name, value] of Object.entries(has)) {
    if (name === "text") found.textContent = String(value);
    else if (value === true) found.setAttribute(name, "");
    else if (value !== false) found.setAttribute(name, String(value));
  }
  found.append(...holds);
  return found;
}

/** Money as people read it. @param {string} dollars */
export const money = (dollars) => shown(cents(dollars));

/** The clause after its reason. @param {Bar} bar */
export const barWords = (bar) => (bar.cite ? `${bar.reason} (${bar.cite})` : bar.reason);

/** Children put in, only where they are others than before. @param {HTMLElement} place @param {Node[]} nodes */
export function put(place, nodes) {
  const now = Array.from(place.childNodes);
  if (now.length === nodes.length && now.every((node, n) => node === nodes[n])) return;
  place.replaceChildren(...nodes);
}

/** Rows of a list by key: each is made once, and told what changed. @template T */
export class Rows {
  /**
   * @param {HTMLElement} place
   * @param {(item: T) => string} key
   * @param {(item: T) => HTMLElement} row
   * @param {(row: HTMLElement, item: T) => void} tell
   */
  constructor(place, key, row, tell) {
    this.place = place;
    this.key = key;
    this.row = row;
    this.tell = tell;
    /** @type {Map<string, HTMLElement>} */
    this.kept = new Map();
  }

  /** @param {T[]} items */
  show(items) {
    /** @type {Map<string, HTMLElement>} */
    const found = new Map();
    for (const item of items) {
      const key = this.key(item);
      const row = this.kept.get(key) ?? this.row(item);
      this.tell(row, item);
      found.set(key, row);
    }
    this.kept = found;
    put(this.place, [...found.values()]);
  }
}
