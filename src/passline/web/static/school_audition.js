// @ts-check
/** The audition page: the same questions for everybody, one after another, and at the end a report to
 * print or save. */

import { describeError } from "./api.js";
import { buttonById, byId, citationLink, inputById, localStore, makeButton, makeElement, makeFacts, makeTable, onSubmit } from "./dom.js";
import { houseQuery, school } from "./school_api.js";
import { bindSwitches, Clock } from "./school_page.js";
import { QuestionView } from "./school_question.js";

/** The questions of an audition, the answers so far, and its end. */
class AuditionPage {
  constructor() {
    bindSwitches();
    this.clock = new Clock(() => void this.end("time"));
    this.question = new QuestionView();
    this.question.onAnswer = (answer) => void this.answer(answer);
    /** @type {({answer?: any, said?: string, seconds: number | null} | null)[]} */
    this.answers = [];
    this.questionCount = 0;
    this.ended = false;
    /** @type {Record<string, string>} */
    this.query = {};
    this.minutes = 15;
  }

  async start() {
    this.query = { seed: inputById("seed").value.trim(), ...houseQuery(byId("drill").dataset.rulebook ?? "", byId("drill").dataset.house ?? "") };
    this.minutes = Number(inputById("minutes").value) || 0;
    this.name = inputById("learner-name").value.trim();
    byId("start").hidden = byId("about").hidden = true;
    byId("during").hidden = false;
    if (this.minutes) this.clock.endsAt = performance.now() + this.minutes * 60_000;
    inputById("clock-on").closest("label")?.setAttribute("hidden", "");
    await this.next();
  }

  async next() {
    const n = this.answers.length + 1;
    try {
      const { question, of: questionCount } = await school.audition({ ...this.query, n });
      this.questionCount = questionCount;
      byId("where").textContent = `Question ${n} of ${questionCount}`;
      this.question.show(question);
      this.clock.start(0);
    } catch (error) {
      this.question.showRetry(describeError(error), () => void this.next());
    }
  }

  /** @param {import("./school_api.js").Answer | null} answer */
  async answer(answer) {
    if (this.ended) return;
    const seconds = this.minutes ? (performance.now() - this.clock.startedAt) / 1000 : null;
    this.answers.push(answer ? { ...answer, seconds } : { answer: null, seconds });
    if (this.answers.length >= this.questionCount) await this.end("finished");
    else await this.next();
  }

  /** @param {"finished" | "time" | "broken off"} how */
  async end(how) {
    if (this.ended) return;
    this.ended = true;
    this.clock.stop();
    this.clock.endsAt = null;
    try {
      const report = await school.report({ ...this.query, name: this.name, minutes: this.minutes, ended: how, answers: this.answers });
      byId("during").hidden = true;
      showReport(report);
    } catch (error) {
      this.ended = false;
      this.question.showRetry(describeError(error), () => void this.end(how));
    }
  }
}

/** Return an answer in one line. @param {any} value @returns {string} */
function describeAnswer(value) {
  if (value === null || value === undefined) return "no answer";
  if (Array.isArray(value)) return value.map(describeAnswer).join("; ");
  if (typeof value !== "object") return String(value);
  if ("act" in value) return [value.act, value.player, value.wager, value.amount].filter(Boolean).join(" ");
  return Object.entries(value)
    .filter(([name]) => name !== "moves" && name !== "facts")
    .map(([name, item]) => (typeof item === "number" && name !== "choice" ? `${item} ${name}` : `${name} ${describeAnswer(item)}`))
    .join(", ");
}

/** @param {string} text */
const shorten = (text) => (text.length > 240 ? `${text.slice(0, 237)}…` : text);

/** @param {any} report */
export function showReport(report) {
  const { score, results, missed } = report;
  const right = results.filter((/** @type {any} */ item) => item.right).length;
  const facts = [
    ["Date", new Date(report.date).toLocaleString()],
    ["Rulebook", `${report.rulebook} (${report.house})`],
    ["Seed", report.seed],
    ["Clock", report.minutes ? `${report.minutes} minutes` : "none (speed is not scored)"],
    ["Ended", report.ended],
    ["Answered", `${report.answered} of ${results.length}, ${right} right`],
    ["Pass mark", `${report.pass_mark} of 100`],
    ["This audition", report.audition.slice(0, 16)],
    ["This report", report.digest.slice(0, 16)],
  ];
  const parts = score.parts.map((/** @type {any} */ item) => [item.part, `${item.points} of ${item.weight}`, `${item.right} of ${item.of}`]);
  const clauses = missed.map((/** @type {any} */ item) => [citationLink(item.clause), item.rule, item.questions.join(", ")]);
  const answers = results.map((/** @type {any} */ item) => [
    String(item.n),
    `${item.drill}: ${item.ask}`,
    makeElement("span", { class: item.right ? "was-right" : "was-wrong" }, item.answer === null ? "not answered" : `${item.right ? "right" : item.late ? "late" : "wrong"}: ${shorten(describeAnswer(item.answer))}`),
    item.right ? "" : shorten(describeAnswer(item.correct)),
    item.seconds === null ? "" : String(Math.round(item.seconds)),
  ]);
  const file = new Blob([JSON.stringify(report, null, 2)], { type: "application/json" });
  const save = makeElement("a", { class: "button quiet", href: URL.createObjectURL(file), download: `audition-${report.digest.slice(0, 8)}.json` }, "Save as JSON");
  byId("report").replaceChildren(
    makeElement("h2", { id: "report-title" }, `Audition of ${report.name}`),
    makeElement("p", { class: `verdict ${report.passed ? "passed" : ""}` }, `${report.passed ? "Passed" : "Not passed"}: ${score.total} of 100`),
    makeFacts(facts),
    makeElement("p", { class: "acts" }, makeButton("Print", () => window.print()), save),
    makeElement("h3", {}, "Score"),
    makeTable("Score", ["Part", "Points", "Right"], parts),
    makeElement("h3", {}, "Clauses missed"),
    clauses.length ? makeTable("Clauses missed", ["Clause", "Subject", "Questions"], clauses) : makeElement("p", {}, "None."),
    makeElement("h3", {}, "Questions and answers"),
    makeTable("Questions and answers", ["No.", "Question", "Answer", "Right answer", "Seconds"], answers),
    makeElement("div", { class: "signed" }, makeElement("p", {}, "Instructor, date"), makeElement("p", {}, "Dealer, date")),
  );
  byId("report").hidden = false;
  byId("report").focus();
}

const page = new AuditionPage();
inputById("learner-name").value = localStore.get("name");
void school.me().then((me) => {
  if (me) inputById("learner-name").value = me.name;
});
onSubmit(byId("start"), () => void page.start());
buttonById("break-off").addEventListener("click", () => void page.end("broken off"));
