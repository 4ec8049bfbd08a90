// @ts-check
/** The two lines above "Worth": how much the player is ahead or behind, and what an hour with these bets
 * costs on average. They need no request: the cost of each wager is loaded once. */

import { byId } from "./dom.js";
import { formatMoney, parseCents } from "./money.js";

/** Throws of an hour at the usual pace. */
const THROWS_PER_HOUR = 100;

/** Return in words how much a player is ahead or behind. @param {{rail: string, up: string, bought_in: string}} seat */
function describeStanding({ rail, up, bought_in: boughtIn }) {
  const has = parseCents(rail) + parseCents(up);
  const net = has - parseCents(boughtIn);
  const result = net ? `${net > 0 ? "up" : "down"} ${formatMoney(Math.abs(net))}` : "even";
  return `You are ${result}: ${formatMoney(has)} in chips for ${formatMoney(parseCents(boughtIn))} bought in.`;
}

/** The lines, kept up to date. */
export class BetCosts {
  /** The facts of every wager by slug, once they are loaded. @type {Map<string, any> | null} */
  #wagers = null;

  /** @param {import("./table.js").TablePage} page */
  constructor(page) {
    this.page = page;
  }

  /** @param {any} state */
  update(state) {
    if (!state.seat) return;
    byId("standing").textContent = describeStanding(state.seat);
    byId("hour-cost").textContent = this.#wagers ? this.#describeHour(this.#wagers) : "";
    if (!this.#wagers) void this.#load();
  }

  async #load() {
    const wagers = await this.page.details.loadWagers();
    if (!wagers.size || this.#wagers) return;
    this.#wagers = wagers;
    if (this.page.state) this.update(this.page.state);
  }

  /** @param {Map<string, any>} wagers */
  #describeHour(wagers) {
    const own = this.page.ownWagers();
    if (!own.length) return "With no bets up, an hour costs nothing.";
    const cents = own.reduce((sum, { wager, amount }) => sum + parseCents(amount) * Number(wagers.get(wager)?.cost_per_throw ?? 0), 0);
    return `An hour of ${THROWS_PER_HOUR} throws with these bets always up costs ${formatMoney(Math.round(cents * THROWS_PER_HOUR))}, on average.`;
  }
}
