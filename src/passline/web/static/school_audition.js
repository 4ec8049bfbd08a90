// @ts-check
/** The audition: the same questions for everybody, one after another, and a report at the end. */

import { inputById, buttonById, localStore, byId } from "./dom.js";
import { houseQuery, school } from "./school_api.js";
import { Clock } from "./school_clock.js";
import { bindSwitches, describeError } from "./school_dom.js";
import { QuestionView } from "./school_stage.js";

class AuditionPage {
  constructor() {
    bindSwitches();
    this.clock = new Clock(() => void this.end("time"));
    this.question = new QuestionView();
    this.question.onAnswer = (answer) => void this.answer(answer);
    /** @type {({answer?: any, said?: string, seconds: number | null} | null)[]} */
    this.answers = [];
    this.of = 0;
    this.ended = false;
    this.busy = false;
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
      this.of = questionCount;
      byId("where").textContent = `Question ${n} of ${questionCount}`;
      await this.question.show(question);
      this.clock.start(0);
    } catch (error) {
      this.question.showRetry(describeError(error), () => void this.next());
    }
  }

  /** @param {import("./school_api.js").Answer | null} answer */
  async answer(answer) {
    if (this.busy || this.ended) return;
    this.busy = true;
    const seconds = this.minutes ? (performance.now() - this.clock.startedAt) / 1000 : null;
    this.answers.push(answer ? { ...answer, seconds } : { answer: null, seconds });
    this.busy = false;
    if (this.answers.length >= this.of) await this.end("finished");
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
      const { showReport } = await import("./school_report.js");
      byId("during").hidden = true;
      showReport(report);
    } catch (error) {
      this.ended = false;
      this.question.showRetry(describeError(error), () => void this.end(how));
    }
  }
}

const page = new AuditionPage();
inputById("learner-name").value = localStore.get("name");
void school.me().then((me) => {
  if (me) inputById("learner-name").value = me.name;
});
byId("start").addEventListener("submit", (event) => {
  event.preventDefault();
  void page.start();
});
buttonById("break-off").addEventListener("click", () => void page.end("broken off"));
