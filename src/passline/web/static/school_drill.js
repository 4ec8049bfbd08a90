// @ts-check
/** A drill, or a day's practice: one question after another, each marked by the server. */

import { kept, part } from "./dom.js";
import { houseOf, school } from "./school_api.js";
import { Clock } from "./school_clock.js";
import { switches, wrongWords } from "./school_dom.js";
import { showMark } from "./school_mark.js";
import { Stage } from "./school_stage.js";
import { who } from "./school_who.js";

class DrillPage {
  constructor() {
    const { drill = "", rulebook = "", house = "", level = "1", seed = "", pace = "0", practice } = part("drill").dataset;
    this.of = houseOf(rulebook, house);
    this.asking = { ...this.of, drill, level: Number(level), seed };
    this.pace = Number(pace);
    this.practice = practice !== undefined;
    this.n = 0;
    this.right = 0;
    this.asked = 0;
    this.waits = false;
    switches();
    this.clock = new Clock();
    this.stage = new Stage();
    this.stage.answered = (answer) => void this.answer(answer);
  }

  async next() {
    part("mark").hidden = true;
    this.clock.stop();
    try {
      const sheet = this.practice ? await this.#due() : await school.question(this.asking, this.n + 1);
      if (!sheet) return this.#done();
      this.n = sheet.n;
      await this.stage.show(sheet);
      this.clock.start(this.pace);
    } catch (wrong) {
      this.stage.retry(wrongWords(wrong), () => void this.next());
    }
    return undefined;
  }

  /** @returns {Promise<import("./school_api.js").Sheet | null>} */
  async #due() {
    const { question, drill, level, seed, why } = await school.practice(this.of);
    if (!question) return null;
    this.asking = { ...this.of, drill, level, seed };
    part("why").textContent = `${drill.charAt(0).toUpperCase()}${drill.slice(1)}, level ${level}: ${why === "due" ? "it is due again" : "new"}.`;
    return question;
  }

  #done() {
    part("stage").hidden = true;
    part("done").hidden = false;
    part("done").querySelector("a")?.focus();
  }

  /** @param {import("./school_api.js").Answer | null} answer */
  async answer(answer) {
    if (this.waits) return;
    this.waits = true;
    this.stage.alert("");
    try {
      const marked = await school.answer({ ...this.asking, n: this.n, ...(answer ?? { answer: null }), seconds: this.clock.seconds, again: true });
      this.clock.stop();
      this.asked += 1;
      this.right += Number(marked.right);
      part("tally").textContent = `${this.right} of ${this.asked} right`;
      showMark(marked, () => void this.next());
    } catch (wrong) {
      this.stage.alert(wrongWords(wrong));
      this.stage.focus();
    } finally {
      this.waits = false;
    }
  }
}

const page = new DrillPage();
if (page.practice) await who(() => void page.next());
else {
  kept.put("school-last", location.pathname);
  await page.next();
}
