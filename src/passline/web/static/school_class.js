// @ts-check
/** The instructor's page: the learners of a class and the clauses that they miss. The key goes into the
 * request header and is stored nowhere. */

import { attempt } from "./api.js";
import { byId, citationLink, inputById, makeElement, makeTable, onSubmit } from "./dom.js";
import { school } from "./school_api.js";

/** @param {any} data */
function showClass(data) {
  const learners = data.learners.map((/** @type {any} */ item) => [item.name, String(item.answers), item.answers ? `${Math.round((100 * item.right) / item.answers)}%` : "–", item.misses || "–", item.last || "–"]);
  const missed = data.missed.map((/** @type {any} */ item) => [citationLink(item.clause), item.clause.split(":")[0], `${item.missed} of ${item.of}`, String(item.learners)]);
  const nobody = makeElement("p", {}, "Nobody has answered anything yet.");
  byId("learners").replaceChildren(learners.length ? makeTable("Learners", ["Name", "Answers", "Right", "Misses most", "Last"], learners) : nobody);
  byId("missed").replaceChildren(missed.length ? makeTable("Missed most", ["Clause", "Book", "Missed", "Learners"], missed) : makeElement("p", {}, "Nothing."));
  byId("class").hidden = false;
  byId("class-title").focus();
}

onSubmit(byId("open-class"), () =>
  void attempt(async () => {
    showClass(await school.class(inputById("key").value.trim()));
    inputById("key").value = "";
  }),
);
