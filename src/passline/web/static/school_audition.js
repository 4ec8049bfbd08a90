// @ts-check
/** The audition: the same questions for everybody, one after another, and a report at the end. */

import { box, button, kept, part } from "./dom.js";
import { houseOf, school } from "./school_api.js";
import { Clock } from "./school_clock.js";
import { switches, wrongWords } from "./school_dom.js";
import { Stage } from "./school_stage.js";

class AuditionPage {
  constructor() {
    switches();
    this.clock = new Clock(() => void this.end("time"));
    this.stage = new Stage();
    this.stage.answered = (answer) => void this.answer(answer);
    /** @type {({answer?: any, said?: string, seconds: number | null} | null)[]} */
    this.given = [];
    this.of = 0;
    this.ended = false;
    this.waits = false;
    /** @type {Record<string, string>} */
    this.asking = {};
    this.minutes = 15;
  }

  async begin() {
    this.asking = { seed: box("seed").value.trim(), ...houseOf(part("drill").dataset.rulebook ?? "", part("drill").dataset.house ?? "") };
    this.minutes = Number(box("minutes").value) || 0;
    this.name = box("learner-name").value.trim();
    part("start").hidden = part("about").hidden = true;
    part("during").hidden = false;
    if (this.minutes) this.clock.until = performance.now() + this.minutes * 60_000;
    box("clock-on").closest("label")?.setAttribute("hidden", "");
    await this.next();
  }

  async next() {
    const n = this.given.length + 1;
    try {
      const { question, of } = await school.audition({ ...this.asking, n });
      this.of = of;
      part("where").textContent = `Question ${n} of ${of}`;
      await this.stage.show(question);
      this.clock.start(0);
    } catch (wrong) {
      this.stage.retry(wrongWords(wrong), () => void this.next());
    }
  }

  /** @param {import("./school_api.js").Answer | null} answer */
  async answer(answer) {
    if (this.waits || this.ended) return;
    this.waits = true;
    const seconds = this.minutes ? (performance.now() - this.clock.began) / 1000 : null;
    this.given.push(answer ? { ...answer, seconds } : { answer: null, seconds });
    this.waits = false;
    if (this.given.length >= this.of) await this.end("finished");
    else await this.next();
  }

  /** @param {"finished" | "time" | "broken off"} how */
  async end(how) {
    if (this.ended) return;
    this.ended = true;
    this.clock.stop();
    this.clock.until = null;
    try {
      const report = await school.report({ ...this.asking, name: this.name, minutes: this.minutes, ended: how, answers: this.given });
      const { showReport } = await import("./school_report.js");
      part("during").hidden = true;
      showReport(report);
    } catch (wrong) {
      this.ended = false;
      this.stage.retry(wrongWords(wrong), () => void this.end(how));
    }
  }
}

const page = new AuditionPage();
box("learner-name").value = kept.get("name");
void school.me().then((me) => {
  if (me) box("learner-name").value = me.name;
});
part("start").addEventListener("submit", (event) => {
  event.preventDefault();
  void page.begin();
});
button("break-off").addEventListener("click", () => void page.end("broken off"));
