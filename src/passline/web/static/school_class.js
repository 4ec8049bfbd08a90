// @ts-check
/** A class, for its instructor. The key goes into the request's header and is kept nowhere. */

import { box, made, part } from "./dom.js";
import { school } from "./school_api.js";
import { lawLink, rows, wrongWords } from "./school_dom.js";

/** @param {any} told */
function show(told) {
  const learners = told.learners.map((/** @type {any} */ one) => [one.name, String(one.answers), one.answers ? `${Math.round((100 * one.right) / one.answers)}%` : "–", one.misses || "–", one.last || "–"]);
  const missed = told.missed.map((/** @type {any} */ one) => [lawLink(one.clause), one.clause.split(":")[0], `${one.missed} of ${one.of}`, String(one.learners)]);
  const nobody = made("p", {}, "Nobody has answered anything yet.");
  part("learners").replaceChildren(learners.length ? rows("Learners", ["Name", "Answers", "Right", "Misses most", "Last"], learners) : nobody);
  part("missed").replaceChildren(missed.length ? rows("Missed most", ["Clause", "Book", "Missed", "Learners"], missed) : made("p", {}, "Nothing."));
  part("class").hidden = false;
  part("class-title").focus();
}

part("open-class").addEventListener("submit", async (event) => {
  event.preventDefault();
  part("alert").textContent = "";
  try {
    show(await school.class(box("key").value.trim()));
    box("key").value = "";
  } catch (wrong) {
    part("alert").textContent = wrongWords(wrong);
  }
});
