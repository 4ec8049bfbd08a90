// @ts-check
/** The learner's progress by lesson and by clause, and the button that deletes the learner's data. */

import { attempt } from "./api.js";
import { byId, citationLink, makeElement, makeFacts, makeTable } from "./dom.js";
import { school } from "./school_api.js";
import { identifyLearner } from "./school_page.js";

/** @param {number} right @param {number} of */
const formatShare = (right, of) => (of ? `${right} of ${of}` : "–");

/** @param {any} data */
function showProgress(data) {
  const facts = [
    ["Answers", String(data.answers)],
    ["Right", formatShare(data.right, data.answers)],
    ["Due now", String(data.due)],
    ["Next", data.waiting.next ? new Date(data.waiting.next).toLocaleString() : "–"],
  ];
  byId("facts").replaceChildren(...makeFacts(facts).children);
  const lessons = data.lessons.map((/** @type {any} */ item) => [
    item.title,
    makeMeter(item.seen, item.known, item.clauses),
    `${item.known} of ${item.clauses}`,
    String(item.due),
    formatShare(item.right, item.of),
  ]);
  byId("lessons").replaceChildren(makeTable("By lesson", ["Lesson", "How far", "Known", "Due", "Right"], lessons));
  const clauses = data.clauses.map((/** @type {any} */ item) => [citationLink(item.clause), item.drill, formatShare(item.right, item.of), item.known ? "known" : `${item.days} days`, new Date(item.due).toLocaleDateString()]);
  const empty = makeElement("p", {}, "You have not answered a question yet.");
  byId("clauses").replaceChildren(clauses.length ? makeTable("By clause", ["Clause", "Drill", "Right", "Holds", "Due"], clauses) : empty);
  byId("progress").hidden = false;
}

/** @param {number} seen @param {number} known @param {number} of */
function makeMeter(seen, known, of) {
  return makeElement("meter", { min: "0", max: String(of || 1), value: String(known), "aria-label": `${known} of ${of} known, ${seen} asked` });
}

await identifyLearner(() => void attempt(async () => showProgress(await school.progress()), byId("who-alert")));

const sure = /** @type {HTMLDialogElement} */ (byId("sure"));
byId("delete").addEventListener("click", () => sure.showModal());
byId("not").addEventListener("click", () => sure.close());
byId("really").addEventListener("click", async () => {
  sure.close();
  if (await attempt(school.forget, byId("who-alert"))) location.assign("/school");
});
