// @ts-check
/** Elements, made and kept: a page that is told everything anew must not lose what one types. */

import { parseCents, formatMoney } from "./money.js";

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
export function makeOld(tag, has = {}, ...holds) {
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
export const formatDollars = (dollars) => formatMoney(parseCents(dollars));

/** The clause after its reason. @param {Bar} bar */
export const describeBar = (bar) => (bar.cite ? `${bar.reason} (${bar.cite})` : bar.reason);

/** Children put in, only where they are others than before. @param {HTMLElement} place @param {Node[]} nodes */
export function setChildren(place, nodes) {
  const now = Array.from(place.childNodes);
  if (now.length === nodes.length && now.every((node, n) => node === nodes[n])) return;
  place.replaceChildren(...nodes);
}

/** Rows of a list by key: each is made once, and told what changed. @template T */
export class KeyedList {
  /**
   * @param {HTMLElement} place
   * @param {(item: T) => string} key
   * @param {(item: T) => HTMLElement} makeRow
   * @param {(row: HTMLElement, item: T) => void} updateRow
   */
  constructor(place, key, makeRow, updateRow) {
    this.place = place;
    this.key = key;
    this.row = makeRow;
    this.tell = updateRow;
    /** @type {Map<string, HTMLElement>} */
    this.rowsByKey = new Map();
  }

  /** @param {T[]} items */
  show(items) {
    /** @type {Map<string, HTMLElement>} */
    const found = new Map();
    for (const item of items) {
      const key = this.key(item);
      const row = this.rowsByKey.get(key) ?? this.row(item);
      this.tell(row, item);
      found.set(key, row);
    }
    this.rowsByKey = found;
    setChildren(this.place, [...found.values()]);
  }
}
