// @ts-check
/** Which part of the felt is looked at: as much of it as a finger can bet on. The whole table where
 * there is room; else one's own end with the center; on a phone one of the two. All of it is a tap
 * away, to be seen. */

import { chosen, part } from "./dom.js";

export class Looking {
  #narrow = window.matchMedia("(max-width: 60rem)");
  #room = 0;

  /** @param {import("./table.js").TablePage} page */
  constructor(page) {
    this.page = page;
    this.stage = part("stage");
    part("modes").addEventListener("change", () => this.look());
    part("felt").addEventListener("click", () => {
      if (page.felt.looks && page.sight?.seat) page.telling.tell("This is the whole table, to be looked at. To bet, look at your end or the center.");
    });
    const bar = /** @type {HTMLElement} */ (document.querySelector(".bar"));
    new ResizeObserver(() => document.documentElement.style.setProperty("--bar", `${bar.offsetHeight}px`)).observe(bar);
    new ResizeObserver(() => {
      if (this.stage.clientWidth !== this.#room) this.look();
    }).observe(this.stage);
  }

  /** The other part of the felt, where the focus went. */
  reach() {
    const other = chosen("view", "end") === "end" ? "center" : "end";
    const radio = /** @type {HTMLInputElement | null} */ (document.querySelector(`input[name=view][value=${other}]`));
    if (radio) radio.checked = true;
    this.look();
  }

  look() {
    const { felt } = this.page;
    const asked = chosen("view", "end");
    const narrow = this.#narrow.matches;
    this.#room = this.stage.clientWidth;
    const fits = !narrow && this.#room >= felt.needs("whole");
    felt.looks = asked === "whole" && !fits;
    felt.view = fits || felt.looks ? "whole" : narrow ? asked : "near";
    felt.mode = chosen("mode", "Place");
    part("modes").hidden = fits || this.page.texting;
    part("numbers").hidden = !narrow || this.page.sight?.seat?.here !== true;
    const end = document.querySelector("input[name=view][value=end] + span");
    if (end) end.textContent = this.page.sight?.seat ? "My end" : "The end"; // a watcher's: the shooter's
    document.querySelector("input[name=view][value=center]")?.closest("label")?.toggleAttribute("hidden", !narrow);
    felt.lay();
  }
}
