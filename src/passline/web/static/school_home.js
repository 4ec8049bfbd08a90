// @ts-check
/** The school's first page: the learner's name, what to do next, the questions that are due, and the
 * progress in each lesson. */

import { byId, sessionStore } from "./dom.js";
import { school } from "./school_api.js";
import { identifyLearner } from "./school_page.js";

/** Say what to do next. @param {string} path @param {string} words */
function showNext(path, words) {
  byId("next-step").textContent = words;
  byId("next-step").setAttribute("href", path);
}

const known = await identifyLearner(async () => {
  const { due, lessons, next } = await school.progress();
  showNext(next.path, next.words);
  byId("due").textContent = due ? `(${due} due)` : "";
  for (const lesson of lessons) {
    const data = document.querySelector(`[data-lesson="${CSS.escape(lesson.id)}"] .how-far`);
    if (!(data instanceof HTMLElement) || !lesson.seen) continue;
    data.hidden = false;
    const passed = lesson.gates.filter((/** @type {any} */ gate) => gate.passed).length;
    data.textContent = `${passed} of ${lesson.gates.length} gates passed, ${lesson.seen} of ${lesson.clauses} asked, ${lesson.known} known${lesson.due ? `, ${lesson.due} due` : ""}`;
  }
});
const [path, words] = JSON.parse(sessionStore.get("school-next", "[]"));
if (!known && path) showNext(path, words); // What the last gate of this visit led to.
