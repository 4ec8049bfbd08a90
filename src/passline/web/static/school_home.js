// @ts-check
/** The school's first page: the learner's name, the questions that are due, and the progress in each
 * lesson. */

import { byId } from "./dom.js";
import { school } from "./school_api.js";
import { identifyLearner } from "./school_page.js";

await identifyLearner(async () => {
  const { due, lessons, next } = await school.progress();
  byId("next-step").textContent = next.words;
  byId("next-step").setAttribute("href", next.path);
  byId("due").textContent = due ? `(${due} due)` : "";
  for (const lesson of lessons) {
    const data = document.querySelector(`[data-lesson="${CSS.escape(lesson.id)}"] .how-far`);
    if (!(data instanceof HTMLElement) || !lesson.seen) continue;
    data.hidden = false;
    const passed = lesson.gates.filter((/** @type {any} */ gate) => gate.passed).length;
    data.textContent = `${passed} of ${lesson.gates.length} gates passed, ${lesson.seen} of ${lesson.clauses} asked, ${lesson.known} known${lesson.due ? `, ${lesson.due} due` : ""}`;
  }
});
