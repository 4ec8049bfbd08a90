// @ts-check
/** The keys of the table page. They work outside text boxes; `?` lists them, and they can be turned off. */

import { buttonById, byId, inputById, localStore, makeButton, makeElement } from "./dom.js";

/** @typedef {{key: string, words: string, does: (slug: string) => void, free?: boolean}} Key */

/** @param {import("./table.js").TablePage} page @returns {Key[]} */
function listKeys(page) {
  const { bets, dice, myBets, details } = page;
  const on = (/** @type {string} */ slug) => page.ownWagers().find((wager) => wager.wager === slug);
  return [
    { key: "r", words: "Roll", does: () => void dice.sayAct("roll") },
    { key: "u", words: "Undo", does: () => void dice.sayAct("undo") },
    { key: "e", words: "Repeat", does: () => buttonById("repeat").click() },
    { key: "y", words: "Ready", does: () => void dice.sayAct("ready") },
    { key: "1", words: "to 9: choose a chip, the least first", does: () => undefined },
    { key: "p", words: "Press the wager on the spot", does: (slug) => void bets.press(slug) },
    { key: "d", words: "Take down the wager on the spot", does: (slug) => void bets.change(slug, "down") },
    { key: "w", words: "Working, or off", does: (slug) => void bets.change(slug, on(slug)?.working ? "off" : "on") },
    { key: "o", words: "Odds behind the wager on the spot", does: (slug) => void bets.bet(page.state?.seat?.odds?.[slug] ?? slug) },
    { key: "i", words: "What the spot is, and all that may be done there", does: (slug) => void details.openSheetFor(slug), free: true },
    { key: "f", words: "Go to the felt", does: () => /** @type {HTMLElement | null} */ (document.querySelector("[role=gridcell][tabindex='0']"))?.focus(), free: true },
    { key: "m", words: "Go to your wagers", does: () => void (byId("mine").querySelector("button")?.focus(), myBets) },
    { key: "/", words: "Go to Say", does: () => inputById("say").focus() },
    { key: "n", words: "Next move of the crew", does: () => page.crewAnimation.step(), free: true },
    { key: "x", words: "All of the crew's moves at once", does: () => page.crewAnimation.finish(), free: true },
    { key: "t", words: "Text, or the felt", does: () => buttonById("text-mode").click(), free: true },
    { key: "g", words: "Take the dice", does: () => buttonById("take-dice").click() },
    { key: "c", words: "Decline the dice", does: () => buttonById("decline").click() },
    { key: "h", words: "Pass the dice", does: () => buttonById("pass-dice").click() },
    { key: "a", words: "All down", does: () => buttonById("all-down").click() },
    { key: "b", words: "Buy in for more", does: () => (byId("more-chips").hidden ? page.messages.showAlert("Nobody buys in for more here.") : inputById("more").focus()) },
    { key: "l", words: "Leave", does: () => void (window.confirm("Leave the table? Wagers that may come down come down.") && buttonById("leave").click()) },
    { key: "?", words: "These keys", does: () => showKeyHelp(page), free: true },
  ];
}

/** @param {import("./table.js").TablePage} page */
export function listenForKeys(page) {
  const keys = new Map(listKeys(page).map((item) => [item.key, item]));
  buttonById("keys-help").addEventListener("click", () => showKeyHelp(page));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") page.details.setTipShown(false);
    const at = /** @type {HTMLElement} */ (event.target);
    if (at.closest("input:not([type=radio], [type=checkbox]), textarea, select, dialog") || event.ctrlKey || event.altKey || event.metaKey) return;
    const action = keys.get(/^[1-9]$/.test(event.key) ? "1" : event.key.length === 1 ? event.key.toLowerCase() : "");
    if (!action || (localStore.get("keys", "on") === "off" && event.key !== "?")) return;
    if (!action.free && !page.state?.seat?.here) return;
    event.preventDefault();
    if (action.key === "1") {
      const chip = page.rack.choose(Number(event.key) - 1);
      if (chip) page.messages.showNote(`${chip} chips.`);
      return;
    }
    const slug = at.closest("[data-slug]")?.getAttribute("data-slug") ?? "";
    action.does(slug);
  });
}

/** @param {import("./table.js").TablePage} page */
function showKeyHelp(page) {
  const list = makeElement("dl", { class: "keys" });
  list.append(makeElement("dt", {}, makeElement("kbd", {}, "arrows")), makeElement("dd", {}, "From spot to spot on the felt"));
  list.append(makeElement("dt", {}, makeElement("kbd", {}, "Enter")), makeElement("dd", {}, "Bet the chosen chip on the spot"));
  for (const { key, words } of listKeys(page)) list.append(makeElement("dt", {}, makeElement("kbd", {}, key)), makeElement("dd", {}, words));
  const tick = /** @type {HTMLInputElement} */ (makeElement("input", { type: "checkbox" }));
  tick.checked = localStore.get("keys", "on") === "on";
  tick.addEventListener("change", () => localStore.put("keys", tick.checked ? "on" : "off"));
  const label = makeElement("label", { class: "pill" }, tick, " Letters are keys");
  page.details.openSheet(makeElement("h2", { id: "sheet-title" }, "Keys"), label, list, makeButton("Close", () => page.details.sheet.close()));
}
