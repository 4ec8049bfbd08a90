// @ts-check
/** A class, for its instructor. The key goes into the request's header and is kept nowhere. */

import { inputById, makeElement, byId } from "./dom.js";
import { school } from "./school_api.js";
import { citationLink, makeTable, describeError } from "./school_dom.js";

/** @param {any} data */
function showClass(data) {
  const learners = data.learners.map((/** @type {any} */ one) => [one.name, String(one.answers), one.answers ? `${Math.round((100 * one.right) / one.answers)}%` : "–", one.misses || "–", one.last || "–"]);
  const missed = data.missed.map((/** @type {any} */ one) => [citationLink(one.clause), one.clause.split(":")[0], `${one.missed} of ${one.of}`, String(one.learners)]);
  const nobody = makeElement("p", {}, "Nobody has answered anything yet.");
  byId("learners").replaceChildren(learners.length ? makeTable("Learners", ["Name", "Answers", "Right", "Misses most", "Last"], learners) : nobody);
  byId("missed").replaceChildren(missed.length ? makeTable("Missed most", ["Clause", "Book", "Missed", "Learners"], missed) : makeElement("p", {}, "Nothing."));
  byId("class").hidden = false;
  byId("class-title").focus();
}

byId("open-class").addEventListener("submit", async (event) => {
  event.preventDefault();
  byId("alert").textContent = "";
  try {
    showClass(await school.class(inputById("key").value.trim()));
    inputById("key").value = "";
  } catch (error) {
    byId("alert").textContent = describeError(error);
  }
});
