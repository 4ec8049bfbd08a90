// @ts-check
/** What a moment holds, as text: the line, the throw, rails, wagers, ledger, the crew's work. */

import { clause, make, money, part, table } from "./replay_dom.js";
import { die } from "./replay_felt.js";

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
  part("facts").replaceChildren(...facts(moment));
  part("moment").replaceChildren(...line(moment));
  part("settled").replaceChildren(...settled(moment));
  part("rails").replaceChildren(rails(moment));
  part("wagers").replaceChildren(wagers(moment));
  part("ledger").replaceChildren(ledger(moment));
  part("work").replaceChildren(...work(moment));
}

/** What the felt shows, in a sentence. @param {Moment} moment */
export function feltWords(moment) {
  const up = moment.players.flatMap((/** @type {any} */ one) =>
    one.wagers.map((/** @type {any} */ bet) => `${one.name} ${bet.name} ${money(bet.amount)}`),
  );
  const puck = moment.puck ? `the puck on ${moment.puck}` : "the puck off";
  return `The felt: ${puck}; ${up.length ? up.join(", ") : "nothing up"}`;
}

/** @param {Moment} moment */
function facts(moment) {
  const puck = make(`span.puck.${moment.puck ? "on" : "off"}`, moment.puck ? `On ${moment.puck}` : "Off");
  const told = [moment.shooter ? `${moment.shooter} has the dice` : "nobody has the dice"];
  if (moment.status !== "live") told.push(moment.status === "dead" ? "a dead game" : "closed");
  if (moment.clock) told.push(`clock ${moment.clock}`);
  return [puck, ` ${told.join(", ")}`];
}

/** @param {Moment} moment */
function who(moment) {
  const name = moment.by && moment.by !== moment.role ? moment.by : "";
  const by = [moment.role, name].filter(Boolean).join(" ") || "the table";
  const time = moment.time ? moment.time.replace("T", " ").replace(/\.\d+Z$/, " UTC") : "";
  const place = moment.line ? `line ${moment.line}` : "";
  return [by, time, place].filter(Boolean).join(", ");
}

/** The line, who said it, the call, what happened. @param {Moment} moment */
function line(moment) {
  const shown = [make("p.line", moment.said || (moment.at ? "" : "The table opens.")), make("p.who", who(moment))];
  if (moment.throw) {
    const faces = make("span.dice", die(moment.throw.dice[0]), die(moment.throw.dice[1]));
    const words = make("span.unseen", `${moment.throw.dice.join(" and ")}: `);
    shown.push(make("p.call", faces, words, moment.throw.call));
    if (moment.throw.hand) shown.push(make("p.luck", `The hand ends: ${moment.throw.hand}.`));
  }
  const words = moment.words.filter(
    (/** @type {string} */ one) => one.replaceAll("$", "") !== moment.said,
  );
  if (words.length) {
    shown.push(make("ul.words", ...words.map((/** @type {string} */ one) => make("li", one))));
  }
  for (const one of moment.refusals) {
    const cite = make("span", " [", clause(moment.rulebook, one.cite), "]");
    shown.push(make("p.refused", make("strong", "Refused: "), `${one.said}: ${one.reason}`, one.cite && cite));
  }
  return shown.filter((one) => one.textContent || one.childElementCount);
}

/** @param {any} done */
function came(done) {
  if (done.result === "travel") return `travels to ${done.to}`;
  const odds = done.odds ? ` at ${done.odds}` : "";
  const vig = Number(done.vig) ? `, vigorish ${money(done.vig)}` : "";
  return `${RESULTS[done.result] ?? done.result}${done.result === "win" ? odds : ""}${vig}`;
}

/** @param {Moment} moment */
function settled(moment) {
  const done = moment.throw?.settlements ?? [];
  if (!moment.throw) return [make("p.quiet", "No throw at this moment.")];
  if (!done.length) return [make("p.quiet", "The throw settles nothing.")];
  return [
    table(
      "Settlements of this throw",
      ["Player", "Wager", "#Stake", "Result", "#Paid", "Clause"],
      done.map((/** @type {any} */ one) => [
        one.player,
        one.name,
        money(one.stake),
        make(`span.${one.result}`, came(one)),
        Number(one.paid) ? money(one.paid) : "",
        clause(moment.rulebook, one.cite),
      ]),
    ),
  ];
}

/** @param {Moment} moment */
function rails(moment) {
  if (!moment.players.length) return make("p.quiet", "Nobody is at the table.");
  return table(
    "Rails",
    ["Player", "#Place", "#Rail", "#Bought in"],
    moment.players.map((/** @type {any} */ one) => [
      one.name + (one.here ? "" : " (left)"),
      String(one.place),
      money(one.rail),
      money(one.bought_in),
    ]),
  );
}

/** @param {Moment} moment */
function wagers(moment) {
  const everybody = [...moment.players, { name: "the dealers", wagers: moment.dealers }];
  const up = everybody.flatMap((one) =>
    one.wagers.map((/** @type {any} */ bet) => [
      one.name,
      bet.name,
      money(bet.amount),
      bet.working ? "working" : "off",
    ]),
  );
  if (!up.length) return make("p.quiet", "Nothing is up.");
  return table("Wagers", ["Player", "Wager", "#Amount", "Next throw"], up);
}

/** @param {Moment} moment */
function ledger(moment) {
  const { accounts, sum } = moment.ledger;
  return table(
    "Ledger",
    ["Account", "#Holds", "#Change"],
    accounts.map((/** @type {any} */ one) => [
      ACCOUNTS[one.account] ?? `${one.player}: ${one.account}`,
      money(one.holds),
      Number(one.change) ? money(one.change, true) : "",
    ]),
    ["Sum", money(sum), ""],
  );
}

/** @param {Moment} moment */
function work(moment) {
  if (!moment.throw) return [make("p.quiet", "The work list of a throw stands here.")];
  const tasks = moment.throw.work;
  if (!tasks) return [make("p.quiet", "At this table the work list is the crew's to see.")];
  if (!tasks.length) return [make("p.quiet", "There is nothing to do: nobody deals here.")];
  return [
    table(
      "The crew's work on this throw",
      ["Who", "What", "Clause"],
      tasks.map((/** @type {any} */ task) => [task.by, task.words, clause(moment.rulebook, task.cite)]),
    ),
  ];
}
