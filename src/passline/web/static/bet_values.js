// @ts-check
/** What one's wagers are worth: each that is up, the hour, and how one stands. */

import { TableError } from "./api.js";
import { formatDollars, formatMoney, parseCents } from "./money.js";

/** @param {string} tag @param {string} words @returns {HTMLElement} */
function made(tag, words) {
  const item = document.createElement(tag);
  item.textContent = words;
  return item;
}

/** @param {number} dollars */
function formatSigned(dollars) {
  const amount = Math.abs(dollars).toFixed(2);
  if (amount === "0.00") return "$0.00";
  return dollars < 0 ? `−$${amount}` : `+$${amount}`;
}

/** @param {string[]} cells @param {string} tag @returns {HTMLElement} */
function makeRow(cells, tag) {
  const line = document.createElement("tr");
  cells.forEach((words, place) => {
    const cell = made(place === 0 ? "th" : tag, words);
    if (place === 0 || tag === "th") cell.setAttribute("scope", tag === "th" ? "col" : "row");
    if (place > 0) cell.className = "n";
    line.append(cell);
  });
  return line;
}

/** @param {any[]} wagers @returns {HTMLElement} */
function makeWagersTable(wagers) {
  const whole = document.createElement("table");
  const head = document.createElement("thead");
  head.append(makeRow(["Wager", "Up", "Edge", "Wins", "Loses", "Stays", "Expect"], "th"));
  const body = document.createElement("tbody");
  for (const item of wagers) {
    const { wins, loses, stays } = item.next;
    const name = item.working ? item.name : `${item.name} (off)`;
    const expects = formatSigned(item.expects_float);
    const cells = [name, formatDollars(item.amount), item.edge_percent ?? "", wins, loses, stays, expects];
    body.append(makeRow(cells.map(String), "td"));
  }
  const caption = made("caption", "Your wagers: chances of 36 on the next throw");
  whole.append(caption, head, body);
  const scroll = document.createElement("div");
  scroll.className = "scroll";
  scroll.tabIndex = 0;
  scroll.setAttribute("role", "group");
  scroll.setAttribute("aria-label", "Your wagers");
  scroll.append(whole);
  return scroll;
}

/** @param {any} data @returns {HTMLElement[]} */
function makePanel(data) {
  const parts = [];
  if (data.wagers.length) {
    parts.push(makeWagersTable(data.wagers));
    const pace = data.hour.measured ? "as measured at this table" : "as is usual";
    const cost = parseCents(data.hour.cost);
    const words = cost < 0 ? `brings ${formatMoney(-cost)}` : `costs ${formatMoney(cost)}`;
    parts.push(
      made("p", `An hour of ${data.hour.throws} throws (${pace}) with these wagers always up ${words}, on average.`),
    );
    parts.push(made("p", "Expect: what each brings on average from here, nothing more being said."));
  } else {
    parts.push(made("p", "Nothing of yours is up."));
  }
  const standing = data.standing;
  parts.push(made("p", standing.words ?? `How you stand is not told: ${standing.why_not}.`));
  return parts;
}

/** Show the panel, as things stand now.
 * @param {import("./api.js").TableApi} api @param {HTMLElement} into */
export async function showBetValues(api, into) {
  into.setAttribute("aria-busy", "true");
  if (!into.childElementCount) into.replaceChildren(made("p", "One moment: this is worked out exactly."));
  try {
    into.replaceChildren(...makePanel(await api.get("/worth")));
  } catch (error) {
    const words = error instanceof TableError ? error.message : "the server did not answer";
    into.replaceChildren(made("p", `${words}.`));
  } finally {
    into.removeAttribute("aria-busy");
  }
}
