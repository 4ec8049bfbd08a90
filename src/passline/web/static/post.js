// @ts-check
/** The way to a post's page: whoever holds a post gets it, and nobody else loads it. */

/** @type {import("./post_page.js").CrewPage | null} */
let page = null;
/** @type {any} */
let latest = null;
let asked = false;

/** @param {HTMLElement} place @param {any} state @param {(line: string) => Promise<boolean | void> | void} say */
export function showCrewPage(place, state, say) {
  latest = state;
  place.hidden = state.work === undefined;
  if (place.hidden) return;
  if (page) page.update(state);
  else if (!asked) {
    asked = true;
    void loadCrewPage(place, say);
  }
}

/** @param {HTMLElement} place @param {(line: string) => Promise<boolean | void> | void} say */
async function loadCrewPage(place, say) {
  const style = document.createElement("link");
  style.rel = "stylesheet";
  style.href = new URL("./post.css", import.meta.url).href;
  document.head.append(style);
  try {
    const { CrewPage } = await import("./post_page.js");
    page = new CrewPage(place, say);
    page.update(latest);
  } catch {
    asked = false; // the connection is lost: the next sight tries again
  }
}
