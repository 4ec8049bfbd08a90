// @ts-check
/** Sitting down, coming back with more chips, leaving. */

import { inputById, buttonById, localStore, byId } from "./dom.js";

/** @param {import("./table.js").TablePage} page */
export function listenForSeat(page) {
  if (!inputById("name").value) {
    inputById("name").value = localStore.get("name") || `guest${Math.floor(100 + Math.random() * 900)}`;
  }
  byId("sit").addEventListener("submit", (event) => {
    event.preventDefault();
    page.messages.clear();
    const name = inputById("name").value.trim();
    page.api.sit(name, inputById("buy-in").value.trim()).then(
      () => {
        localStore.put("name", name);
        void page.updates.refresh().then(() => {
          const spot = /** @type {HTMLElement | null} */ (document.querySelector("[role=gridcell][tabindex='0']"));
          spot?.focus({ preventScroll: true }); // the form is gone: the keys go on here
          page.details.setTipShown(false);
        });
      },
      (error) => page.messages.showError(error),
    );
  });
  byId("more-chips").addEventListener("submit", (event) => {
    event.preventDefault();
    void page.bets.say(`buy in ${inputById("more").value.trim()}`);
  });
  // It lies away from what is pressed in play, and a buy-in brings one back: it is done at once.
  buttonById("leave").addEventListener("click", () => void page.bets.say("leave"));
}

/** The acts of a seat that are no bets, and the words that say them. */
export const SEAT_LINES = /** @type {const} */ ({
  "take-dice": "take the dice",
  decline: "decline",
  "pass-dice": "pass the dice",
  "all-down": "take me down",
});

/** @param {import("./table.js").TablePage} page @param {any} state */
export function showSeat(page, state) {
  const player = state.seat !== null && state.role === "player";
  const seated = player && state.seat.here;
  byId("sit").hidden = player || state.asks || !["watcher", "player"].includes(state.role);
  const watches = state.role === "watcher" || (state.role === "player" && !seated);
  byId("controls").hidden = !seated && !watches;
  byId("controls").classList.toggle("watching", watches);
  byId("seat-acts").hidden = !seated;
  byId("more-chips").hidden = !player || !state.buys;
  for (const act of Object.keys(SEAT_LINES)) {
    buttonById(act).hidden = state.acts[act] === undefined || "bar" in state.acts[act];
  }
}
