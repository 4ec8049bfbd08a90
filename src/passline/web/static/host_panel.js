// @ts-check
/** The host's panel on the page of a table: limits, removing a player, closing and reopening, and the
 * way to the floor's own page. The host speaks as the floor, with a cookie of its own. */

import { attempt, TableError } from "./api.js";
import { makeButton, makeElement, makeLabel, onSubmit, showName } from "./dom.js";
import { formatAmount, parseCents } from "./money.js";

/** The panel. */
export class HostPanel {
  /** @param {import("./api.js").TableApi} api the host's */
  constructor(api) {
    this.api = api;
    this.alert = makeElement("div", { role: "alert", class: "host-alert" });
    this.low = makeElement("input", { type: "text", inputmode: "decimal", required: true });
    this.high = makeElement("input", { type: "text", inputmode: "decimal", required: true });
    this.limits = makeElement("form", { class: "say-line" }, makeLabel("Lowest bet", this.low), makeLabel("Highest bet", this.high), makeElement("button", {}, "Post the limits"));
    onSubmit(this.limits, () => void this.#say(`limits ${this.low.value.trim()} to ${this.high.value.trim()}`));
    this.players = makeElement("ul", { class: "host-players", "aria-label": "Players that you may remove" });
    this.closing = makeElement("p", { class: "offers" });
    const floor = makeElement("p", {}, makeElement("a", { href: `/t/${api.table}?as=host` }, "The floor's page"), " has everything else that the floor may do.");
    this.element = makeElement("details", { class: "host-panel" }, makeElement("summary", {}, "You host this table"), this.alert, this.limits, this.players, this.closing, floor);
  }

  /** @param {any} state the state of the player's page */
  update(state) {
    this.#showLimits(state.limits);
    const names = state.players.filter((/** @type {any} */ player) => player.here && player.name !== state.me).map((/** @type {any} */ player) => player.name);
    if (this.players.dataset.names !== names.join()) {
      this.players.dataset.names = names.join();
      this.players.replaceChildren(...names.map((/** @type {string} */ name) => makeElement("li", {}, makeElement("span", {}, showName(name)), makeButton("Remove", () => void this.#remove(name), `Remove ${showName(name)}`, "quiet"))));
    }
    if (this.closing.dataset.status !== state.status) {
      this.closing.dataset.status = state.status;
      const closed = state.status === "closed";
      this.closing.replaceChildren(closed ? makeButton("Open the table again", () => void this.#say("table opens")) : makeButton("Close the table", () => void this.#say("table closes")));
    }
  }

  /** Fill in the limits that are posted, once for each change: the host may be typing others. @param {{least: string, most: string}} limits */
  #showLimits({ least, most }) {
    const posted = `${least} to ${most}`;
    if (this.limits.dataset.posted === posted) return;
    this.limits.dataset.posted = posted;
    [this.low.value, this.high.value] = [least, most].map((amount) => formatAmount(parseCents(amount)));
  }

  /** @param {string} line */
  #say(line) {
    return attempt(async () => {
      const { entries } = await this.api.say(line);
      const refused = entries.find((/** @type {any} */ item) => item.refusal);
      if (refused) throw new TableError(200, { error: refused.refusal.reason });
    }, this.alert);
  }

  /** Have a player leave, and take the token back. @param {string} name */
  async #remove(name) {
    if (await this.#say(`${name} leaves`)) await attempt(() => this.api.remove("/tokens", { role: "player", name }), this.alert);
  }
}
