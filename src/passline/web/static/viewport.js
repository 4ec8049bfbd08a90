// @ts-check
/** Chooses the part of the felt that is shown: as much as leaves every target large enough for a finger.
 * That is the whole table if there is room, otherwise the player's end with the center, and on a phone
 * one of the two. The whole table can always be looked at. */

import { byId, checkedValue, checkRadio } from "./dom.js";

/** The pixels of a wide window that the head and a dock below the felt take, and the width of a dock beside it. */
const HEAD_AND_DOCK_PIXELS = 224;
const SIDE_DOCK_PIXELS = 448;
/** A dock beside the felt that is narrower than this has smaller chips and fewer words. */
const NARROW_DOCK_PIXELS = 376;
/** The pixels of wood at the bottom of the felt that the dock may cover. */
const COVERED_WOOD_PIXELS = 26;

/** Decides which view of the felt is shown. */
export class Viewport {
  #narrow = window.matchMedia("(max-width: 60rem)");
  #stageWidth = 0;

  /** @param {import("./table.js").TablePage} page */
  constructor(page) {
    this.page = page;
    this.stage = byId("stage");
    this.root = /** @type {HTMLElement} */ (this.stage.parentElement);
    for (const id of ["looks", "bet-as"]) byId(id).addEventListener("change", () => this.update());
    byId("looks").addEventListener("change", (event) => event.isTrusted && this.#scrollToPart()); // A script that chooses a part scrolls nothing.
    byId("felt").addEventListener("click", (event) => this.#explainClick(event));
    const bar = /** @type {HTMLElement} */ (document.querySelector(".bar"));
    new ResizeObserver(() => {
      document.documentElement.style.setProperty("--bar", `${bar.offsetHeight}px`);
      this.root.classList.toggle("narrow-dock", bar.offsetWidth < NARROW_DOCK_PIXELS);
    }).observe(bar);
    new ResizeObserver(() => {
      if (this.stage.clientWidth !== this.#stageWidth) this.update();
    }).observe(this.stage);
    window.addEventListener("resize", () => this.update());
  }

  /** Say where to bet if a player clicks where no bets are taken. @param {MouseEvent} event */
  #explainClick({ target, clientX, clientY }) {
    const { felt, messages, state } = this.page;
    const booked = target instanceof Element && target.closest("[role=gridcell]") !== null;
    if (!state?.seat?.here || booked) return;
    if (felt.viewOnly) messages.showAlert("The whole table is only for viewing. To bet, choose your end or the center.");
    else if (felt.isOtherEnd(clientX, clientY, state.seat.end)) messages.showAlert(`That is the other end of the table. Yours is at the ${state.seat.end === "left" ? "right" : "left"} of the picture.`);
  }

  /** Show the other part of the felt, where the focus is now. */
  showOtherPart() {
    checkRadio("view", checkedValue("view", "end") === "end" ? "center" : "end");
    this.update();
  }

  /** Scroll to where people bet first in the part that was chosen: in the center, the hardways. */
  #scrollToPart() {
    const { felt } = this.page;
    if (felt.view === "center") felt.place.querySelector("[data-kind=hard]")?.scrollIntoView({ block: "start" });
    else if (this.#narrow.matches) window.scrollTo(0, 0);
  }

  /** Offer the kinds of wagers on numbers that this house has. */
  #updateBetAs() {
    const { felt } = this.page;
    if (!felt.drawing) return;
    for (const radio of byId("bet-as").querySelectorAll("input")) {
      radio.disabled = !felt.modes.has(radio.value);
      if (radio.value === "To lose") radio.closest("label")?.toggleAttribute("hidden", radio.disabled); // Few houses offer it.
    }
    const chosen = checkedValue("mode", "Place");
    felt.mode = felt.modes.has(chosen) ? chosen : ([...felt.modes].find(Boolean) ?? "Place");
  }

  /** Show `Bet as` to players at the table; a dealer has it beside the form that books bets. */
  showControls() {
    const [modes, betAs] = [byId("modes"), byId("bet-as")];
    betAs.hidden = modes.contains(betAs) && this.page.state?.seat?.here !== true;
    modes.hidden = this.page.inTextMode || (byId("looks").hidden && (betAs.hidden || !modes.contains(betAs)));
  }

  /** Whether the dock would cover the felt of a seated player in a low window, and has room beside it. */
  #fitsDockBeside() {
    const { felt, state } = this.page;
    const { width, height } = felt.sizeNeeded("near");
    const covered = height > window.innerHeight - HEAD_AND_DOCK_PIXELS + COVERED_WOOD_PIXELS;
    return state?.seat?.here === true && covered && this.root.clientWidth >= width + SIDE_DOCK_PIXELS;
  }

  update() {
    const { felt } = this.page;
    const asked = checkedValue("view", "end");
    const narrow = this.#narrow.matches;
    const dockBeside = !narrow && this.#fitsDockBeside();
    this.root.classList.toggle("dock-beside", dockBeside);
    this.#stageWidth = this.stage.clientWidth;
    const fits = !narrow && !dockBeside && this.#stageWidth >= felt.sizeNeeded("whole").width;
    felt.viewOnly = asked === "whole" && !fits;
    felt.view = fits || felt.viewOnly ? "whole" : narrow ? asked : "near";
    this.#updateBetAs();
    byId("looks").hidden = fits;
    this.showControls();
    const end = document.querySelector("input[name=view][value=end] + span");
    if (end) end.textContent = this.page.state?.seat ? "My end" : "The end"; // A watcher sees the shooter's end.
    document.querySelector("input[name=view][value=center]")?.closest("label")?.toggleAttribute("hidden", !narrow);
    felt.layOut();
  }
}
