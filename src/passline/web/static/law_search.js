// @ts-check
/** Filters the clauses of a rulebook while the reader types. Without this script the same form
 * searches on the server. */

import { onSubmit } from "./dom.js";

const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form.search"));
const entries = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".clauses > li")]);
const texts = entries.map((entry) => (entry.textContent ?? "").toLowerCase());
const count = document.getElementById("count");

/** Return the value of a field of the form. @param {string} name */
const fieldValue = (name) => String(new FormData(form ?? undefined).get(name) ?? "");

function filter() {
  const words = fieldValue("q").toLowerCase().split(/\s+/).filter(Boolean);
  const kind = fieldValue("kind");
  const status = fieldValue("status");
  entries.forEach((entry, n) => {
    const text = texts[n] ?? "";
    const matches =
      (!kind || entry.dataset.kind === kind) &&
      (!status || entry.dataset.status === status) &&
      words.every((word) => text.includes(word));
    entry.hidden = !matches;
  });
  const shown = entries.filter((entry) => !entry.hidden).length;
  if (count) count.textContent = `${shown} of ${entries.length} clauses.`;
}

// A page of search results holds only those clauses, so there the form goes to the server.
if (form && !location.search) {
  form.addEventListener("input", filter);
  onSubmit(form, filter);
}
