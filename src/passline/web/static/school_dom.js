// @ts-check
/** Small parts of the school's pages: drawings from the server, dice, clauses, tables, switches. */

import { box, clause, kept, made, part } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";

/** A drawing that the server sent. @param {string} text */
export function drawing(text) {
  const read = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  return /** @type {SVGElement} */ (/** @type {unknown} */ (document.importNode(read, true)));
}

/** @param {string} name @param {Record<string, string | number>} attributes @param {Element[]} inner */
export function drawn(name, attributes, ...inner) {
  const found = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) found.setAttribute(key, String(value));
  found.append(...inner);
  return found;
}

/** Chips of one colour, one on the other, a cut mark after every five. @param {string} colour @param {number} count */
export function pile(colour, count) {
  const [wide, step, cut] = [48, 6, 5];
  const high = 26 + (count - 1) * step + Math.floor((count - 1) / 5) * cut;
  const svg = drawn("svg", { viewBox: `0 0 ${wide} ${high}`, width: wide, height: high, class: "chip-stack", "aria-hidden": "true" });
  for (let at = 0; at < count; at += 1) {
    const y = high - 26 - at * step - Math.floor(at / 5) * cut;
    svg.append(drawn("use", { href: `#slab-${colour}`, x: 0, y, width: wide, height: 26 }));
  }
  return svg;
}

/** A stack of the question, with its words; the amount is for whoever asks for dollars.
 * @param {import("./school_api.js").StackShown} stack */
export function stackShown(stack) {
  const words = stack.coin ? `${stack.words} and ${stack.coin}` : stack.words;
  return made(
    "figure",
    { class: "stack-shown" },
    drawing(stack.svg),
    made("figcaption", {}, made("span", { class: "stack-name" }, stack.name), made("span", { class: "stack-words unseen" }, ` ${words}`), made("span", { class: "in-dollars" }, ` ${stack.amount}`)),
  );
}

/** A clause, `book:id`, as a link. @param {string} cite */
export function lawLink(cite) {
  const [book = "", ...rest] = cite.split(":");
  return clause(book, rest.join(":"));
}

/** @param {string} caption @param {string[]} heads @param {(string | Node)[][]} rows */
export function rows(caption, heads, rows) {
  const head = made("tr", {}, ...heads.map((words) => made("th", { scope: "col" }, words)));
  const body = rows.map(([first, ...others]) =>
    made("tr", {}, made("th", { scope: "row" }, first ?? ""), ...others.map((cell) => made("td", {}, cell))),
  );
  const table = made("table", {}, made("caption", { class: "unseen" }, caption), made("thead", {}, head), made("tbody", {}, ...body));
  return made("div", { class: "scroll", role: "group", tabindex: "0", "aria-label": caption }, table);
}

/** A switch that this browser remembers. @param {string} id @param {string} name @param {boolean} otherwise @param {(on: boolean) => void} does */
export function remembered(id, name, otherwise, does) {
  const at = box(id);
  at.checked = kept.get(name, otherwise ? "on" : "off") === "on";
  const told = () => {
    kept.put(name, at.checked ? "on" : "off");
    does(at.checked);
  };
  at.addEventListener("change", told);
  does(at.checked);
}

/** Large type: the same on every page of the school. */
export const largeType = () => remembered("large", "school-large", false, (on) => document.documentElement.classList.toggle("large-type", on));

/** Large type, and dollars beside stacks. */
export function switches() {
  largeType();
  remembered("dollars", "school-dollars", false, (on) => part("drill").classList.toggle("dollars", on));
}

/** What went wrong, in a sentence. @param {unknown} wrong */
export function wrongWords(wrong) {
  const words = wrong instanceof Error ? wrong.message : String(wrong);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
