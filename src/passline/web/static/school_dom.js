// @ts-check
/** Small parts of the school's pages: drawings from the server, dice, clauses, tables, switches. */

import { inputById, clauseLink, localStore, makeElement, byId } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";

/** A drawing that the server sent. @param {string} text */
export function parseSvg(text) {
  const read = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  return /** @type {SVGElement} */ (/** @type {unknown} */ (document.importNode(read, true)));
}

/** @param {string} name @param {Record<string, string | number>} attributes @param {Element[]} children */
export function makeSvg(name, attributes, ...children) {
  const found = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) found.setAttribute(key, String(value));
  found.append(...children);
  return found;
}

/** Chips of one colour, one on the other, a cut mark after every five. @param {string} color @param {number} count */
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

/** A stack of the question, with its words; the amount is for whoever asks for dollars.
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

/** A clause, `book:id`, as a link. @param {string} cite */
export function citationLink(cite) {
  const [book = "", ...rest] = cite.split(":");
  return clauseLink(book, rest.join(":"));
}

/** @param {string} caption @param {string[]} heads @param {(string | Node)[][]} rows */
export function makeTable(caption, heads, rows) {
  const head = makeElement("tr", {}, ...heads.map((words) => makeElement("th", { scope: "col" }, words)));
  const body = rows.map(([first, ...others]) =>
    makeElement("tr", {}, makeElement("th", { scope: "row" }, first ?? ""), ...others.map((cell) => makeElement("td", {}, cell))),
  );
  const table = makeElement("table", {}, makeElement("caption", { class: "unseen" }, caption), makeElement("thead", {}, head), makeElement("tbody", {}, ...body));
  return makeElement("div", { class: "scroll", role: "group", tabindex: "0", "aria-label": caption }, table);
}

/** A switch that this browser remembers. @param {string} id @param {string} name @param {boolean} fallback @param {(on: boolean) => void} action */
export function bindSwitch(id, name, fallback, action) {
  const at = inputById(id);
  at.checked = localStore.get(name, fallback ? "on" : "off") === "on";
  const data = () => {
    localStore.put(name, at.checked ? "on" : "off");
    action(at.checked);
  };
  at.addEventListener("change", data);
  action(at.checked);
}

/** Large type: the same on every page of the school. */
export const bindLargeType = () => bindSwitch("large", "school-large", false, (on) => document.documentElement.classList.toggle("large-type", on));

/** Large type, and dollars beside stacks. */
export function bindSwitches() {
  bindLargeType();
  bindSwitch("dollars", "school-dollars", false, (on) => byId("drill").classList.toggle("dollars", on));
}

/** What went wrong, in a sentence. @param {unknown} error */
export function describeError(error) {
  const words = error instanceof Error ? error.message : String(error);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
