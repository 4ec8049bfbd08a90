// @ts-check
/** Keeps the lobby up to date: requests the page every few seconds and replaces its tables. */

const REFRESH_SECONDS = 10;

/** Replace the tables on the page by those of a newer lobby page. @param {string} html */
function replaceTables(html) {
  const newer = new DOMParser().parseFromString(html, "text/html").getElementById("tables");
  const current = document.getElementById("tables");
  if (!newer || !current || newer.outerHTML === current.outerHTML) return;
  if (current.contains(document.activeElement)) return; // The focus would be lost.
  current.replaceWith(document.adoptNode(newer));
}

async function refresh() {
  if (document.hidden) return;
  try {
    const response = await fetch("/", { headers: { Accept: "text/html" } });
    if (response.ok) replaceTables(await response.text());
  } catch {
    // The server does not answer. The page stays as it is.
  }
}

setInterval(refresh, REFRESH_SECONDS * 1000);
document.addEventListener("visibilitychange", refresh);
