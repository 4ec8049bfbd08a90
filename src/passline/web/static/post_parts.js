// @ts-check
/** What parts of a post's page show besides what they offer. */

import { upWords } from "./post_book.js";
import { dieFace } from "./post_dice.js";
import { barWords, make, money, put } from "./post_dom.js";

const WHERE = { bowl: "in the bowl", center: "in the center", out: "out, with the shooter", air: "in the air" };

/** Put in, only where something else is told than before.
 * @param {HTMLElement} body @param {unknown} told @param {() => HTMLElement[]} nodes */
function anew(body, told, nodes) {
  const words = JSON.stringify(told) ?? "";
  if (body.dataset.told === words) return;
  body.dataset.told = words;
  put(body, nodes());
}

/** @param {HTMLElement} body @param {[string, string][]} facts */
function showFacts(body, facts) {
  const rows = () => facts.flatMap(([name, value]) => [make("dt", { text: name }), make("dd", { text: value })]);
  anew(body, facts, () => [make("dl", { class: "facts" }, ...rows())]);
}

/** Buy-ins that wait. @param {HTMLElement} body @param {{name: string, amount: string, place: number | null}[]} asks */
export function showAsking(body, asks) {
  const words = asks.map((ask) => `${ask.name} asks for ${money(ask.amount)}${ask.place ? ` at place ${ask.place}` : ""}.`);
  anew(body, words, () => words.map((text) => make("p", { text })));
}

/** @param {HTMLElement} body @param {{throw: number, dice: number[], call: string} | null} work */
export function showCall(body, work) {
  anew(body, work?.throw ?? null, () => {
    if (!work) return [make("p", { text: "No throw yet." })];
    return [make("p", { class: "faces" }, ...work.dice.map(dieFace)), make("p", { class: "big-call", text: work.call })];
  });
}

/** @param {HTMLElement} body @param {any} dice */
export function showDice(body, dice) {
  const lines = [`The dice are ${WHERE[/** @type {keyof typeof WHERE} */ (dice.where)]}.`];
  if (dice.held) lines.push("They wait for the new boxperson's OK.");
  if (dice.bar) lines.push(barWords(dice.bar));
  if (dice.lost) lines.push(`${dice.lost} of the set not found.`);
  anew(body, lines, () => lines.map((text) => make("p", { text })));
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
  const rows = Object.entries(figures).map(([name, value]) => /** @type {[string, string]} */ ([name, money(value)]));
  showFacts(body, [...rows, ["limits", `${money(least)} to ${money(most)}`]]);
}

/** @param {HTMLElement} body @param {any[]} up */
export function showCenter(body, up) {
  anew(body, up, () => {
    if (!up.length) return [make("p", { text: "Nothing." })];
    return [make("ul", { class: "center-up" }, ...up.map((one) => make("li", {}, make("b", { text: one.player }), ` ${upWords(one)}`)))];
  });
}
