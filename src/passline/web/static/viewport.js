// @ts-check
/** Which part of the felt is looked at: as much of it as a finger can bet on. The whole table where
 * there is room; else one's own end with the center; on a phone one of the two. All of it is a tap
 * away, to be seen. */

import { byId, checkedValue } from "./dom.js";

export class Viewport {
  #narrow = window.matchMedia("(max-width: 60rem)");
  #stageWidth = 0;

  /** @param {import("./table.js").TablePage} page */
  constructor(page) {
    this.page = page;
    this.stage = byId("stage");
    byId("modes").addEventListener("change", () => this.update());
    byId("felt").addEventListener("click", () => {
      if (page.felt.viewOnly && page.state?.seat) page.messages.showAlert("This is the whole table, to be looked at. To bet, look at your end or the center.");
    });
    const bar = /** @type {HTMLElement} */ (document.querySelector(".bar"));
    new ResizeObserver(() => document.documentElement.style.setProperty("--bar", `${bar.offsetHeight}px`)).observe(bar);
    new ResizeObserver(() => {
      if (this.stage.clientWidth !== this.#stageWidth) this.update();
    }).observe(this.stage);
  }

  /** The other part of the felt, where the focus went. */
  showOtherPart() {
    const other = checkedValue("view", "end") === "end" ? "center" : "end";
    const radio = /** @type {HTMLInputElement | null} */ (document.querySelector(`input[name=view][value=${other}]`));
    if (radio) radio.checked = true;
    this.update();
  }

  update() {
    const { felt } = this.page;
    const asked = checkedValue("view", "end");
    const narrow = this.#narrow.matches;
    this.#stageWidth = this.stage.clientWidth;
    const fits = !narrow && this.#stageWidth >= felt.widthNeeded("whole");
    felt.viewOnly = asked === "whole" && !fits;
    felt.view = fits || felt.viewOnly ? "whole" : narrow ? asked : "near";
    felt.mode = checkedValue("mode", "Place");
    byId("modes").hidden = fits || this.page.inTextMode;
    byId("numbers").hidden = !narrow || this.page.state?.seat?.here !== true;
    const end = document.querySelector("input[name=view][value=end] + span");
    if (end) end.textContent = this.page.state?.seat ? "My end" : "The end"; // a watcher's: the shooter's
    document.querySelector("input[name=view][value=center]")?.closest("label")?.toggleAttribute("hidden", !narrow);
    felt.layOut();
  }
}
