// @ts-check
/** The report of a shift, for the shift's page and for the report of an audition. */

import { byId, citationLink, makeElement, makeFacts, makeTable } from "./dom.js";
import { formatDollars } from "./money.js";

/** Return a clause as a link, or a custom in words. @param {string} cite */
const makeCite = (cite) => (!cite || cite.startsWith("custom") ? makeElement("span", { class: "cite" }, cite) : citationLink(cite));

/** Return the clauses that mistakes broke, and each mistake with its replay and its drill. @param {any} report */
export function showMistakes(report) {
  const clauses = report.clauses.map((/** @type {any} */ item) => [citationLink(item.clause), item.rule, String(item.mistakes)]);
  const mistakes = report.mistakes.map((/** @type {any} */ item) => {
    const drill = item.drill && makeElement("a", { href: `/school/drill/${item.drill}?${new URLSearchParams({ rulebook: report.rulebook, level: "3" })}` }, `Practice ${item.drill}`);
    const replay = makeElement("a", { href: item.replay, "aria-label": `Replay of mistake ${item.n}` }, "Replay");
    const lost = [item.house_lost > 0 && `the house lost ${formatDollars(item.house_lost)}`, item.players_lost > 0 && `${item.player || "a player"} lost ${formatDollars(item.players_lost)}`, item.recovered > 0 && `${formatDollars(item.recovered)} of it came back`].filter(Boolean).join(", ");
    const links = makeElement("span", { class: "mistake-links" }, replay, " ", drill || "");
    return makeElement("li", {}, makeElement("b", {}, `Roll ${item.roll}, ${item.kind}`), `: ${item.words}${lost ? `; ${lost}` : ""} `, makeCite(item.cite), " ", links);
  });
  return makeElement(
    "div",
    {},
    makeElement("h3", {}, "Clause by clause"),
    clauses.length ? makeTable("Clause by clause", ["Clause", "Rule", "#Mistakes"], clauses) : makeElement("p", {}, mistakes.length ? "The rulebook has no clause about these mistakes. What is custom stands with each." : "No clause was broken."),
    makeElement("h3", {}, "Mistakes"),
    mistakes.length ? makeElement("ol", { class: "shift-mistakes" }, ...mistakes) : makeElement("p", {}, "None."),
  );
}

/** Return the links to practice mistakes: those that the rulebook has clauses for, and the rest in the school's manual.
 * @param {any} report */
function makePracticeLinks({ mistakes, clauses, rulebook }) {
  const own = makeElement("a", { class: "button", href: `/school/practice?${new URLSearchParams({ rulebook })}` }, "Practice what went wrong");
  const rest = makeElement("a", { class: "button quiet", href: "/school/practice" }, "Practice the rest by the manual");
  if (!mistakes.length) return [];
  if (!clauses.length) return [makeElement("a", { class: "button", href: "/school/practice" }, "Practice what went wrong")];
  return rulebook === "dealer-school" ? [own] : [own, rest];
}

/** @param {any} report */
export function showShiftReport(report) {
  const facts = [
    ["Post", report.post],
    ["Rulebook", report.rulebook],
    ["Rolls", `${report.thrown} of ${report.rolls}${report.ended === "finished" ? "" : `, ${report.ended}`}`],
    ["Rolls an hour", report.rolls_per_hour === null ? "–" : `${report.rolls_per_hour} (pace ${report.pace})`],
    ["Slow rolls", String(report.slow_rolls)],
    ["Right", `${report.right} of ${report.of} calls and throws`],
    ["Lost by the house", formatDollars(report.house_lost)],
    ["Lost by players", formatDollars(report.players_lost)],
    ["Bets missed", String(report.bets_missed)],
    ["Order faults", String(report.order_faults)],
    ["Seed", report.seed],
  ];
  const log = makeElement("a", { href: `/api/tables/${encodeURIComponent(report.table)}/log` }, "the log");
  byId("report").replaceChildren(
    makeElement("h2", { id: "report-title" }, "Shift report"),
    makeFacts(facts),
    showMistakes(report),
    makeElement("p", { class: "keys" }, "The shift is a live table: ", log, " has every line, and ", makeElement("code", {}, "passline audit"), " deals it again."),
    makeElement("p", { class: "acts" }, ...makePracticeLinks(report), makeElement("a", { class: "button quiet", href: "/school/shift" }, "Another shift")),
  );
  byId("report").hidden = false;
  byId("report").focus();
}
