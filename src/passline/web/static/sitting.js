// @ts-check
/** Sitting down, coming back with more chips, leaving. */

import { box, button, kept, part } from "./dom.js";

/** @param {import("./table.js").TablePage} page */
export function listenToSeat(page) {
  if (!box("name").value) {
    box("name").value = kept.get("name") || `guest${Math.floor(100 + Math.random() * 900)}`;
  }
  part("sit").addEventListener("submit", (event) => {
    event.preventDefault();
    page.telling.clear();
    const name = box("name").value.trim();
    page.api.sit(name, box("buy-in").value.trim()).then(
      () => {
        kept.put("name", name);
        void page.following.refresh().then(() => {
          const spot = /** @type {HTMLElement | null} */ (document.querySelector("[role=gridcell][tabindex='0']"));
          spot?.focus({ preventScroll: true }); // the form is gone: the keys go on here
          page.spots.tip(false);
        });
      },
      (wrong) => page.telling.refused(wrong),
    );
  });
  part("more-chips").addEventListener("submit", (event) => {
    event.preventDefault();
    void page.betting.say(`buy in ${box("more").value.trim()}`);
  });
  // It lies away from what is pressed in play, and a buy-in brings one back: it is done at once.
  button("leave").addEventListener("click", () => void page.betting.say("leave"));
}

/** The acts of a seat that are no bets, and the words that say them. */
export const ACTS = /** @type {const} */ ({
  "take-dice": "take the dice",
  decline: "decline",
  "pass-dice": "pass the dice",
  "all-down": "take me down",
});

/** @param {import("./table.js").TablePage} page @param {any} sight */
export function showSeat(page, sight) {
  const player = sight.seat !== null && sight.role === "player";
  const seated = player && sight.seat.here;
  part("sit").hidden = player || sight.asks || !["watcher", "player"].includes(sight.role);
  const watches = sight.role === "watcher" || (sight.role === "player" && !seated);
  part("controls").hidden = !seated && !watches;
  part("controls").classList.toggle("watching", watches);
  part("seat-acts").hidden = !seated;
  part("more-chips").hidden = !player || !sight.buys;
  for (const act of Object.keys(ACTS)) {
    button(act).hidden = sight.acts[act] === undefined || "bar" in sight.acts[act];
  }
}
