// @ts-check
/** The quick bets beside Roll: one press says a line of table talk for several bets at once. Players can
 * add lines of their own, which this browser keeps. */

import { byId, localStore, makeButton, makeElement, makeLabel, onSubmit } from "./dom.js";
import { formatAmount, parseCents } from "./money.js";

/** @typedef {{name: string, say: string}} Preset A line of the player's own, and the words on its button. */

const STORED = "presets";
const MAX_PRESETS = 12;
const MAX_NAME = 24;
const MAX_LINE = 300;
/** A line for a group of numbers is for a multiple of $5 each, and says six on 6 and 8 for every five. */
const GROUP_UNIT = 500;
const GROUP_SHARE = /** @type {Record<number, number>} */ ({ 4: 1, 5: 1, 6: 6 / 5, 8: 6 / 5, 9: 1, 10: 1 });

/** Return the presets that this browser keeps. @returns {Preset[]} */
function loadPresets() {
  try {
    const stored = JSON.parse(localStore.get(STORED, "[]"));
    return Array.isArray(stored) ? stored.filter((item) => typeof item?.name === "string" && typeof item?.say === "string") : [];
  } catch {
    return [];
  }
}

/** The row of quick bets. */
export class QuickBets {
  /** The line that each button sends now, by the button's id; "" if nothing can be done. @type {Record<string, () => string>} */
  #lines = {
    "max-odds": () => this.#oddsToRaise().map((slug) => `max ${slug}`).join("; "),
    across: () => this.#eachOf("across the box numbers"),
    inside: () => this.#eachOf("inside"),
    "press-all": () => this.#betsToPress().map((slug) => `press ${slug}`).join("; "),
    "all-off": () => (this.#canCall() ? "all off" : ""),
    "all-on": () => (this.#canCall() ? "all on" : ""),
  };
  /** The line that each button sends if nothing can be done: the server refuses it and says why. @type {Record<string, string>} */
  #refused = { "max-odds": "max odds", across: "across the box numbers for 5 each", inside: "inside for 5 each", "press-all": "press all", "all-off": "all off", "all-on": "all on" };

  /** @param {import("./table.js").TablePage} page */
  constructor(page) {
    this.page = page;
    for (const [id, line] of Object.entries(this.#lines)) {
      byId(id).addEventListener("click", () => void page.bets.say(line() || (this.#refused[id] ?? "")));
    }
    byId("presets").addEventListener("click", () => this.#openSheet());
    this.#showPresets();
  }

  /** Show which quick bets can be made now. */
  update() {
    for (const [id, line] of Object.entries(this.#lines)) byId(id).setAttribute("aria-disabled", String(!line()));
  }

  /** Return the odds of own bets that take more now. */
  #oddsToRaise() {
    const { bets, state } = this.page;
    const odds = /** @type {string[]} */ (Object.values(state?.seat?.odds ?? {}));
    return odds.filter((slug) => bets.canBet(slug) && parseCents(bets.option(slug).most) > (bets.amounts.get(slug) ?? 0));
  }

  /** Return the line that bets on each of a group of numbers; "" if none can be bet on. The amount is the chosen
   * chip, or more if no number without a bet takes so little, rounded up to a multiple of $5. @param {string} group */
  #eachOf(group) {
    const { bets, felt, rack } = this.page;
    const places = [...felt.cells.values()].map(({ target }) => target).filter((target) => target.bet_as === "Place" && bets.canBet(target.slug));
    const leasts = places.flatMap(({ slug, number }) => {
      const share = GROUP_SHARE[number];
      return share && !bets.amounts.has(slug) ? [parseCents(bets.option(slug).least) / share] : [];
    });
    const each = Math.max(rack.chip, leasts.length ? Math.min(...leasts) : 0);
    return places.length ? `${group} for ${formatAmount(Math.ceil(each / GROUP_UNIT) * GROUP_UNIT)} each` : "";
  }

  /** Return the own bets on numbers and hardways that take a press now. */
  #betsToPress() {
    const { bets, felt } = this.page;
    return [...bets.amounts].flatMap(([slug, up]) => {
      const target = felt.cells.get(slug)?.target;
      const pressed = target && (["Place", "Buy", "Lay"].includes(target.bet_as) || target.kind === "hard");
      return pressed && bets.pressAmount(slug) > up ? [slug] : [];
    });
  }

  /** Whether any own bet may be called on or off now. */
  #canCall() {
    const { may } = this.page.state ?? { may: {} };
    const open = (/** @type {any} */ option) => option && !("bar" in option);
    return this.page.ownWagers().some(({ wager }) => open(may[wager]?.on) || open(may[wager]?.off));
  }

  #showPresets() {
    const buttons = loadPresets().map(({ name, say }) => {
      const button = makeButton(name, () => void this.page.bets.say(say));
      button.title = say;
      return button;
    });
    byId("own-presets").replaceChildren(...buttons);
  }

  /** @param {Preset[]} presets */
  #store(presets) {
    localStore.put(STORED, JSON.stringify(presets.slice(-MAX_PRESETS)));
    this.#showPresets();
    this.#openSheet();
  }

  /** Open the dialog in which presets are added and removed. */
  #openSheet() {
    const presets = loadPresets();
    const rows = presets.map((preset) =>
      makeElement("li", {}, makeElement("span", {}, makeElement("b", {}, preset.name), ` ${preset.say}`), makeButton("Remove", () => this.#store(presets.filter((other) => other !== preset)), `Remove ${preset.name}`)),
    );
    const name = makeElement("input", { type: "text", maxlength: String(MAX_NAME), autocomplete: "off", required: true });
    const say = makeElement("input", { type: "text", maxlength: String(MAX_LINE), autocomplete: "off", required: true, value: this.#describeOwnBets() });
    const form = makeElement("form", { class: "say-line" }, makeLabel("Name of the button", name), makeLabel("What it says to the dealer", say), makeElement("button", { type: "submit" }, "Add"));
    onSubmit(form, () => {
      const preset = { name: name.value.trim(), say: say.value.trim() };
      if (preset.name && preset.say) this.#store([...presets.filter((other) => other.name !== preset.name), preset]);
    });
    const title = makeElement("h2", { id: "sheet-title" }, "Your quick bets");
    const help = makeElement("p", {}, "A button of your own says a line to the dealer, such as 22 inside. This browser keeps it.");
    this.page.details.openSheet(title, help, form, makeElement("ul", { class: "mine" }, ...rows), makeButton("Close", () => this.page.details.sheet.close()));
  }

  /** Return a line that makes this player's bets again. */
  #describeOwnBets() {
    const { bets, felt } = this.page;
    const made = [...bets.amounts].filter(([slug]) => {
      const target = felt.cells.get(slug)?.target;
      return target && (target.bet_as !== "" || !target.number); // A come bet that has moved to its number is not made there.
    });
    return made.map(([slug, amount]) => `${this.page.wagerName(slug)} for ${formatAmount(amount)}`).join("; ");
  }
}
