// @ts-check
/** What a moment holds, as text: the line, the throw, rails, wagers, ledger, the crew's work. */

import { clauseLink, makeReplay, formatDollars, byId, makeTable } from "./replay_dom.js";
import { makeDie } from "./replay_felt.js";

/** @typedef {any} Moment As ``/replay`` tells it. */

/** @type {Record<string, string>} */
const ACCOUNTS = {
  drop: "Drop (cash)",
  bank: "Bank",
  promotions: "Promotions",
  vigorish: "Vigorish",
  tokes: "Tokes",
};
/** @type {Record<string, string>} */
const RESULTS = { win: "wins", lose: "loses", push: "pushes", return: "comes back" };

/** Everything of a moment but the felt. @param {Moment} moment */
export function showMoment(moment) {
  byId("facts").replaceChildren(...makeFacts(moment));
  byId("moment").replaceChildren(...makeLine(moment));
  byId("settled").replaceChildren(...makeSettlements(moment));
  byId("rails").replaceChildren(makeRails(moment));
  byId("wagers").replaceChildren(makeWagers(moment));
  byId("ledger").replaceChildren(makeLedger(moment));
  byId("work").replaceChildren(...makeWork(moment));
}

/** What the felt shows, in a sentence. @param {Moment} moment */
export function describeFelt(moment) {
  const up = moment.players.flatMap((/** @type {any} */ one) =>
    one.wagers.map((/** @type {any} */ bet) => `${one.name} ${bet.name} ${formatDollars(bet.amount)}`),
  );
  const puck = moment.puck ? `the puck on ${moment.puck}` : "the puck off";
  return `The felt: ${puck}; ${up.length ? up.join(", ") : "nothing up"}`;
}

/** @param {Moment} moment */
function makeFacts(moment) {
  const puck = makeReplay(`span.puck.${moment.puck ? "on" : "off"}`, moment.puck ? `On ${moment.puck}` : "Off");
  const data = [moment.shooter ? `${moment.shooter} has the dice` : "nobody has the dice"];
  if (moment.status !== "live") data.push(moment.status === "dead" ? "a dead game" : "closed");
  if (moment.clock) data.push(`clock ${moment.clock}`);
  return [puck, ` ${data.join(", ")}`];
}

/** @param {Moment} moment */
function describeSpeaker(moment) {
  const name = moment.by && moment.by !== moment.role ? moment.by : "";
  const by = [moment.role, name].filter(Boolean).join(" ") || "the table";
  const time = moment.time ? moment.time.replace("T", " ").replace(/\.\d+Z$/, " UTC") : "";
  const place = moment.line ? `line ${moment.line}` : "";
  return [by, time, place].filter(Boolean).join(", ");
}

/** The line, who said it, the call, what happened. @param {Moment} moment */
function makeLine(moment) {
  const shown = [makeReplay("p.line", moment.said || (moment.at ? "" : "The table opens.")), makeReplay("p.who", describeSpeaker(moment))];
  if (moment.throw) {
    const faces = makeReplay("span.dice", makeDie(moment.throw.dice[0]), makeDie(moment.throw.dice[1]));
    const words = makeReplay("span.unseen", `${moment.throw.dice.join(" and ")}: `);
    shown.push(makeReplay("p.call", faces, words, moment.throw.call));
    if (moment.throw.hand) shown.push(makeReplay("p.luck", `The hand ends: ${moment.throw.hand}.`));
  }
  const words = moment.words.filter(
    (/** @type {string} */ one) => one.replaceAll("$", "") !== moment.said,
  );
  if (words.length) {
    shown.push(makeReplay("ul.words", ...words.map((/** @type {string} */ one) => makeReplay("li", one))));
  }
  for (const one of moment.refusals) {
    const cite = makeReplay("span", " [", clauseLink(moment.rulebook, one.cite), "]");
    shown.push(makeReplay("p.refused", makeReplay("strong", "Refused: "), `${one.said}: ${one.reason}`, one.cite && cite));
  }
  return shown.filter((one) => one.textContent || one.childElementCount);
}

/** @param {any} done */
function describeResult(done) {
  if (done.result === "travel") return `travels to ${done.to}`;
  const odds = done.odds ? ` at ${done.odds}` : "";
  const vig = Number(done.vig) ? `, vigorish ${formatDollars(done.vig)}` : "";
  return `${RESULTS[done.result] ?? done.result}${done.result === "win" ? odds : ""}${vig}`;
}

/** @param {Moment} moment */
function makeSettlements(moment) {
  const done = moment.throw?.settlements ?? [];
  if (!moment.throw) return [makeReplay("p.quiet", "No throw at this moment.")];
  if (!done.length) return [makeReplay("p.quiet", "The throw settles nothing.")];
  return [
    makeTable(
      "Settlements of this throw",
      ["Player", "Wager", "#Stake", "Result", "#Paid", "Clause"],
      done.map((/** @type {any} */ one) => [
        one.player,
        one.name,
        formatDollars(one.stake),
        makeReplay(`span.${one.result}`, describeResult(one)),
        Number(one.paid) ? formatDollars(one.paid) : "",
        clauseLink(moment.rulebook, one.cite),
      ]),
    ),
  ];
}

/** @param {Moment} moment */
function makeRails(moment) {
  if (!moment.players.length) return makeReplay("p.quiet", "Nobody is at the table.");
  return makeTable(
    "Rails",
    ["Player", "#Place", "#Rail", "#Bought in"],
    moment.players.map((/** @type {any} */ one) => [
      one.name + (one.here ? "" : " (left)"),
      String(one.place),
      formatDollars(one.rail),
      formatDollars(one.bought_in),
    ]),
  );
}

/** @param {Moment} moment */
function makeWagers(moment) {
  const everybody = [...moment.players, { name: "the dealers", wagers: moment.dealers }];
  const up = everybody.flatMap((one) =>
    one.wagers.map((/** @type {any} */ bet) => [
      one.name,
      bet.name,
      formatDollars(bet.amount),
      bet.working ? "working" : "off",
    ]),
  );
  if (!up.length) return makeReplay("p.quiet", "Nothing is up.");
  return makeTable("Wagers", ["Player", "Wager", "#Amount", "Next throw"], up);
}

/** @param {Moment} moment */
function makeLedger(moment) {
  const { accounts, sum } = moment.ledger;
  return makeTable(
    "Ledger",
    ["Account", "#Holds", "#Change"],
    accounts.map((/** @type {any} */ one) => [
      ACCOUNTS[one.account] ?? `${one.player}: ${one.account}`,
      formatDollars(one.holds),
      Number(one.change) ? formatDollars(one.change, true) : "",
    ]),
    ["Sum", formatDollars(sum), ""],
  );
}

/** @param {Moment} moment */
function makeWork(moment) {
  if (!moment.throw) return [makeReplay("p.quiet", "The work list of a throw stands here.")];
  const tasks = moment.throw.work;
  if (!tasks) return [makeReplay("p.quiet", "At this table the work list is the crew's to see.")];
  if (!tasks.length) return [makeReplay("p.quiet", "There is nothing to do: nobody deals here.")];
  return [
    makeTable(
      "The crew's work on this throw",
      ["Who", "What", "Clause"],
      tasks.map((/** @type {any} */ task) => [task.by, task.words, clauseLink(moment.rulebook, task.cite)]),
    ),
  ];
}
