// @ts-check
// Searching a rulebook as one types, among the clauses that the page holds. Without this script the
// same form asks the server.

const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form.search"));
const entries = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".clauses > li")]);
const texts = entries.map((entry) => (entry.textContent ?? "").toLowerCase());
const count = document.getElementById("count");

/**
 * What a field of the form says.
 * @param {string} name
 */
function fieldValue(name) {
  return String(new FormData(form ?? undefined).get(name) ?? "");
}

function filter() {
  const words = fieldValue("q").toLowerCase().split(/\s+/).filter(Boolean);
  const kind = fieldValue("kind");
  const status = fieldValue("status");
  let shown = 0;
  entries.forEach((entry, place) => {
    const { kind: own, status: became } = entry.dataset;
    const text = texts[place] ?? "";
    const fits =
      (!kind || own === kind) &&
      (!status || became === status) &&
      words.every((word) => text.includes(word));
    entry.hidden = !fits;
    if (fits) shown += 1;
  });
  if (count) count.textContent = `${shown} of ${entries.length} clauses.`;
}

// A page that came searched already holds only what was found: there the form asks the server.
if (form && !location.search) {
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    filter();
  });
}
