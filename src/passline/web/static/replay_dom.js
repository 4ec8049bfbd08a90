// @ts-check
/** Small parts of a page: elements, tables that scroll within themselves, clauses as links. */

/** @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found;
}

/** @typedef {Node | string | null | undefined | false} Child */

/** An element; what is a class stands after a dot: `td.n`.
 * @param {string} kind @param {...Child} inside @returns {HTMLElement} */
export function makeReplay(kind, ...inside) {
  const [tag, ...classes] = kind.split(".");
  const made = document.createElement(tag);
  made.classList.add(...classes);
  for (const child of inside) if (child) made.append(child);
  return made;
}

/** A clause as a link to its page; a custom of the house is no clause.
 * @param {string} book @param {string | null} cite @returns {Child} */
export function clauseLink(book, cite) {
  if (!cite || /^custom\b/.test(cite)) return cite;
  const link = document.createElement("a");
  link.href = `/law/${encodeURIComponent(book)}/${encodeURIComponent(cite)}`;
  link.textContent = cite;
  return link;
}

/** A table; the first cell of a row heads it, columns whose head begins with # are figures.
 * @param {string} caption @param {string[]} heads @param {Child[][]} rows
 * @param {Child[]} [foot] */
export function makeTable(caption, heads, rows, foot) {
  const figures = heads.map((head) => head.startsWith("#"));
  /** @param {Child[]} cells */
  const line = (cells) =>
    makeReplay(
      "tr",
      ...cells.map((cell, place) => {
        const made = makeReplay(`${place ? "td" : "th"}${figures[place] ? ".n" : ""}`, cell);
        if (!place) made.setAttribute("scope", "row");
        return made;
      }),
    );
  const top = makeReplay(
    "tr",
    ...heads.map((head, place) => {
      const made = makeReplay(figures[place] ? "th.n" : "th", head.replace("#", ""));
      made.setAttribute("scope", "col");
      return made;
    }),
  );
  const whole = makeReplay("table", makeReplay("caption.unseen", caption), makeReplay("thead", top));
  whole.append(makeReplay("tbody", ...rows.map(line)));
  if (foot) whole.append(makeReplay("tfoot", line(foot)));
  const box = makeReplay("div.scroll", whole);
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", caption);
  box.tabIndex = 0;
  return box;
}

/** Dollars as people read them: no cents where there are none.
 * @param {string} amount @param {boolean} [signed] */
export function formatDollars(amount, signed = false) {
  const less = amount.startsWith("-");
  const [whole, part = "00"] = amount.replace("-", "").split(".");
  const words = `$${Number(whole).toLocaleString("en-US")}${part === "00" ? "" : `.${part}`}`;
  return `${less ? "−" : signed && words !== "$0" ? "+" : ""}${words}`;
}
