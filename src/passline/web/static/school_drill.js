// @ts-check
/** A drill, or a day's practice: one question after another, each marked by the server. */

import { localStore, byId } from "./dom.js";
import { houseQuery, school } from "./school_api.js";
import { Clock } from "./school_clock.js";
import { bindSwitches, describeError } from "./school_dom.js";
import { showMark } from "./school_mark.js";
import { QuestionView } from "./school_stage.js";
import { identifyLearner } from "./school_who.js";

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
      const sheet = this.practice ? await this.#loadDue() : await school.question(this.query, this.n + 1);
      if (!sheet) return this.#showDone();
      this.n = sheet.n;
      await this.question.show(sheet);
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

const page = new DrillPage();
if (page.practice) await identifyLearner(() => void page.next());
else {
  localStore.put("school-last", location.pathname);
  await page.next();
}
