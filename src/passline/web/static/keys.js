// @ts-check
/** Every act has a key, outside of text boxes. They are listed by `?`, and may be turned off. */

import { box, button, kept, made, part, press } from "./dom.js";

/** @typedef {{key: string, words: string, does: (slug: string) => void, free?: boolean}} Key */

/** @param {import("./table.js").TablePage} page @returns {Key[]} */
function keysOf(page) {
  const { betting, throwing, mine, spots } = page;
  const on = (/** @type {string} */ slug) => page.own().find((wager) => wager.wager === slug);
  return [
    { key: "r", words: "Roll", does: () => void throwing.act("roll") },
    { key: "u", words: "Undo", does: () => void throwing.act("undo") },
    { key: "e", words: "Repeat", does: () => button("repeat").click() },
    { key: "y", words: "Ready", does: () => void throwing.act("ready") },
    { key: "1", words: "to 9: choose a chip, the least first", does: () => undefined },
    { key: "p", words: "Press the wager on the spot", does: (slug) => void betting.press(slug) },
    { key: "d", words: "Take down the wager on the spot", does: (slug) => void betting.call(slug, "down") },
    { key: "w", words: "Working, or off", does: (slug) => void betting.call(slug, on(slug)?.working ? "off" : "on") },
    { key: "o", words: "Odds behind the wager on the spot", does: (slug) => void betting.bet(page.sight?.seat?.odds?.[slug] ?? slug) },
    { key: "i", words: "What the spot is, and all that may be done there", does: (slug) => void spots.more(slug), free: true },
    { key: "f", words: "Go to the felt", does: () => /** @type {HTMLElement | null} */ (document.querySelector("[role=gridcell][tabindex='0']"))?.focus(), free: true },
    { key: "m", words: "Go to your wagers", does: () => void (part("mine").querySelector("button")?.focus(), mine) },
    { key: "/", words: "Go to Say", does: () => box("say").focus() },
    { key: "n", words: "Next move of the crew", does: () => page.crew.step(), free: true },
    { key: "x", words: "All of the crew's moves at once", does: () => page.crew.end(), free: true },
    { key: "t", words: "Text, or the felt", does: () => button("text-mode").click(), free: true },
    { key: "g", words: "Take the dice", does: () => button("take-dice").click() },
    { key: "c", words: "Decline the dice", does: () => button("decline").click() },
    { key: "h", words: "Pass the dice", does: () => button("pass-dice").click() },
    { key: "a", words: "All down", does: () => button("all-down").click() },
    { key: "b", words: "Buy in for more", does: () => (part("more-chips").hidden ? page.telling.tell("Nobody buys in for more here.") : box("more").focus()) },
    { key: "l", words: "Leave", does: () => void (window.confirm("Leave the table? Wagers that may come down come down.") && button("leave").click()) },
    { key: "?", words: "These keys", does: () => showKeys(page), free: true },
  ];
}

/** @param {import("./table.js").TablePage} page */
export function listenToKeys(page) {
  const keys = new Map(keysOf(page).map((one) => [one.key, one]));
  button("keys-help").addEventListener("click", () => showKeys(page));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") page.spots.tip(false);
    const at = /** @type {HTMLElement} */ (event.target);
    if (at.closest("input:not([type=radio], [type=checkbox]), textarea, select, dialog") || event.ctrlKey || event.altKey || event.metaKey) return;
    const does = keys.get(/^[1-9]$/.test(event.key) ? "1" : event.key.length === 1 ? event.key.toLowerCase() : "");
    if (!does || (kept.get("keys", "on") === "off" && event.key !== "?")) return;
    if (!does.free && !page.sight?.seat?.here) return;
    event.preventDefault();
    if (does.key === "1") {
      const chip = page.rack.choose(Number(event.key) - 1);
      if (chip) page.telling.note(`${chip} chips.`);
      return;
    }
    const slug = at.closest("[data-slug]")?.getAttribute("data-slug") ?? "";
    does.does(slug);
  });
}

/** @param {import("./table.js").TablePage} page */
function showKeys(page) {
  const list = made("dl", { class: "keys" });
  list.append(made("dt", {}, made("kbd", {}, "arrows")), made("dd", {}, "From spot to spot on the felt"));
  list.append(made("dt", {}, made("kbd", {}, "Enter")), made("dd", {}, "Bet the chosen chip on the spot"));
  for (const { key, words } of keysOf(page)) list.append(made("dt", {}, made("kbd", {}, key)), made("dd", {}, words));
  const tick = /** @type {HTMLInputElement} */ (made("input", { type: "checkbox" }));
  tick.checked = kept.get("keys", "on") === "on";
  tick.addEventListener("change", () => kept.put("keys", tick.checked ? "on" : "off"));
  const label = made("label", { class: "pill" }, tick, " Letters are keys");
  page.spots.open(made("h2", { id: "sheet-title" }, "Keys"), label, list, press("Close", () => page.spots.sheet.close()));
}
