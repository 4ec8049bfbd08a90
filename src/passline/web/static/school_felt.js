// @ts-check
/** A felt with what lies on it: looked at whole or in part, its wagers numbered and touched. */

import { made, part } from "./dom.js";
import { ReplayFelt } from "./replay_felt.js";
import { drawn } from "./school_dom.js";

/** @typedef {import("./school_api.js").Lying} Lying */

/** @type {Record<string, string>} */
const VIEWS = { whole: "Whole", "end:left": "Left end", "end:right": "Right end", center: "Center" };

export class TouchFelt {
  /** @param {(player: string, wager: string) => void} touched */
  constructor(touched) {
    this.felt = new ReplayFelt(part("felt"));
    part("felt").addEventListener("click", (event) => {
      const stack = /** @type {Element} */ (event.target).closest(".stack");
      if (stack) touched(stack.getAttribute("data-player") ?? "", stack.getAttribute("data-slug") ?? "");
    });
  }

  /** @param {import("./school_api.js").FeltShown | null} felt @param {Lying[]} wagers */
  show(felt, wagers) {
    part("felt-part").hidden = !felt;
    if (!felt) return;
    this.felt.show(felt);
    part("felt").querySelector("svg")?.setAttribute("aria-label", `The felt: ${felt.lies.join("; ")}`);
    part("lies").replaceChildren(...felt.lies.map((words) => made("li", {}, words)));
    for (const stack of part("felt").querySelectorAll(".stack")) mark(stack, wagers);
    this.#looks(this.felt.views, where(this.felt.views));
  }

  /** @param {string[]} views @param {string} chosen */
  #looks(views, chosen) {
    const looks = views.map((view) => {
      const radio = /** @type {HTMLInputElement} */ (made("input", { type: "radio", name: "view", value: view }));
      radio.checked = view === chosen;
      radio.addEventListener("change", () => this.#look(view));
      return made("label", { class: "pill" }, radio, made("span", {}, VIEWS[view] ?? view));
    });
    part("looks").replaceChildren(made("legend", {}, "Look at"), ...looks);
    this.#look(chosen);
  }

  /** @param {string} view */
  #look(view) {
    this.felt.look(view);
    const size = view === "whole" ? "27" : "17";
    for (const number of part("felt").querySelectorAll(".touchable .count")) number.setAttribute("font-size", size);
  }
}

/** A stack that is asked about is pointed at; one that can be touched has its number.
 * @param {Element} stack @param {Lying[]} wagers */
function mark(stack, wagers) {
  const words = stack.querySelector("title")?.textContent ?? "";
  if (words.startsWith("marked")) stack.append(drawn("circle", { r: 17, class: "pointed" }));
  const lying = wagers.find((one) => one.player === stack.getAttribute("data-player") && one.wager === stack.getAttribute("data-slug"));
  if (!lying) return;
  stack.classList.add("touchable");
  const number = drawn("text", { x: 15, y: -9, "font-size": 17, class: "count" });
  number.textContent = String(lying.number);
  stack.append(number);
}

/** Where everything lies: one end, where only that one is in use. @param {string[]} views */
function where(views) {
  const ends = new Set([...part("felt").querySelectorAll(".stack")].map((one) => one.getAttribute("data-end")));
  const only = ends.size === 1 ? `end:${[...ends][0]}` : "";
  return views.includes(only) ? only : "whole";
}
