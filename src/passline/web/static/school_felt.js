// @ts-check
/** A felt with what lies on it: looked at whole or in part, its wagers numbered and touched. */

import { makeElement, byId } from "./dom.js";
import { FeltPicture } from "./replay_felt.js";
import { makeSvg } from "./school_dom.js";

/** @typedef {import("./school_api.js").PlacedBet} Lying */

/** @type {Record<string, string>} */
const VIEWS = { whole: "Whole", "end:left": "Left end", "end:right": "Right end", center: "Center" };

export class SelectableFelt {
  /** @param {(player: string, wager: string) => void} touched */
  constructor(touched) {
    this.felt = new FeltPicture(byId("felt"));
    byId("felt").addEventListener("click", (event) => {
      const stack = /** @type {Element} */ (event.target).closest(".stack");
      if (stack) touched(stack.getAttribute("data-player") ?? "", stack.getAttribute("data-slug") ?? "");
    });
  }

  /** @param {import("./school_api.js").FeltDrawing | null} felt @param {Lying[]} wagers */
  show(felt, wagers) {
    byId("felt-part").hidden = !felt;
    if (!felt) return;
    this.felt.show(felt);
    byId("felt").querySelector("svg")?.setAttribute("aria-label", `The felt: ${felt.lies.join("; ")}`);
    byId("lies").replaceChildren(...felt.lies.map((words) => makeElement("li", {}, words)));
    for (const stack of byId("felt").querySelectorAll(".stack")) markStack(stack, wagers);
    this.#makeViewChoice(this.felt.views, findUsedView(this.felt.views));
  }

  /** @param {string[]} views @param {string} chosen */
  #makeViewChoice(views, chosen) {
    const looks = views.map((view) => {
      const radio = /** @type {HTMLInputElement} */ (makeElement("input", { type: "radio", name: "view", value: view }));
      radio.checked = view === chosen;
      radio.addEventListener("change", () => this.#setView(view));
      return makeElement("label", { class: "pill" }, radio, makeElement("span", {}, VIEWS[view] ?? view));
    });
    byId("looks").replaceChildren(makeElement("legend", {}, "Look at"), ...looks);
    this.#setView(chosen);
  }

  /** @param {string} view */
  #setView(view) {
    this.felt.setView(view);
    const size = view === "whole" ? "27" : "17";
    for (const number of byId("felt").querySelectorAll(".touchable .count")) number.setAttribute("font-size", size);
  }
}

/** A stack that is asked about is pointed at; one that can be touched has its number.
 * @param {Element} stack @param {Lying[]} wagers */
function markStack(stack, wagers) {
  const words = stack.querySelector("title")?.textContent ?? "";
  if (words.startsWith("marked")) stack.append(makeSvg("circle", { r: 17, class: "pointed" }));
  const bet = wagers.find((one) => one.player === stack.getAttribute("data-player") && one.wager === stack.getAttribute("data-slug"));
  if (!bet) return;
  stack.classList.add("touchable");
  const number = makeSvg("text", { x: 15, y: -9, "font-size": 17, class: "count" });
  number.textContent = String(bet.number);
  stack.append(number);
}

/** Where everything lies: one end, where only that one is in use. @param {string[]} views */
function findUsedView(views) {
  const ends = new Set([...byId("felt").querySelectorAll(".stack")].map((one) => one.getAttribute("data-end")));
  const only = ends.size === 1 ? `end:${[...ends][0]}` : "";
  return views.includes(only) ? only : "whole";
}
