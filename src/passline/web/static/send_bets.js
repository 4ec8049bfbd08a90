// @ts-check
/** Sends the player's lines, one after the other, and works out amounts from the chosen chip. A bet's
 * chips are drawn at once as pending, and removed if the server refuses it. */

import { formatAmount, formatMoney, parseCents, roundToLimits } from "./money.js";

/** The player's bets: what may be bet, what is pending, and the queue of lines. */
export class Bets {
  /** @type {Promise<unknown>} */
  #lastSend = Promise.resolve();
  #sending = 0;
  #seq = -1;
  /** The cents of each own bet, by slug, as the server last confirmed them. @type {Map<string, number>} */
  amounts = new Map();
  /** The cents of each bet that was sent and not confirmed yet. @type {Map<string, number>} */
  pending = new Map();

  /** @param {import("./table.js").TablePage} page */
  constructor(page) {
    this.page = page;
  }

  /** The last entry that the server has answered this player's lines with. */
  get lastSeq() {
    return this.#seq;
  }

  /** Take the amounts of a new state, unless it is older than the last reply.
   * @param {any} state */
  update(state) {
    if (state.seq < this.#seq) return;
    this.amounts = new Map(this.page.ownWagers().map((w) => [w.wager, parseCents(w.amount)]));
    if (!this.#sending) this.pending.clear();
    this.page.felt.showPending(this.pending, this.amounts);
  }

  /** Return the limits, or the bar, of raising or making a bet. @param {string} slug */
  option(slug) {
    const may = this.page.state?.may[slug];
    return this.#completeOption(slug, may?.raise ?? may?.bet);
  }

  /** Return an option with its largest amount, which the server leaves out where only the rail limits it, or
   * the bar if the rail cannot pay the smallest. @param {string} slug @param {any} option */
  #completeOption(slug, option) {
    if (!option || "bar" in option) return option;
    const rail = this.#railNow();
    const [least, step] = [parseCents(option.least), parseCents(option.step) || 1];
    const spare = rail + this.#amountNow(slug) - least;
    if (spare < 0) return { bar: { reason: `${this.page.wagerName(slug)} takes at least ${formatMoney(least)}, and ${formatMoney(rail)} is left in your rail`, cite: null } };
    const payable = least + Math.floor(spare / step) * step;
    return { ...option, most: formatAmount(option.most ? Math.min(payable, parseCents(option.most)) : payable) };
  }

  /** Return the cents of an own bet, as it is once everything that was sent is confirmed. @param {string} slug */
  #amountNow(slug) {
    return this.pending.get(slug) ?? this.amounts.get(slug) ?? 0;
  }

  /** Return the cents that are left in the rail once everything that was sent is confirmed. */
  #railNow() {
    const shown = new Map(this.page.ownWagers().map((w) => [w.wager, parseCents(w.amount)]));
    const slugs = new Set([...shown.keys(), ...this.amounts.keys(), ...this.pending.keys()]);
    const more = [...slugs].reduce((sum, slug) => sum + this.#amountNow(slug) - (shown.get(slug) ?? 0), 0);
    return parseCents(this.page.state.seat.rail) - more;
  }

  /** @param {string} slug */
  canBet(slug) {
    const option = this.option(slug);
    return option !== undefined && !("bar" in option);
  }

  /** Return how many cents the chosen chip would add to a bet now. @param {string} slug */
  nextAmount(slug) {
    const placed = this.#amountNow(slug);
    return this.#amountWith(slug, placed, this.page.rack.chip) - placed;
  }

  /** Return what a click on a wager books, in words, or null if nobody is seated.
   * @param {string} slug @returns {import("./click_preview.js").Offer | null} */
  offer(slug) {
    if (!this.page.state?.seat?.here) return null;
    const name = this.page.wagerName(slug);
    if (!this.canBet(slug)) return { words: `${name}: not now`, color: "" };
    const more = this.nextAmount(slug);
    if (more <= 0) return { words: `${name}: no more`, color: "" };
    return { words: `${name}, ${formatMoney(more)}${this.#amountNow(slug) ? " more" : ""}`, color: this.page.rack.color };
  }

