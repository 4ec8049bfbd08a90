// @ts-check
/** The felt of a moment, as the server draws it: the whole, one end, or the center. */

const SVG = "http://www.w3.org/2000/svg";
/** @type {Record<number, number[][]>} */
const PIPS = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};

/** @param {string} text */
function parseSvg(text) {
  return new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
}

/** @param {string} name @param {Record<string, string | number>} attributes */
function makeSvg(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

/** A die. @param {number} face */
export function makeDie(face) {
  const made = makeSvg("svg", { viewBox: "0 0 24 24", class: "die", "aria-hidden": "true" });
  made.append(makeSvg("rect", { x: 1, y: 1, width: 22, height: 22, rx: 5 }));
  for (const [x, y] of PIPS[face] ?? [])
    made.append(makeSvg("circle", { cx: 12 + 6 * x, cy: 12 + 6 * y, r: 2.3 }));
  return made;
}

export class FeltPicture {
  /** @type {Record<string, number[]>} */
  #views = {};
  /** @type {SVGElement | null} */
  #svg = null;
  /** @type {Element | null} */
  #layer = null;
  #view = "whole";

  /** @param {HTMLElement} box */
  constructor(box) {
    this.box = box;
  }

  /** @param {{svg: string, views: Record<string, number[]>}} felt */
  show(felt) {
    this.#views = felt.views;
    const svg = /** @type {SVGElement} */ (
      /** @type {unknown} */ (document.importNode(parseSvg(felt.svg), true))
    );
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", "The felt");
    this.#layer = document.createElementNS(SVG, "g");
    svg.append(this.#layer);
    this.#svg = svg;
    this.box.replaceChildren(svg);
    this.setView(this.#view);
  }

  /** Which views this felt has. */
  get views() {
    return Object.keys(this.#views);
  }

  /** @param {string} view */
  setView(view) {
    this.#view = view;
    this.box.hidden = view === "none";
    const frame = this.#views[view] ?? this.#views.whole;
    if (!frame || !this.#svg) return;
    this.#svg.setAttribute("viewBox", frame.join(" "));
    this.box.style.aspectRatio = `${frame[2]} / ${frame[3]}`;
  }

  /** What lies there now, and what it is called. @param {string} over @param {string} words */
  showContents(over, words) {
    if (!this.#layer || !this.#svg) return;
    const layer = parseSvg(`<svg xmlns="${SVG}">${over}</svg>`);
    this.#layer.replaceChildren(
      ...Array.from(layer.childNodes, (node) => document.importNode(node, true)),
    );
    this.#svg.setAttribute("aria-label", words);
  }
}
