// @ts-check
/** The school's first page: who one is, what is due, how far one is in each lesson. */

import { part } from "./dom.js";
import { school } from "./school_api.js";
import { who } from "./school_who.js";

await who(async () => {
  const { due, lessons } = await school.progress();
  part("due").textContent = due ? `(${due} due)` : "";
  for (const lesson of lessons) {
    const told = document.querySelector(`[data-lesson="${CSS.escape(lesson.id)}"] .how-far`);
    if (!(told instanceof HTMLElement) || !lesson.seen) continue;
    told.hidden = false;
    told.textContent = `${lesson.seen} of ${lesson.clauses} asked, ${lesson.known} known${lesson.due ? `, ${lesson.due} due` : ""}`;
  }
});