  /** Return the amount of a bet after one more chip, within its limits. @param {string} slug @param {number} placed @param {number} chip */
  #amountWith(slug, placed, chip) {
    return roundToLimits(placed + chip, this.option(slug));
  }

  /** @param {string} slug @param {number} [chip] */
  async bet(slug, chip = this.page.rack.chip) {
    const option = this.option(slug);
    if (!option) {
      this.page.messages.showAlert(this.page.state?.me ? "This table does not offer that wager. The felt shows those that it does." : "Sit down first, then bet.");
      return false;
    }
    if ("bar" in option) {
      this.page.messages.showBar(option.bar);
      return false;
    }
    const now = this.pending.get(slug) ?? this.amounts.get(slug) ?? 0;
    return this.#sendPending(slug, this.#amountWith(slug, now, chip), async () => {
      const placed = this.amounts.get(slug) ?? 0;
      const amount = this.#amountWith(slug, placed, chip);
      const name = this.page.wagerName(slug);
      if (amount <= placed) {
        this.page.messages.showAlert(`${name} has ${formatMoney(placed)} on it and takes no more now.`);
        return false;
      }
      const accepted = await this.#send(placed ? `${slug} to ${formatAmount(amount)}` : `${slug} for ${formatAmount(amount)}`);
      if (accepted) this.amounts.set(slug, amount);
      if (accepted && amount - placed !== chip) {
        this.page.messages.showNote(`${name} takes ${formatMoney(amount - placed)} here, not ${formatMoney(chip)}.`);
      }
      return accepted;
    });
  }

  /** Make a bet, or change it to this amount. @param {string} slug @param {number} amount */
  async setAmount(slug, amount) {
    return this.#sendPending(slug, amount, async () => {
      const line = this.amounts.get(slug) ? `${slug} to ${formatAmount(amount)}` : `${slug} for ${formatAmount(amount)}`;
      const accepted = await this.#send(line);
      if (accepted) this.amounts.set(slug, amount);
      return accepted;
    });
  }

  /** Return twice a bet's amount, within its limits; 0 if it may not be raised. @param {string} slug */
  pressAmount(slug) {
    const up = this.amounts.get(slug) ?? 0;
    const option = this.#completeOption(slug, this.page.state?.may[slug]?.raise);
    return option && !("bar" in option) ? roundToLimits(2 * up, option) : 0;
  }

  /** Whether a place or box bet can be pressed by less than its own amount. The server decides how much a
   * half press is. @param {string} slug */
  canHalfPress(slug) {
    const up = this.amounts.get(slug) ?? 0;
    const option = this.#completeOption(slug, this.page.state?.may[slug]?.raise);
    const number = ["place", "box"].includes(this.page.felt.cells.get(slug)?.target.kind ?? "");
    return number && up > 0 && option && !("bar" in option) && up + parseCents(option.step) < this.pressAmount(slug);
  }

  /** Press a bet to twice its amount, or show why that is not allowed. @param {string} slug */
  async press(slug) {
    const up = this.amounts.get(slug) ?? 0;
    const bar = this.page.state?.may[slug]?.raise?.bar;
    const to = this.pressAmount(slug);
    if (to > up && up) return this.setAmount(slug, to);
    if (bar) this.page.messages.showBar(bar);
    else if (!slug) this.page.messages.showAlert("Go to a spot of the felt first, then press the bet there.");
    else this.page.messages.showAlert(up ? `${this.page.wagerName(slug)} takes no more now.` : `You have no bet on ${this.page.wagerName(slug)} to press.`);
    return false;
  }

  /** @param {string} slug @param {"down" | "on" | "off"} verb */
  async change(slug, verb) {
    const bar = this.page.state?.may[slug]?.[verb]?.bar;
    if (bar) {
      this.page.messages.showBar(bar);
      return false;
    }
    if (!this.amounts.has(slug)) {
      this.page.messages.showAlert(slug ? `You have no bet on ${this.page.wagerName(slug)}.` : "Go to a spot of the felt first.");
      return false;
    }
    return this.say(`${slug} ${verb}`);
  }

  /** Send a line after those that are waiting. Return whether any of it was accepted. @param {string} line */
  async say(line) {
    return this.#enqueue(() => this.#send(line));
  }

  /** @param {string} slug @param {number} amount @param {() => Promise<boolean>} action */
  async #sendPending(slug, amount, action) {
    this.pending.set(slug, amount);
    this.page.felt.showPending(this.pending, this.amounts);
    const accepted = await this.#enqueue(action);
    if (!accepted) this.pending.delete(slug);
    else if (!this.#sending) this.pending.set(slug, this.amounts.get(slug) ?? amount);
    this.page.felt.showPending(this.pending, this.amounts);
    return accepted;
  }

  /** Run an action after the ones before it, because the amount of a bet depends on the result of the
   * last.
   * @param {() => Promise<boolean>} action @returns {Promise<boolean>} */
  async #enqueue(action) {
    this.page.messages.clear();
    this.page.crewAnimation.finish();
    this.#sending += 1;
    const result = this.#lastSend.then(action, action);
    this.#lastSend = result.catch(() => false);
    try {
      return await result;
    } finally {
      this.#sending -= 1;
    }
  }

  /** @param {string} line @returns {Promise<boolean>} */
  async #send(line) {
    try {
      const answer = await this.page.api.say(line, this.page.state?.commit);
      if (answer.seq !== null) this.#seq = Math.max(this.#seq, answer.seq);
      const accepted = this.page.messages.showResult(answer);
      return accepted;
    } catch (error) {
      this.page.messages.showError(error, line);
      return false;
    }
  }
}
