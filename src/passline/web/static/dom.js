// @ts-check
/** Parts of the page, made and found; what this browser remembers; links to the law. */

/** @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found;
}

/** @param {string} id */
export const buttonById = (id) => /** @type {HTMLButtonElement} */ (byId(id));
/** @param {string} id */
export const inputById = (id) => /** @type {HTMLInputElement} */ (byId(id));

/** @param {string} name @param {Record<string, string>} [attributes] @param {...(Node | string)} children */
export function makeElement(name, attributes = {}, ...children) {
  const found = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) found.setAttribute(key, value);
  found.append(...children);
  return found;
}

/** A button that does something. @param {string} words @param {() => void} action @param {string} [label] */
export function makeButton(words, action, label) {
  const found = makeElement("button", { type: "button" }, words);
  if (label && label !== words) found.setAttribute("aria-label", label);
  found.addEventListener("click", action);
  return found;
}

/** The value chosen in a group of radio buttons. @param {string} name @param {string} fallback */
export function checkedValue(name, fallback) {
  const found = /** @type {HTMLInputElement | null} */ (document.querySelector(`input[name=${name}]:checked`));
  return found?.value ?? fallback;
}

/** @param {() => Storage} storage one that keeps nothing is as good */
const makeStore = (storage) => ({
  /** @param {string} name @param {string} [fallback] */
  get(name, fallback = "") {
    try {
      return storage().getItem(`passline-${name}`) ?? fallback;
    } catch {
      return fallback;
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
export const localStore = makeStore(() => localStorage);
export const sessionStore = makeStore(() => sessionStorage);

/** A clause as a link to where it is shown; a custom has none. @param {string} book @param {string} cite */
export function clauseLink(book, cite) {
  if (!cite || cite.startsWith("custom")) return makeElement("span", { class: "cite" }, cite);
  return makeElement("a", { class: "cite", href: `/law/${book}/${encodeURIComponent(cite)}` }, cite);
}

/** Whether motion is welcome. */
export const motionAllowed = () => !window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Draw a part anew; who was on a button of it (`data-act`) stays on that button, or on the part.
 * @param {HTMLElement} place @param {() => void} draw */
export function redraw(place, draw) {
  const at = place.contains(document.activeElement) ? document.activeElement : null;
  const act = at?.getAttribute("data-act");
  draw();
  if (!at || place.contains(document.activeElement)) return;
  const again = act ? place.querySelector(`[data-act="${CSS.escape(act)}"]`) : null;
  place.tabIndex = -1;
  /** @type {HTMLElement} */ (again ?? place).focus({ preventScroll: true });
}
