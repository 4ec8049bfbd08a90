// @ts-check
/** The panel "What it is worth": the expected value of each open bet, the cost of an hour with these
 * bets, and how lucky the player was so far. Loaded when the player opens it. */

import { describeError } from "./api.js";
import { makeElement, makeTable } from "./dom.js";
import { formatAverage, formatDollars, formatMoney, parseCents } from "./money.js";

const CAPTION = "Your wagers: chances of 36 on the next throw";
const HEADINGS = ["Wager", "#Up", "#Edge", "#Wins", "#Loses", "#Stays", "#Expect"];

/** @param {any[]} wagers */
function makeWagersTable(wagers) {
  const rows = wagers.map(({ name, working, amount, edge_percent, next, expects_float }) => [
    working ? name : `${name} (off)`,
    formatDollars(amount),
    edge_percent ?? "",
    ...[next.wins, next.loses, next.stays].map(String),
    formatAverage(expects_float),
  ]);
  return makeTable(CAPTION, HEADINGS, rows, { captionShown: true, label: "Your wagers" });
}

/** @param {{throws: number, cost: string, measured: boolean}} hour */
function describeHour({ throws, cost, measured }) {
  const cents = parseCents(cost);
  const result = cents < 0 ? `wins ${formatMoney(-cents)}` : `costs ${formatMoney(cents)}`;
  const pace = measured ? "as measured at this table" : "the usual pace";
  return `An hour of ${throws} throws (${pace}) with these wagers always up ${result}, on average.`;
}

/** @param {any} values */
function makePanel({ wagers, hour, standing }) {
  const paragraph = (/** @type {string} */ words) => makeElement("p", {}, words);
  const luck = paragraph(standing.words ?? `Your luck so far is not shown: ${standing.why_not}.`);
  if (!wagers.length) return [paragraph("You have no bets up."), luck];
  const note = "Expect: what each bet wins on average from here if you leave it as it is.";
  return [luck, paragraph(describeHour(hour)), makeWagersTable(wagers), paragraph(note)];
}

/** Request the values and show them. @param {import("./api.js").TableApi} api @param {HTMLElement} place */
export async function showBetValues(api, place) {
  place.setAttribute("aria-busy", "true");
  if (!place.childElementCount) place.replaceChildren(makeElement("p", {}, "One moment: the exact values are being calculated."));
  try {
    place.replaceChildren(...makePanel(await api.get("/worth")));
  } catch (error) {
    place.replaceChildren(makeElement("p", {}, describeError(error)));
  } finally {
    place.removeAttribute("aria-busy");
  }
}
