// @ts-check
/** The keys of the table page. They work outside text boxes; `?` lists them, and they can be turned off. */

import { buttonById, byId, inputById, localStore, makeButton, makeElement } from "./dom.js";

/** @typedef {{key: string, words: string, action: (slug: string) => void, free?: boolean}} Key */

/** @param {import("./table.js").TablePage} page @returns {Key[]} */
function listKeys(page) {
  const { bets, dice, details } = page;
  const on = (/** @type {string} */ slug) => page.ownWagers().find((wager) => wager.wager === slug);
  return [
    { key: "r", words: "Roll", action: () => void dice.roll() },
    { key: "u", words: "Undo", action: () => void dice.sayAct("undo") },
    { key: "e", words: "Repeat", action: () => buttonById("repeat").click() },
    { key: "y", words: "Ready", action: () => void dice.sayAct("ready") },
    { key: "1", words: "to 9: choose a chip, smallest first", action: () => undefined },
    { key: "p", words: "Press the wager on the spot", action: (slug) => void bets.press(slug) },
    { key: "d", words: "Take down the wager on the spot", action: (slug) => void bets.change(slug, "down") },
    { key: "w", words: "Working, or off", action: (slug) => void bets.change(slug, on(slug)?.working ? "off" : "on") },
    { key: "o", words: "Odds behind the wager on the spot", action: (slug) => void bets.bet(page.state?.seat?.odds?.[slug] ?? slug) },
    { key: "i", words: "Details of the spot, and everything that you can do there", action: (slug) => void details.openSheetFor(slug), free: true },
    { key: "f", words: "Go to the felt", action: () => page.felt.focus(), free: true },
    { key: "m", words: "Go to your wagers", action: () => byId("mine").querySelector("button")?.focus() },
    { key: "/", words: "Go to Say", action: () => inputById("say").focus() },
    { key: "n", words: "Next move of the crew", action: () => page.crewAnimation.step(), free: true },
    { key: "x", words: "All of the crew's moves at once", action: () => page.crewAnimation.finish(), free: true },
    { key: "s", words: "Sound on, or off", action: () => page.sounds.toggle(), free: true },
    { key: "t", words: "Text mode, or the felt", action: () => buttonById("text-mode").click(), free: true },
    { key: "g", words: "Take the dice", action: () => buttonById("take-dice").click() },
    { key: "c", words: "Decline the dice", action: () => buttonById("decline").click() },
    { key: "h", words: "Pass the dice", action: () => buttonById("pass-dice").click() },
    { key: "a", words: "All down", action: () => buttonById("all-down").click() },
    { key: "b", words: "Buy in for more", action: () => (byId("more-chips").hidden ? page.messages.showAlert("You can't buy in for more at this table.") : inputById("more").focus()) },
    { key: "l", words: "Leave", action: () => buttonById("leave").click() },
    { key: "?", words: "These keys", action: () => showKeyHelp(page), free: true },
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
    const binding = keys.get(/^[1-9]$/.test(event.key) ? "1" : event.key.length === 1 ? event.key.toLowerCase() : "");
    if (!binding || (localStore.get("keys", "on") === "off" && event.key !== "?")) return;
    if (!binding.free && !page.state?.seat?.here) return;
    event.preventDefault();
    if (event.repeat) return; // A key that is held down acts once.
    if (binding.key === "1") {
      const chip = page.rack.choose(Number(event.key) - 1);
      if (chip) page.messages.showNote(`${chip} chips.`);
      return;
    }
    const slug = at.closest("[data-slug]")?.getAttribute("data-slug") ?? "";
    binding.action(slug);
  });
}

/** @param {import("./table.js").TablePage} page */
function showKeyHelp(page) {
  const onFelt = [{ key: "arrows", words: "From spot to spot on the felt" }, { key: "Enter", words: "Bet the chosen chip on the spot" }, { key: "Space", words: "While the dice fly: skip to where they land. Escape does too" }];
  const rows = [...onFelt, ...listKeys(page)].flatMap(({ key, words }) => [makeElement("dt", {}, makeElement("kbd", {}, key)), makeElement("dd", {}, words)]);
  const list = makeElement("dl", { class: "keys" }, ...rows);
  const tick = makeElement("input", { type: "checkbox", checked: localStore.get("keys", "on") === "on" });
  tick.addEventListener("change", () => localStore.put("keys", tick.checked ? "on" : "off"));
  const label = makeElement("label", { class: "pill" }, tick, " Letters are keys");
  page.details.openSheet(makeElement("h2", { id: "sheet-title" }, "Keys"), label, list, makeButton("Close", () => page.details.sheet.close()));
}
