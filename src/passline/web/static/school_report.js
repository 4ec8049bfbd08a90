// @ts-check
/** The report of an audition: the score, the clauses missed, each answer; to be printed and filed. */

import { makeElement, byId, makeButton } from "./dom.js";
import { citationLink, makeTable } from "./school_dom.js";

/** An answer on a line. @param {any} value @returns {string} */
function describeAnswer(value) {
  if (value === null || value === undefined) return "no answer";
  if (Array.isArray(value)) return value.map(describeAnswer).join("; ");
  if (typeof value !== "object") return String(value);
  if ("act" in value) return [value.act, value.player, value.wager, value.amount].filter(Boolean).join(" ");
  return Object.entries(value)
    .filter(([name]) => name !== "moves" && name !== "facts")
    .map(([name, one]) => (typeof one === "number" && name !== "choice" ? `${one} ${name}` : `${name} ${describeAnswer(one)}`))
    .join(", ");
}

/** @param {string} text */
const shorten = (text) => (text.length > 240 ? `${text.slice(0, 237)}…` : text);

/** @param {any} report */
export function showReport(report) {
  const { score, results, missed } = report;
  const right = results.filter((/** @type {any} */ one) => one.right).length;
  const facts = [
    ["Date", new Date(report.date).toLocaleString()],
    ["Rulebook", `${report.rulebook} (${report.house})`],
    ["Seed", report.seed],
    ["Clock", report.minutes ? `${report.minutes} minutes` : "none: speed is not scored"],
    ["Ended", report.ended],
    ["Answered", `${report.answered} of ${results.length}, ${right} right`],
    ["Pass mark", `${report.pass_mark} of 100`],
    ["This audition", report.audition.slice(0, 16)],
    ["This report", report.digest.slice(0, 16)],
  ];
  const parts = score.parts.map((/** @type {any} */ one) => [one.part, `${one.points} of ${one.weight}`, `${one.right} of ${one.of}`]);
  const clauses = missed.map((/** @type {any} */ one) => [citationLink(one.clause), one.rule, one.questions.join(", ")]);
  const answers = results.map((/** @type {any} */ one) => [
    String(one.n),
    `${one.drill}: ${one.ask}`,
    makeElement("span", { class: one.right ? "was-right" : "was-wrong" }, one.answer === null ? "not answered" : `${one.right ? "right" : one.late ? "late" : "wrong"}: ${shorten(describeAnswer(one.answer))}`),
    one.right ? "" : shorten(describeAnswer(one.correct)),
    one.seconds === null ? "" : String(Math.round(one.seconds)),
  ]);
  const file = new Blob([JSON.stringify(report, null, 2)], { type: "application/json" });
  const save = makeElement("a", { class: "button quiet", href: URL.createObjectURL(file), download: `audition-${report.digest.slice(0, 8)}.json` }, "Save as JSON");
  byId("report").replaceChildren(
    makeElement("h2", { id: "report-title" }, `Audition of ${report.name}`),
    makeElement("p", { class: `verdict ${report.passed ? "passed" : ""}` }, `${report.passed ? "Passed" : "Not passed"}: ${score.total} of 100`),
    makeElement("dl", { class: "facts" }, ...facts.flatMap(([name = "", value = ""]) => [makeElement("dt", {}, name), makeElement("dd", {}, value)])),
    makeElement("p", { class: "acts" }, makeButton("Print", () => window.print()), save),
    makeElement("h3", {}, "Score"),
    makeTable("Score", ["Part", "Points", "Right"], parts),
    makeElement("h3", {}, "Clauses missed"),
    clauses.length ? makeTable("Clauses missed", ["Clause", "What it rules", "Questions"], clauses) : makeElement("p", {}, "None."),
    makeElement("h3", {}, "Questions and answers"),
    makeTable("Questions and answers", ["No.", "Question", "Answer", "Right answer", "Seconds"], answers),
    makeElement("div", { class: "signed" }, makeElement("p", {}, "Instructor, date"), makeElement("p", {}, "Dealer, date")),
  );
  byId("report").hidden = false;
  byId("report").focus();
}
