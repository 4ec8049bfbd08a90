// @ts-check
/** The audition page: the questions that the server drew, one after another, then a short shift on the
 * shift's own page, and at the end a report to print or save. A page that is loaded again goes on. */

import { attempt, describeError, sendJson, TableError } from "./api.js";
import { showMistakes } from "./shift_report.js";
import { buttonById, byId, citationLink, inputById, localStore, makeButton, makeElement, makeFacts, makeTable, onSubmit, sessionStore } from "./dom.js";
import { formatDollars } from "./money.js";
import { houseQuery, school } from "./school_api.js";
import { bindSwitches, Clock } from "./school_page.js";
import { QuestionView } from "./school_question.js";

/** An attempt at the audition: its questions, one after another, and its end. The server keeps the time. */
class AuditionPage {
  constructor() {
    bindSwitches();
    this.clock = new Clock(() => void this.end());
    this.question = new QuestionView();
    this.question.onAnswer = (answer) => void this.answer(answer);
    /** @type {import("./school_api.js").Question[]} */
    this.questions = [];
    /** @type {Set<number>} */
    this.answered = new Set();
    this.id = "";
    this.key = "";
    this.hasShift = true;
    this.n = 0;
    this.busy = false;
    this.ended = false;
  }

  /** Begin a new attempt. */
  async start() {
    const { rulebook = "", house = "" } = byId("drill").dataset;
    const learner = inputById("learner-name").value.trim();
    const begun = await school.startAudition({ learner, ...houseQuery(rulebook, house) });
    this.key = begun.key;
    this.#show(begun);
    this.#next();
  }

  /** Go on with an attempt that this browser began, or show its report. @param {string} kept its id and key */
  async resume(kept) {
    [this.id = "", this.key = ""] = kept.split(" ");
    const found = await school.showAudition(this.id, this.key);
    if (!found.questions) return this.#showEnd(found);
    this.#show(found);
    return found.shift?.over ? this.end() : this.#next();
  }

  /** Begin the shift, or go on with it, on its own page. */
  async dealShift() {
    const { shift, token } = await school.shiftAudition(this.id, this.key);
    sessionStore.put("shift", `${shift} ${token}`);
    location.assign("/school/shift");
  }

  /** @param {any} attempt */
  #show(attempt) {
    this.id = attempt.audition;
    this.questions = attempt.questions;
    this.answered = new Set(attempt.answered);
    /** A machine deals some games; then there is no shift. */
    this.hasShift = attempt.shift !== null;
    sessionStore.put("audition", `${this.id} ${this.key}`);
    byId("start").hidden = byId("about").hidden = true;
    byId("during").hidden = false;
    this.clock.endsAt = performance.now() + attempt.left * 1000;
    inputById("clock-on").closest("label")?.setAttribute("hidden", "");
  }

  #next() {
    const question = this.questions.find((item) => !this.answered.has(item.n));
    if (!question && !this.hasShift) return void this.end();
    if (!question) {
      byId("where").textContent = "All questions are answered. Deal the shift.";
      byId("stage").hidden = true;
      byId("shift-part").hidden = false;
      buttonById("deal-shift").focus();
      return this.clock.start(0);
    }
    byId("where").textContent = `Question ${question.n} of ${this.questions.length}`;
    this.n = question.n;
    this.question.show(question);
    return this.clock.start(0);
  }

  /** @param {import("./school_api.js").Answer | null} answer */
  async answer(answer) {
    if (this.ended || this.busy) return;
    this.busy = true;
    try {
      await school.answerAudition(this.id, { n: this.n, ...(answer ?? { answer: null }), again: true });
      this.answered.add(this.n);
      this.#next();
    } catch (error) {
      const over = error instanceof TableError && error.status === 409;
      if (over) await this.end();
      else if (error instanceof TableError && error.status === 400) this.question.showAlert(describeError(error));
      else this.question.showRetry(describeError(error), () => void this.answer(answer));
    } finally {
      this.busy = false;
    }
  }

  /** End the attempt and show its report. */
  async end() {
    if (this.ended) return;
    this.ended = true;
    this.clock.stop();
    this.clock.endsAt = null;
    try {
      this.#showEnd(await school.finishAudition(this.id, this.key));
    } catch (error) {
      this.ended = false;
      this.question.showRetry(describeError(error), () => void this.end());
    }
  }

  /** @param {any} report */
  #showEnd(report) {
    sessionStore.put("audition", "");
    sessionStore.put("audition-over", `${this.id} ${this.key}`); // The way back from a replay leads to its report.
    history.replaceState(null, "", `#${this.id}`);
    byId("start").hidden = byId("about").hidden = byId("during").hidden = true;
    showReport(report);
    if (report.shift?.table) void this.#showTable();
  }

  /** Let this browser see the table of the shift, so that the replays open. */
  async #showTable() {
    const { table, token } = await school.shiftAudition(this.id, this.key);
    await sendJson(`/api/tables/${encodeURIComponent(table)}/cookie`, { token });
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

