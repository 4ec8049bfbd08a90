// @ts-check
/** Parts of the page, made and found; what this browser remembers; links to the law. */

/** @param {string} id @returns {HTMLElement} */
export function part(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found;
}

/** @param {string} id */
export const button = (id) => /** @type {HTMLButtonElement} */ (part(id));
/** @param {string} id */
export const box = (id) => /** @type {HTMLInputElement} */ (part(id));

/** @param {string} name @param {Record<string, string>} [with_] @param {...(Node | string)} inner */
export function made(name, with_ = {}, ...inner) {
  const found = document.createElement(name);
  for (const [key, value] of Object.entries(with_)) found.setAttribute(key, value);
  found.append(...inner);
  return found;
}

/** A button that does something. @param {string} words @param {() => void} does @param {string} [label] */
export function press(words, does, label) {
  const found = made("button", { type: "button" }, words);
  if (label && label !== words) found.setAttribute("aria-label", label);
  found.addEventListener("click", does);
  return found;
}

/** The value chosen in a group of radio buttons. @param {string} name @param {string} otherwise */
export function chosen(name, otherwise) {
  const found = /** @type {HTMLInputElement | null} */ (document.querySelector(`input[name=${name}]:checked`));
  return found?.value ?? otherwise;
}

/** @param {() => Storage} storage one that keeps nothing is as good */
const keeping = (storage) => ({
  /** @param {string} name @param {string} [otherwise] */
  get(name, otherwise = "") {
    try {
      return storage().getItem(`passline-${name}`) ?? otherwise;
    } catch {
      return otherwise;
    }
  },
  /** @param {string} name @param {string} value */
  put(name, value) {
    try {
      storage().setItem(`passline-${name}`, value);
    } catch {
      // It is asked for again next time.
    }
  },
});

/** What this browser remembers, and what it does until its tab is closed. */
export const kept = keeping(() => localStorage);
export const session = keeping(() => sessionStorage);

/** A clause as a link to where it is shown; a custom has none. @param {string} book @param {string} cite */
export function clause(book, cite) {
  if (!cite || cite.startsWith("custom")) return made("span", { class: "cite" }, cite);
  return made("a", { class: "cite", href: `/law/${book}/${encodeURIComponent(cite)}` }, cite);
}

/** Whether motion is welcome. */
export const moving = () => !window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Draw a part anew; who was on a button of it (`data-act`) stays on that button, or on the part.
 * @param {HTMLElement} place @param {() => void} draw */
export function redrawn(place, draw) {
  const at = place.contains(document.activeElement) ? document.activeElement : null;
  const act = at?.getAttribute("data-act");
  draw();
  if (!at || place.contains(document.activeElement)) return;
  const again = act ? place.querySelector(`[data-act="${CSS.escape(act)}"]`) : null;
  place.tabIndex = -1;
  /** @type {HTMLElement} */ (again ?? place).focus({ preventScroll: true });
}
