// @ts-check
/** The page of a drill and of the daily practice: one question after another, each marked by the server. */

import { describeError } from "./api.js";
import { asSentence, byId, citationLink, localStore, makeButton, makeElement, sessionStore } from "./dom.js";
import { houseQuery, school } from "./school_api.js";
import { bindSwitches, Clock, identifyLearner, makeStack, MAX_VISIT_ANSWERS } from "./school_page.js";
import { QuestionView } from "./school_question.js";

/** The questions of a drill, or those that are due in practice. */
class DrillPage {
  constructor() {
    const { drill = "", rulebook = "", house = "", level = "1", seed = "", pace = "0", practice } = byId("drill").dataset;
    this.house = houseQuery(rulebook, house);
    this.query = { ...this.house, drill, level: Number(level), seed };
    this.pace = Number(pace);
    this.practice = practice !== undefined;
    this.n = 0;
    this.right = 0;
    this.answered = 0;
    this.busy = false;
    /** Of the current ten questions: how many are answered, and how many of those right and in time. */
    this.gate = { of: 0, right: 0 };
    /** @type {any[] | null} the answers of a visit without a name */
    this.visit = null;
    bindSwitches();
    this.clock = new Clock();
    this.question = new QuestionView();
    this.question.onAnswer = (answer) => void this.answer(answer);
  }

  async next() {
    byId("mark").hidden = true;
    this.clock.stop();
    if (!this.practice) byId("gate").hidden = true;
    try {
      const question = this.practice ? await this.#loadDue() : await school.question(this.query, this.n + 1);
      if (!question) return this.#showDone();
      this.n = question.n;
      this.question.show(question);
      this.clock.start(this.pace);
    } catch (error) {
      this.question.showRetry(describeError(error), () => void this.next());
    }
    return undefined;
  }

