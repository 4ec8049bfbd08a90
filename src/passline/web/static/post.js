// @ts-check
/** The way to a post's page: whoever holds a post gets it, and nobody else loads it. */

/** @type {import("./post_page.js").PostPage | null} */
let page = null;
/** @type {any} */
let latest = null;
let asked = false;

/** @param {HTMLElement} place @param {any} sight @param {(line: string) => Promise<boolean | void> | void} say */
export function showPost(place, sight, say) {
  latest = sight;
  place.hidden = sight.work === undefined;
  if (place.hidden) return;
  if (page) page.see(sight);
  else if (!asked) {
    asked = true;
    void load(place, say);
  }
}

/** @param {HTMLElement} place @param {(line: string) => Promise<boolean | void> | void} say */
async function load(place, say) {
  const style = document.createElement("link");
  style.rel = "stylesheet";
  style.href = new URL("./post.css", import.meta.url).href;
  document.head.append(style);
  try {
    const { PostPage } = await import("./post_page.js");
    page = new PostPage(place, say);
    page.see(latest);
  } catch {
    asked = false; // the connection is lost: the next sight tries again
  }
}
