// @ts-check
/** How far one is, by lesson and clause; one's data exported and deleted. */

import { made, part } from "./dom.js";
import { school } from "./school_api.js";
import { lawLink, rows, wrongWords } from "./school_dom.js";
import { who } from "./school_who.js";

/** @param {number} right @param {number} of */
const share = (right, of) => (of ? `${right} of ${of}` : "–");

/** @param {any} told */
function show(told) {
  const facts = [
    ["Answers", String(told.answers)],
    ["Right", share(told.right, told.answers)],
    ["Due now", String(told.due)],
    ["Next", told.waiting.next ? new Date(told.waiting.next).toLocaleString() : "–"],
  ];
  part("facts").replaceChildren(...facts.flatMap(([name = "", value = ""]) => [made("dt", {}, name), made("dd", {}, value)]));
  const lessons = told.lessons.map((/** @type {any} */ one) => [
    one.title,
    bar(one.seen, one.known, one.clauses),
    `${one.known} of ${one.clauses}`,
    String(one.due),
    share(one.right, one.of),
  ]);
  part("lessons").replaceChildren(rows("By lesson", ["Lesson", "How far", "Known", "Due", "Right"], lessons));
  const clauses = told.clauses.map((/** @type {any} */ one) => [lawLink(one.clause), one.drill, share(one.right, one.of), one.known ? "known" : `${one.days} days`, one.due.slice(0, 10)]);
  const empty = made("p", {}, "Nothing was asked yet.");
  part("clauses").replaceChildren(clauses.length ? rows("By clause", ["Clause", "Drill", "Right", "Holds", "Due"], clauses) : empty);
  part("progress").hidden = false;
}

/** @param {number} seen @param {number} known @param {number} of */
function bar(seen, known, of) {
  return made("meter", { min: "0", max: String(of || 1), value: String(known), "aria-label": `${known} of ${of} known, ${seen} asked` });
}

await who(async () => {
  try {
    show(await school.progress());
  } catch (wrong) {
    part("who-alert").textContent = wrongWords(wrong);
  }
});

const sure = /** @type {HTMLDialogElement} */ (part("sure"));
part("delete").addEventListener("click", () => sure.showModal());
part("not").addEventListener("click", () => sure.close());
part("really").addEventListener("click", async () => {
  sure.close();
  try {
    await school.forget();
    location.assign("/school");
  } catch (wrong) {
    part("who-alert").textContent = wrongWords(wrong);
  }
});
