// @ts-check
/** The strip "Next throw": for each total from 2 to 12, what it would pay or take in all. */

import { byId, makeElement } from "./dom.js";
import { formatDollars, formatShort, parseCents } from "./money.js";

/** @typedef {{way: string, net: string}} Outcome A way to throw a total ("hard", "easy", "1-5" or "" for all), and what it pays. */

const TOTALS = Array.from({ length: 11 }, (_, n) => n + 2);
/** Letters of an amount that fit into a cell of a phone, of a tablet and of a laptop. */
const MAX_PHONE = 4;
const MAX_TABLET = 5;
const MAX_LAPTOP = 7;

/** Return an amount, and its short form where a narrow cell needs it. @param {string} net */
function makeAmount(net) {
  const cents = parseCents(net);
  const words = formatDollars(net, true);
  const length = words.length > MAX_LAPTOP ? "full long longest" : words.length > MAX_TABLET ? "full long" : "full";
  const full = makeElement("span", { class: length }, words);
  const parts = words.length > MAX_PHONE ? [full, makeElement("span", { class: "short", "aria-hidden": "true" }, formatShort(cents))] : [words];
  return makeElement("b", { class: cents < 0 ? "takes" : cents > 0 ? "pays" : "even" }, ...parts);
}

/** @param {Outcome} outcome @param {string} words what stands before the amount */
const makeWay = ({ net }, words) => makeElement("span", { class: "way" }, words && makeElement("i", {}, `${words} `), makeAmount(net));

/** Return the words of one cell. Of more than two ways it shows the least and the most. @param {Outcome[]} outcomes */
function makeCell(outcomes) {
  if (!outcomes.length) return [makeElement("span", { class: "way" }, makeElement("b", { class: "even" }, "–"))];
  const ordered = [...outcomes].sort((a, b) => parseCents(a.net) - parseCents(b.net));
  const least = ordered[0];
  const most = ordered[ordered.length - 1];
  if (outcomes.length > 2 && least && most) return [makeWay(least, "from"), " ", makeWay(most, "to")];
  return outcomes.flatMap((outcome, at) => [at ? makeElement("span", { class: "unseen" }, ", ") : "", makeWay(outcome, outcome.way)]);
}

/** Show what the next throw would do. @param {Record<string, Outcome[]>} next totals that do nothing are left out */
export function showNextThrow(next) {
  const cells = TOTALS.map((total) => {
    const outcomes = next[total] ?? [];
    const all = outcomes.map(({ way, net }) => `${way} ${formatDollars(net, true)}`.trim()).join(", ");
    const data = { "data-ways": String(Math.min(outcomes.length, 3)), title: all };
    return makeElement("li", data, makeElement("span", { class: "total" }, `${total}:`), " ", ...makeCell(outcomes));
  });
  byId("next").replaceChildren(...cells);
}
