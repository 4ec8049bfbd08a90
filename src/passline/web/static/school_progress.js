// @ts-check
/** The learner's progress by lesson and by clause, and the button that deletes the learner's data. */

import { describeError } from "./api.js";
import { byId, citationLink, makeElement, makeTable } from "./dom.js";
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
  byId("facts").replaceChildren(...facts.flatMap(([name = "", value = ""]) => [makeElement("dt", {}, name), makeElement("dd", {}, value)]));
  const lessons = data.lessons.map((/** @type {any} */ item) => [
    item.title,
    makeMeter(item.seen, item.known, item.clauses),
    `${item.known} of ${item.clauses}`,
    String(item.due),
    formatShare(item.right, item.of),
  ]);
  byId("lessons").replaceChildren(makeTable("By lesson", ["Lesson", "How far", "Known", "Due", "Right"], lessons));
  const clauses = data.clauses.map((/** @type {any} */ item) => [citationLink(item.clause), item.drill, formatShare(item.right, item.of), item.known ? "known" : `${item.days} days`, item.due.slice(0, 10)]);
  const empty = makeElement("p", {}, "You have not answered a question yet.");
  byId("clauses").replaceChildren(clauses.length ? makeTable("By clause", ["Clause", "Drill", "Right", "Holds", "Due"], clauses) : empty);
  byId("progress").hidden = false;
}

/** @param {number} seen @param {number} known @param {number} of */
function makeMeter(seen, known, of) {
  return makeElement("meter", { min: "0", max: String(of || 1), value: String(known), "aria-label": `${known} of ${of} known, ${seen} asked` });
}

await identifyLearner(async () => {
  try {
    showProgress(await school.progress());
  } catch (error) {
    byId("who-alert").textContent = describeError(error);
  }
});

const sure = /** @type {HTMLDialogElement} */ (byId("sure"));
byId("delete").addEventListener("click", () => sure.showModal());
byId("not").addEventListener("click", () => sure.close());
byId("really").addEventListener("click", async () => {
  sure.close();
  try {
    await school.forget();
    location.assign("/school");
  } catch (error) {
    byId("who-alert").textContent = describeError(error);
  }
});