/** Return the report of the shift. @param {any} shift */
function describeShift(shift) {
  if (!shift.table) return [makeElement("p", {}, "The shift was not dealt.")];
  const facts = [
    ["Rolls", `${shift.thrown} of ${shift.rolls}`],
    ["Rolls an hour", shift.rolls_per_hour === null ? "–" : `${shift.rolls_per_hour} (pace ${shift.pace})`],
    ["Right", `${shift.right} of ${shift.of}`],
    ["Lost by the house", formatDollars(shift.house_lost)],
    ["Lost by players", formatDollars(shift.players_lost)],
  ];
  return [makeFacts(facts), showMistakes(shift)];
}

/** Say what the speed measures. @param {{earned: number, pace: number, used: number} | null} [speed] */
function describeSpeed(speed) {
  if (!speed) return [];
  const [earned, pace, used] = [speed.earned, speed.pace, speed.used].map(Math.round);
  return [makeElement("p", {}, `Speed: the right answers are ${earned} seconds of work at a working dealer's pace, of ${pace} in all; ${used} seconds were used. The seconds of an answer count from the answer before it.`)];
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
    ["Attempt", String(report.attempt)],
    ["Seed", report.seed],
    ["Clock", `${report.minutes} minutes`],
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
  const certificate = report.certificate && makeElement("a", { class: "button", href: `/school/certificates/${report.audition}` }, "The certificate");
  byId("report").replaceChildren(
    makeElement("h2", { id: "report-title" }, `Audition of ${report.name}`),
    makeElement("p", { class: `verdict ${report.passed ? "passed" : ""}` }, `${report.passed ? "Passed" : "Not passed"}: ${score.total} of 100`),
    makeFacts(facts),
    makeElement("p", { class: "acts" }, certificate, makeButton("Print", () => window.print()), save),
    makeElement("h3", {}, "Score"),
    makeTable("Score", ["Part", "Points", "Right"], parts),
    ...describeSpeed(score.speed),
    makeElement("h3", {}, "Clauses missed"),
    clauses.length ? makeTable("Clauses missed", ["Clause", "Subject", "Questions"], clauses) : makeElement("p", {}, "None."),
    ...(report.shift ? [makeElement("h3", {}, "The shift"), ...describeShift(report.shift)] : []),
    makeElement("h3", {}, "Questions and answers"),
    makeElement("div", { class: "stacked" }, makeTable("Questions and answers", ["No.", "Question", "Answer", "Right answer", "Seconds"], answers)),
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
onSubmit(byId("start"), () => void attempt(() => page.start(), byId("start-alert")));
buttonById("finish").addEventListener("click", () => void page.end());
buttonById("deal-shift").addEventListener("click", () => void attempt(() => page.dealShift(), byId("start-alert")));
const over = sessionStore.get("audition-over");
const earlier = sessionStore.get("audition") || (over.split(" ")[0] === location.hash.slice(1) ? over : "");
if (earlier) await attempt(() => page.resume(earlier), byId("start-alert"));
