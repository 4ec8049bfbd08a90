// @ts-check
/** Helpers for every page: find and build elements, tables, dice and clause links, redraw a part
 * without losing the focus, and store small settings in this browser. Sends no requests. */

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | null | undefined | false} Child A child of an element; an empty one is left out. */

// Finding elements

/** Return the element with an id. Throw an error if the page has none. @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`This page has no element with the id ${id}.`);
  return found;
}

/** @param {string} id */
export const buttonById = (id) => /** @type {HTMLButtonElement} */ (byId(id));
/** @param {string} id */
export const inputById = (id) => /** @type {HTMLInputElement} */ (byId(id));

/** Return the radio button of a group with this value; without a value, the checked one.
 * @param {string} name @param {string} [value] @returns {HTMLInputElement | null} */
const findRadio = (name, value) => document.querySelector(`input[name=${name}]${value === undefined ? ":checked" : `[value="${value}"]`}`);

/** Return the value of the checked radio button of a group. @param {string} name @param {string} fallback */
export const checkedValue = (name, fallback) => findRadio(name)?.value ?? fallback;

/** Check the radio button with this value, if the page has it. @param {string} name @param {string} value */
export function checkRadio(name, value) {
  const radio = findRadio(name, value);
  if (radio) radio.checked = true;
  return radio;
}

/** Call `action` instead of sending a form. @param {HTMLElement} form @param {() => void} action */
export function onSubmit(form, action) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    action();
  });
}

// Building elements

/** Return a new HTML element. The attribute `text` sets its text; `true` sets an attribute without a
 * value, and `false` leaves it out. A function is called at the event of its name.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag @param {Record<string, string | boolean | (() => void)>} [attributes] @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]} */
