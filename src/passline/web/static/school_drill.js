// @ts-check
/** The page of a drill and of the daily practice: one question after another, each marked by the server. */

import { describeError } from "./api.js";
import { asSentence, byId, citationLink, localStore, makeButton, makeElement } from "./dom.js";
import { houseQuery, school } from "./school_api.js";
import { bindSwitches, Clock, identifyLearner, makeStack } from "./school_page.js";
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
    bindSwitches();
    this.clock = new Clock();
    this.question = new QuestionView();
    this.question.onAnswer = (answer) => void this.answer(answer);
  }

  async next() {
    byId("mark").hidden = true;
    this.clock.stop();
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
    const { question, drill, level, seed, why } = await school.practice(this.house);
    if (!question) return null;
    this.query = { ...this.house, drill, level, seed };
    byId("why").textContent = `${drill.charAt(0).toUpperCase()}${drill.slice(1)}, level ${level}: ${why === "due" ? "it is due again" : "new"}.`;
    return question;
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
      showMark(marked, () => void this.next());
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
  const shown = [makeElement("dl", { class: "review" }, ...rows)];
  if (rules.length) shown.push(makeElement("div", { class: "cites" }, makeElement("p", {}, "The rule:"), makeElement("ul", {}, ...rules)));
  return shown;
}

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
if (page.practice) await identifyLearner(() => void page.next());
else {
  localStore.put("school-last", location.pathname);
  await page.next();
}
