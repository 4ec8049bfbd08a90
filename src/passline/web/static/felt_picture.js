// @ts-check
/** The felt as a picture, for the replay and the school: the whole table, one end or the center.
 * SelectableFelt also numbers the bets and reports which one was selected. */

import { byId, makeElement, makeRadios, makeSvg, parseSvg, parseSvgFragment } from "./dom.js";

/** A picture of the felt that can show one of its views. */
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
    this.place = box;
  }

  /** @param {{svg: string, views: Record<string, number[]>}} felt */
  show(felt) {
    this.#views = felt.views;
    const svg = parseSvg(felt.svg);
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", "The felt");
    this.#layer = makeSvg("g", {});
    svg.append(this.#layer);
    this.#svg = svg;
    this.place.replaceChildren(svg);
    this.setView(this.#view);
  }

  /** The names of the views of this felt. */
  get views() {
    return Object.keys(this.#views);
  }

  /** @param {string} view */
  setView(view) {
    this.#view = view;
    this.place.hidden = view === "none";
    const frame = this.#views[view] ?? this.#views.whole;
    if (!frame || !this.#svg) return;
    this.#svg.setAttribute("viewBox", frame.join(" "));
    this.place.style.aspectRatio = `${frame[2]} / ${frame[3]}`;
  }

  /** Draw the chips and the puck, and set the picture's accessible name. @param {string} contents @param {string} words */
  showContents(contents, words) {
    if (!this.#layer || !this.#svg) return;
    this.#layer.replaceChildren(...parseSvgFragment(contents).childNodes);
    this.#svg.setAttribute("aria-label", words);
  }
}

/** @typedef {import("./school_api.js").PlacedBet} PlacedBet */

/** @type {Record<string, string>} */
const VIEWS = { whole: "Whole", "end:left": "Left end", "end:right": "Right end", center: "Center" };

/** A picture of the felt whose stacks can be selected. */
export class SelectableFelt {
  /** @param {(player: string, wager: string) => void} touched */
  constructor(touched) {
    this.felt = new FeltPicture(byId("felt"));
    byId("felt").addEventListener("click", (event) => {
      const stack = /** @type {Element} */ (event.target).closest(".stack");
      if (stack) touched(stack.getAttribute("data-player") ?? "", stack.getAttribute("data-slug") ?? "");
    });
  }

  /** @param {import("./school_api.js").FeltDrawing | null} felt @param {PlacedBet[]} wagers
   * @param {string} [view] the view to begin with; without it, the end that is used */
  show(felt, wagers, view) {
    byId("felt-part").hidden = !felt;
    if (!felt) return;
    this.felt.show(felt);
    byId("felt").querySelector("svg")?.setAttribute("aria-label", `The felt: ${felt.lies.join("; ")}`);
    byId("lies").replaceChildren(...felt.lies.map((words) => makeElement("li", {}, words)));
    byId("felt").querySelectorAll(".stack").forEach((stack, n) => markStack(stack, n === felt.marked, wagers));
    this.#makeViewChoice(this.felt.views, view && this.felt.views.includes(view) ? view : findUsedView(this.felt.views));
  }

  /** @param {string[]} views @param {string} chosen */
  #makeViewChoice(views, chosen) {
    const choices = makeRadios("view", views.map((view) => [view, VIEWS[view] ?? view]), chosen, (view) => this.#setView(view));
    byId("looks").replaceChildren(makeElement("legend", {}, "Look at"), ...choices);
    this.#setView(chosen);
  }

  /** @param {string} view */
  #setView(view) {
    this.felt.setView(view);
    const size = view === "whole" ? "27" : "17";
    for (const number of byId("felt").querySelectorAll(".touchable .count")) number.setAttribute("font-size", size);
  }
}

/** Circle the stack that the question is about, and number the stacks that can be selected.
 * @param {Element} stack @param {boolean} marked @param {PlacedBet[]} wagers */
function markStack(stack, marked, wagers) {
  if (marked) stack.append(makeSvg("circle", { r: 17, class: "pointed" }));
  const bet = wagers.find((item) => item.player === stack.getAttribute("data-player") && item.wager === stack.getAttribute("data-slug"));
  if (!bet) return;
  stack.classList.add("touchable");
  stack.append(makeSvg("text", { x: 15, y: -9, "font-size": 17, class: "count" }, String(bet.number)));
}

/** Return the end that holds every stack, or "whole". @param {string[]} views */
function findUsedView(views) {
  const ends = new Set([...byId("felt").querySelectorAll(".stack")].map((item) => item.getAttribute("data-end")));
  const only = ends.size === 1 ? `end:${[...ends][0]}` : "";
  return views.includes(only) ? only : "whole";
}