export function makeElement(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") element.textContent = String(value);
    else if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

/** Return a button that runs `action`. @param {string} words @param {() => void} action
 * @param {string} [label] its accessible name, if not its words @param {string} [className] */
export function makeButton(words, action, label = words, className = "") {
  return makeElement("button", { type: "button", class: className || false, "aria-label": label !== words && label, click: action }, words);
}

/** Return an input with its label before it. @param {string} words @param {HTMLElement} input @param {string} [className] */
export const makeLabel = (words, input, className = "") => makeElement("label", { class: className || false }, makeElement("span", {}, words), input);

/** Return radio buttons that look like pills. @param {string} name @param {string[][]} choices values and words
 * @param {string} chosen @param {(value: string) => void} [action] called when another is chosen */
export const makeRadios = (name, choices, chosen, action) =>
  choices.map(([value, words]) => {
    const radio = makeElement("input", { type: "radio", name, value, checked: value === chosen, change: () => action?.(value) });
    return makeElement("label", { class: "pill" }, radio, makeElement("span", {}, words));
  });

/** Return an invitation link with a button that copies it. @param {string} words @param {string} address
 * @param {string} label the accessible name of the button */
export function makeInvitation(words, address, label) {
  const field = makeElement("input", { type: "text", readonly: true, value: address });
  field.addEventListener("focus", () => field.select());
  const copy = makeButton("Copy", async () => {
    field.select();
    await navigator.clipboard?.writeText(address).catch(() => undefined);
    copy.textContent = "Copied";
  }, label, "quiet");
  return [makeLabel(words, field), copy];
}

/** Return a new SVG element. @param {string} name @param {Record<string, string | number>} attributes @param {...(Element | string)} children */
export function makeSvg(name, attributes, ...children) {
  const element = document.createElementNS(SVG_NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** Return an SVG picture from its text. @param {string} text */
export function parseSvg(text) {
  const picture = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  return /** @type {SVGElement} */ (/** @type {unknown} */ (document.importNode(picture, true)));
}

/** Return the elements of a fragment of SVG. @param {string} text */
export const parseSvgFragment = (text) => parseSvg(`<svg xmlns="${SVG_NAMESPACE}">${text}</svg>`);

/** Return a table in a box that scrolls. The first cell of a row is its heading. A column whose heading
 * begins with # holds figures. @param {string} caption @param {string[]} headings @param {Child[][]} rows
 * @param {{footer?: Child[], captionShown?: boolean, label?: string}} [options] */
export function makeTable(caption, headings, rows, { footer, captionShown = false, label = caption } = {}) {
  const numeric = headings.map((heading) => heading.startsWith("#"));
  /** @param {Child[]} cells */
  const makeRow = (cells) =>
    makeElement("tr", {}, ...cells.map((cell, n) => makeElement(n ? "td" : "th", { class: numeric[n] && "n", scope: !n && "row", "data-label": headings[n]?.replace("#", "") }, cell)));
  const top = headings.map((heading, n) => makeElement("th", { class: numeric[n] && "n", scope: "col" }, heading.replace("#", "")));
  const table = makeElement(
    "table",
    {},
    makeElement("caption", { class: !captionShown && "unseen" }, caption),
    makeElement("thead", {}, makeElement("tr", {}, ...top)),
    makeElement("tbody", {}, ...rows.map(makeRow)),
    footer && makeElement("tfoot", {}, makeRow(footer)),
  );
  return makeElement("div", { class: "scroll", role: "group", tabindex: "0", "aria-label": label }, table);
}

/** Return a list of facts: a name and its value each. @param {string[][]} facts */
export const makeFacts = (facts) =>
  makeElement("dl", { class: "facts" }, ...facts.flatMap(([name, value]) => [makeElement("dt", {}, name), makeElement("dd", {}, value)]));

/** @type {number[][][]} the pips of each face, from the center */
const PIPS = [
  [[0, 0]],
  [[-1, -1], [1, 1]],
  [[-1, -1], [0, 0], [1, 1]],
  [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
];

/** Return a drawing of a die. @param {number} face */
export function makeDie(face) {
  const pips = (PIPS[face - 1] ?? []).map(([x, y]) => makeSvg("circle", { cx: 12 + 6 * x, cy: 12 + 6 * y, r: 2.3 }));
  return makeSvg("svg", { viewBox: "0 0 24 24", class: "die", "aria-hidden": "true" }, makeSvg("rect", { x: 1, y: 1, width: 22, height: 22, rx: 5 }), ...pips);
}

// Clauses and sentences

/** Return a link to a clause of a rulebook, or plain text for a custom, which has no page.
 * @param {string} book @param {string | null} cite */
export function clauseLink(book, cite) {
  if (!cite || cite.startsWith("custom")) return makeElement("span", { class: "cite" }, cite);
  return makeElement("a", { class: "cite", href: `/law/${encodeURIComponent(book)}/${encodeURIComponent(cite)}` }, cite);
}

/** Return a link to a clause in parentheses, or nothing where no clause decides. @param {string} book @param {string | null} cite */
export const clauseSuffix = (book, cite) => (cite ? [" (", clauseLink(book, cite), ")"] : []);

/** Return a link to a clause that is written `BOOK:CLAUSE`. @param {string} citation */
export function citationLink(citation) {
  const [book = "", ...rest] = citation.split(":");
  return clauseLink(book, rest.join(":"));
}

/** Return a player's name as people read it; a record writes `Mary_Ann`. @param {string} name */
export const showName = (name) => name.replaceAll("_", " ");

/** Return a role or another id in words: "left base". @param {string} id */
export const plainName = (id) => id.replace(/[-_]/g, " ");

/** Return words as a sentence: a capital at the start, a full stop at the end. @param {string} words */
export function asSentence(words) {
  const text = words.trim();
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

// Redrawing

/** Return a function that runs `action`. A call during a run has it run once more afterwards.
 * @param {() => Promise<void>} action */
export function runOneAtATime(action) {
  let running = false;
  let again = false;
  return async () => {
    again = true;
    if (running) return;
    running = true;
    while (again) {
      again = false;
      await action();
    }
    running = false;
  };
}

/** Whether this reader's system settings allow motion. */
export const motionAllowed = () => !window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Redraw a part of the page. The focus stays on the button with the same `data-act`, or on the part.
 * @param {HTMLElement} place @param {() => void} draw */
export function redraw(place, draw) {
  const focused = place.contains(document.activeElement) ? document.activeElement : null;
  const act = focused?.getAttribute("data-act");
  draw();
  if (!focused || place.contains(document.activeElement)) return;
  const again = act ? place.querySelector(`[data-act="${CSS.escape(act)}"]`) : null;
  place.tabIndex = -1;
  /** @type {HTMLElement} */ (again ?? place).focus({ preventScroll: true });
}

/** Call `draw` if the data differs from what was drawn last for this element.
 * @param {HTMLElement} element @param {unknown} data @param {() => void} draw */
export function drawIfChanged(element, data, draw) {
  const key = JSON.stringify(data) ?? "";
  if (element.dataset.shownKey === key) return;
  element.dataset.shownKey = key;
  draw();
}

/** Replace the children of an element, unless they are the same already. @param {HTMLElement} place @param {Node[]} nodes */
export function setChildren(place, nodes) {
  const now = Array.from(place.childNodes);
  if (now.length === nodes.length && now.every((node, n) => node === nodes[n])) return;
  place.replaceChildren(...nodes);
}

/** A list that creates each row once and updates it afterwards, so that what is typed into a row is
 * not lost when the list is shown again. @template T */
export class KeyedList {
  /** @param {HTMLElement} place @param {(item: T) => string} key @param {(item: T) => HTMLElement} makeRow
   * @param {(row: HTMLElement, item: T) => void} updateRow */
  constructor(place, key, makeRow, updateRow) {
    this.place = place;
    this.key = key;
    this.makeRow = makeRow;
    this.updateRow = updateRow;
    /** @type {Map<string, HTMLElement>} */
    this.rowsByKey = new Map();
  }

  /** @param {T[]} items */
  show(items) {
    /** @type {Map<string, HTMLElement>} */
    const rows = new Map();
    for (const item of items) {
      const key = this.key(item);
      const row = this.rowsByKey.get(key) ?? this.makeRow(item);
      this.updateRow(row, item);
      rows.set(key, row);
    }
    this.rowsByKey = rows;
    setChildren(this.place, [...rows.values()]);
  }
}

// Settings of this browser

/** Return access to a storage of the browser. Where it is blocked, nothing is stored and every value
 * is its fallback. @param {() => Storage} storage */
const makeStore = (storage) => ({
  /** @param {string} name @param {string} [fallback] */
  get(name, fallback = "") {
    try {
      return storage().getItem(`passline-${name}`) ?? fallback;
    } catch {
      return fallback;
    }
  },
  /** @param {string} name @param {string} value */
  put(name, value) {
    try {
      storage().setItem(`passline-${name}`, value);
    } catch {
      // The setting lasts only as long as this page.
    }
  },
});

/** Settings that this browser keeps, and those that last until its tab is closed. */
export const localStore = makeStore(() => localStorage);
export const sessionStore = makeStore(() => sessionStorage);