  /** @returns {Promise<import("./school_api.js").Question | null>} */
  async #loadDue() {
    const { question, drill, level, seed, why } = await (this.visit ? school.practiceVisit(this.house, this.visit.slice(-MAX_VISIT_ANSWERS)) : school.practice(this.house));
    if (!question) return null;
    this.query = { ...this.house, drill, level, seed };
    byId("why").textContent = `${drill.charAt(0).toUpperCase()}${drill.slice(1)}, level ${level}: ${why === "due" ? "it is due again" : "new"}.`;
    return question;
  }

  /** Remember an answer of a visitor for the practice of this visit. @param {import("./school_api.js").Mark} marked @param {number | null} seconds */
  #keepVisit(marked, seconds) {
    if (marked.kept) return;
    const { drill, level, seed, rulebook = "" } = /** @type {any} */ (this.query);
    const visit = this.visit ?? JSON.parse(sessionStore.get("school-visit", "[]"));
    visit.push({ at: new Date().toISOString(), drill, right: marked.right, clauses: marked.cite, missed: marked.missed, seconds, level, seed, n: this.n, rulebook });
    sessionStore.put("school-visit", JSON.stringify(visit.slice(-MAX_VISIT_ANSWERS)));
  }

  /** Practice without a name, for this visit. */
  startVisit() {
    this.visit = JSON.parse(sessionStore.get("school-visit", "[]"));
    byId("visit").hidden = false;
    void this.next();
  }

  /** Show how the last ten questions went, and the next step. */
  #showGate() {
    const { of: answers, right } = this.gate;
    const passed = right >= GATE_RIGHT;
    const { next = "", nextWords = "" } = byId("drill").dataset;
    const on = makeElement("a", { class: passed ? "button" : "button quiet", href: next }, nextWords);
    const again = makeButton("Ten more", () => void this.next(), "Ten more", passed ? "quiet" : "");
    byId("gate").replaceChildren(
      makeElement("h2", { id: "gate-title" }, passed ? "Gate passed" : "Not passed yet"),
      makeElement("p", {}, `${right} of ${answers} right and at pace (${this.pace} seconds each). ${GATE_RIGHT} of ${GATE_ANSWERS} pass.`),
      makeElement("p", { class: "acts" }, ...(passed ? [on, again] : [again, on])),
    );
    if (passed) sessionStore.put("school-next", JSON.stringify([next, nextWords]));
    this.gate = { of: 0, right: 0 };
    byId("gate").classList.toggle("right", passed);
    byId("stage").hidden = true;
    byId("gate").hidden = false;
    byId("gate").focus();
  }

  #showDone() {
    byId("stage").hidden = true;
    byId("done").hidden = false;
    byId("done").querySelector("a")?.focus();
  }

  /** @param {import("./school_api.js").Answer | null} answer */
  async answer(answer) {
    if (this.busy) return;
    this.busy = true;
    this.question.showAlert("");
    try {
      const marked = await school.answer({ ...this.query, n: this.n, ...(answer ?? { answer: null }), seconds: this.clock.seconds, again: true });
      this.clock.stop();
      this.answered += 1;
      this.right += Number(marked.right);
      byId("tally").textContent = `${this.right} of ${this.answered} right`;
      const seconds = this.clock.seconds;
      this.#keepVisit(marked, seconds);
      const atPace = marked.right && seconds !== null && (!this.pace || seconds <= this.pace);
      this.gate = { of: this.gate.of + 1, right: this.gate.right + Number(atPace) };
      const gated = !this.practice && this.gate.of >= GATE_ANSWERS;
      showMark(marked, () => (gated ? this.#showGate() : void this.next()));
    } catch (error) {
      this.question.showAlert(describeError(error));
      this.question.focus();
    } finally {
      this.busy = false;
    }
  }
}

/** Return the learner's own answer, the right one, and the words of the clauses. @param {import("./school_api.js").Mark} marked */
function makeReview(marked) {
  /** @type {[string, string][]} */
  const answers = [["Your answer", marked.yours]];
  if (!marked.right) answers.push(["The right answer", marked.correct]);
  const rows = answers.filter(([, words]) => words).flatMap(([name, words]) => [makeElement("dt", {}, name), makeElement("dd", {}, words)]);
  const clauses = marked.clauses.slice(0, marked.right ? 1 : marked.clauses.length);
  const rules = clauses.map(([cite, words]) => makeElement("li", {}, citationLink(cite), `: ${words}`));
  /** @type {HTMLElement[]} */
  const shown = [makeElement("dl", { class: "review" }, ...rows)];
  if (rules.length) shown.push(makeElement("div", { class: "cites" }, makeElement("p", {}, "The rule:"), makeElement("ul", {}, ...rules)));
  return shown;
}

/** A drill's gate (its pass mark): 8 of 10 answers right and in time, as in `learning_path.py`. */
const GATE_RIGHT = 8;
const GATE_ANSWERS = 10;
/** @param {import("./school_api.js").Mark} marked @param {() => void} next */
export function showMark(marked, next) {
  const place = byId("mark");
  const title = makeElement("h3", { id: "mark-title" }, marked.right ? "Right" : "Not right");
  /** @type {HTMLElement[]} */
  const nodes = [title, makeElement("p", { class: "because" }, asSentence(marked.because))];
  if (!marked.right) {
    if (marked.stack) nodes.push(makeStack(marked.stack));
    const more = marked.explain.filter((words) => !marked.because.includes(words));
    if (more.length) nodes.push(makeElement("ul", { class: "explained" }, ...more.map((words) => makeElement("li", {}, asSentence(words)))));
  }
  nodes.push(...makeReview(marked));
  const on = makeButton("Next", next);
  on.id = "next";
  nodes.push(makeElement("p", { class: "acts" }, on));
  place.replaceChildren(...nodes);
  place.classList.toggle("right", marked.right);
  place.hidden = false;
  byId("answer").hidden = true;
  on.focus({ preventScroll: true });
  place.scrollIntoView({ block: "nearest" });
}

const page = new DrillPage();
if (page.practice) {
  const known = await identifyLearner(() => {
    byId("visit").hidden = true;
    page.visit = null;
    void page.next();
  });
  if (!known) page.startVisit();
}
else {
  localStore.put("school-last", location.pathname);
  await page.next();
}
