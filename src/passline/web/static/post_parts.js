// @ts-check
/** What parts of a post's page show besides what they offer. */

import { describeBet } from "./post_book.js";
import { makeDieFace } from "./post_dice.js";
import { describeBar, makeOld, formatDollars, setChildren } from "./post_dom.js";

const DICE_PLACES = { bowl: "in the bowl", center: "in the center", out: "out, with the shooter", air: "in the air" };

/** Put in, only where something else is told than before.
 * @param {HTMLElement} body @param {unknown} data @param {() => HTMLElement[]} nodes */
function showIfChanged(body, data, nodes) {
  const words = JSON.stringify(data) ?? "";
  if (body.dataset.told === words) return;
  body.dataset.told = words;
  setChildren(body, nodes());
}

/** @param {HTMLElement} body @param {[string, string][]} facts */
function showFacts(body, facts) {
  const rows = () => facts.flatMap(([name, value]) => [makeOld("dt", { text: name }), makeOld("dd", { text: value })]);
  showIfChanged(body, facts, () => [makeOld("dl", { class: "facts" }, ...rows())]);
}

/** Buy-ins that wait. @param {HTMLElement} body @param {{name: string, amount: string, place: number | null}[]} asks */
export function showBuyInRequests(body, asks) {
  const words = asks.map((ask) => `${ask.name} asks for ${formatDollars(ask.amount)}${ask.place ? ` at place ${ask.place}` : ""}.`);
  showIfChanged(body, words, () => words.map((text) => makeOld("p", { text })));
}

/** @param {HTMLElement} body @param {{throw: number, dice: number[], call: string} | null} work */
export function showCall(body, work) {
  showIfChanged(body, work?.throw ?? null, () => {
    if (!work) return [makeOld("p", { text: "No throw yet." })];
    return [makeOld("p", { class: "faces" }, ...work.dice.map(makeDieFace)), makeOld("p", { class: "big-call", text: work.call })];
  });
}

/** @param {HTMLElement} body @param {any} dice */
export function showDice(body, dice) {
  const lines = [`The dice are ${DICE_PLACES[/** @type {keyof typeof DICE_PLACES} */ (dice.where)]}.`];
  if (dice.held) lines.push("They wait for the new boxperson's OK.");
  if (dice.bar) lines.push(describeBar(dice.bar));
  if (dice.lost) lines.push(`${dice.lost} of the set not found.`);
  showIfChanged(body, lines, () => lines.map((text) => makeOld("p", { text })));
}

/** @param {HTMLElement} body @param {any} dice */
export function showSet(body, dice) {
  /** @type {[string, string][]} */
  const facts = [["in play", dice.serial || "the house's first set"]];
  if (dice.since) facts.push(["since", dice.since]);
  for (const kind of ["ready", "retired", "cancelled"]) if (dice[kind].length) facts.push([kind, dice[kind].join(", ")]);
  showFacts(body, facts);
}

/** @param {HTMLElement} body @param {Record<string, string>} house */
export function showHouse(body, house) {
  const { least, most, ...figures } = house;
  const rows = Object.entries(figures).map(([name, value]) => /** @type {[string, string]} */ ([name, formatDollars(value)]));
  showFacts(body, [...rows, ["limits", `${formatDollars(least)} to ${formatDollars(most)}`]]);
}

/** @param {HTMLElement} body @param {any[]} up */
export function showCenter(body, up) {
  showIfChanged(body, up, () => {
    if (!up.length) return [makeOld("p", { text: "Nothing." })];
    return [makeOld("ul", { class: "center-up" }, ...up.map((one) => makeOld("li", {}, makeOld("b", { text: one.player }), ` ${describeBet(one)}`)))];
  });
}
