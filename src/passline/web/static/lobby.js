// @ts-check
// The lobby stays as it is while one looks at it: every few seconds its tables are asked for again.

const SECONDS = 10;

/**
 * Put the tables of a fresh lobby in the place of those on the page.
 * @param {string} page
 */
function replaceTables(page) {
  const fresh = new DOMParser().parseFromString(page, "text/html").getElementById("tables");
  const here = document.getElementById("tables");
  if (!fresh || !here || fresh.outerHTML === here.outerHTML) return;
  if (here.contains(document.activeElement)) return; // nobody loses the place that he is at
  here.replaceWith(document.adoptNode(fresh));
}

async function refresh() {
  if (document.hidden) return;
  try {
    const answer = await fetch("/", { headers: { Accept: "text/html" } });
    if (answer.ok) replaceTables(await answer.text());
  } catch {
    // The server is away: what was last heard of it stands.
  }
}

setInterval(refresh, SECONDS * 1000);
document.addEventListener("visibilitychange", refresh);
