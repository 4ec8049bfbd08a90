// @ts-check
/** The result of a Daily: net, rank, luck and decisions, and a line to share that tells no throw. */

import { request } from "./api.js";
import { summaryFacts } from "./players_panel.js";
import { localStore, makeButton, makeElement, makeFacts } from "./dom.js";
import { formatDollars } from "./money.js";

/** Return a rank in words: "1st". @param {number} rank */
function ordinal(rank) {
  const ending = rank % 100 > 10 && rank % 100 < 14 ? "th" : (["th", "st", "nd", "rd"][rank % 10] ?? "th");
  return `${rank}${ending}`;
}

/** Return a button that copies a text, or shares it where the device can. @param {string} text */
function makeShareButton(text) {
  const canShare = "share" in navigator;
  const button = makeButton(canShare ? "Share" : "Copy", async () => {
    if (canShare) return void navigator.share({ text }).catch(() => undefined);
    await navigator.clipboard?.writeText(text).catch(() => undefined);
    button.textContent = "Copied";
  });
  return button;
}

/** Show the result in a dialog. @param {import("./table.js").TablePage} page */
export async function showDailyResult(page) {
  const day = String(page.state.name).split(" ").pop() ?? "";
  const [summary, daily] = await Promise.all([page.api.get("/summary"), request(`/api/daily/${day}`)]);
  const own = daily.results.find((/** @type {any} */ row) => row.name === page.state.me);
  const ranked = daily.results.filter((/** @type {any} */ row) => row.place !== null);
  const rank = own?.place ? `${ordinal(own.place)} of ${ranked.length}` : "not ranked";
  const why = own && !own.place ? " (another name at your address threw first)" : "";
  localStore.put("daily", JSON.stringify({ day, url: location.pathname, done: true })); // The page of the Daily offers the result.
  const parts = summary.luck === null ? "" : `, luck ${formatDollars(summary.luck, true)}, decisions ${formatDollars(summary.decisions, true)}`;
  const line = `Passline Daily ${day}: ${formatDollars(summary.net, true)}, ${rank}${parts}. ${new URL("/daily", location.href).href}`;
  const facts = summaryFacts(summary).filter(([name]) => name !== "Best hand" && name !== "In");
  facts.splice(2, 0, ["Rank", rank + why]);
  page.details.openSheet(
    makeElement("h2", { id: "sheet-title" }, "Your Daily"),
    makeFacts(facts),
    makeElement("p", { class: "share-line" }, line),
    makeElement("p", { class: "offers" }, makeShareButton(line), makeElement("a", { class: "button", href: "/daily" }, "Everybody's results"), makeElement("a", { class: "button", href: `/t/${page.api.table}/luck` }, "Luck and decisions"), makeButton("Close", () => page.details.sheet.close())),
  );
}
