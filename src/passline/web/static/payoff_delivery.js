// @ts-check
/** Build one payoff in chips and say how it is delivered: beside the bet, on top of it (capped) or into the player's
 * hand, by a choice, a key or by dropping the chips on the felt. */

import { byId, checkedValue, checkRadio, makeElement, makeRadios } from "./dom.js";
import { dragElement } from "./school_page.js";
import { PayoffBuilder } from "./school_question.js";

/** How a payoff is delivered, with its key. */
const DELIVERIES = [
  ["beside", "Beside the bet", ","],
  ["cap", "Cap the bet", "+"],
  ["hand", "Hand off", ">"],
];
let payoffCount = 0;

/** Return the bank to build one payoff from, and how it is delivered: set beside the bet, set on top of it, or handed
 * off. @param {any} state @param {any} bet */
export function makePayoff(state, bet) {
  const stack = { name: "the bet", svg: "", words: bet.chips, amount: "", coin: "", piles: bet.piles };
  const builder = new PayoffBuilder(/** @type {any} */ ({ bank: state.bank, stacks: [stack] }), { name: "chips", kind: "chips", label: `Paid to ${bet.player}, ${bet.name}` });
  payoffCount += 1;
  const name = `to-${payoffCount}`;
  const radios = makeRadios(name, DELIVERIES.map(([value = "", words = "", key]) => [value, `${words} (${key})`]), "beside");
  const group = makeElement("fieldset", { class: "choices", role: "radiogroup", "aria-label": `How ${bet.player} is paid` }, makeElement("legend", { class: "unseen" }, "How it is paid"), ...radios);
  builder.element.append(group);
  for (const other of document.querySelectorAll("details.one-payoff")) other.removeAttribute("open");
  const summary = makeElement("summary", {}, "The payoff");
  const element = makeElement("details", { class: "one-payoff", open: true }, summary, builder.element);
  element.addEventListener("toggle", () => {
    const chips = Object.entries(builder.value ?? {}).map(([color, count]) => `${count} ${color}`);
    const way = DELIVERIES.find(([value]) => value === checkedValue(name, "beside"))?.[1] ?? "";
    summary.textContent = element.open || !chips.length ? "The payoff" : `${chips.join(", ")}: ${way.toLowerCase()}`;
  });
  builder.element.addEventListener("keydown", (event) => {
    const chosen = DELIVERIES.find(([, , key]) => key === event.key);
    if (chosen?.[0]) checkRadio(name, chosen[0]);
  });
  builder.tray.addEventListener("pointerdown", (event) => {
    if (!builder.value) return;
    dragElement(event, builder.tray, (under) => {
      const to = findDelivery(under, bet);
      if (to) checkRadio(name, to);
    });
  });
  return {
    element,
    get value() {
      return builder.value;
    },
    get to() {
      return checkedValue(name, "beside");
    },
  };
}

/** Return how a payoff is delivered that is dropped on a part of the felt: on the bet, on the player's name or elsewhere
 * on the felt; "" off the felt. @param {Element} under @param {any} bet */
function findDelivery(under, bet) {
  if (!byId("felt").contains(under)) return "";
  const stack = under.closest(".stack");
  if (stack?.getAttribute("data-player") === bet.player && stack?.getAttribute("data-slug") === bet.wager) return "cap";
  return under.closest(".plate")?.getAttribute("data-player") === bet.player ? "hand" : "beside";
}
