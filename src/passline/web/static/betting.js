// @ts-check
/** Every act is a line that is said, one after the other; chips are shown before the answer. */

import { cents, rightAmount, said, shown } from "./money.js";

export class Betting {
  /** @type {Promise<unknown>} */
  #turn = Promise.resolve();
  #waiting = 0;
  #seq = -1;
  /** What lies there, by the last answer. @type {Map<string, number>} */
  lies = new Map();
  /** What is hoped to lie there. @type {Map<string, number>} */
  hoped = new Map();

  /** @param {import("./table.js").TablePage} page */
  constructor(page) {
    this.page = page;
  }

  /** A sight came: what it shows goes before what was thought, unless it is older than an answer.
   * @param {any} sight */
  saw(sight) {
    if (sight.seq < this.#seq) return;
    this.lies = new Map(this.page.own().map((w) => [w.wager, cents(w.amount)]));
    if (!this.#waiting) this.hoped.clear();
    this.page.felt.hope(this.hoped, this.lies);
  }

  /** What a spot takes, whether more is put on it or it is bet. @param {string} slug */
  option(slug) {
    const may = this.page.sight?.may[slug];
    return may?.raise ?? may?.bet;
  }

  /** @param {string} slug */
  open(slug) {
    const option = this.option(slug);
    return option !== undefined && !("bar" in option);
  }

  /** What a chip would put on a spot now. @param {string} slug */
  next(slug) {
    const lies = this.lies.get(slug) ?? 0;
    return this.#with(slug, lies, this.page.rack.chip) - lies;
  }

  /** What a chip makes of what lies there. @param {string} slug @param {number} lies @param {number} chip */
  #with(slug, lies, chip) {
    return rightAmount(lies + chip, this.option(slug));
  }

  /** @param {string} slug @param {number} [chip] */
  async bet(slug, chip = this.page.rack.chip) {
    const option = this.option(slug);
    if (!option) {
      this.page.telling.tell(this.page.sight?.me ? "That is not yours to bet." : "Sit down first, and bet then.");
      return false;
    }
    if ("bar" in option) {
      this.page.telling.bar(option.bar);
      return false;
    }
    const now = this.hoped.get(slug) ?? this.lies.get(slug) ?? 0;
    return this.#hoping(slug, this.#with(slug, now, chip), async () => {
      const lies = this.lies.get(slug) ?? 0;
      const amount = this.#with(slug, lies, chip);
      const name = this.page.name(slug);
      if (amount <= lies) {
        this.page.telling.tell(`${name} holds ${shown(lies)}: it takes no more now.`);
        return false;
      }
      const taken = await this.#send(lies ? `${slug} to ${said(amount)}` : `${slug} for ${said(amount)}`);
      if (taken) this.lies.set(slug, amount);
      if (taken && amount - lies !== chip) {
        this.page.telling.note(`${name} takes ${shown(amount - lies)} here, not ${shown(chip)}.`);
      }
      return taken;
    });
  }

  /** An amount in all, as it is said. @param {string} slug @param {number} amount */
  async to(slug, amount) {
    return this.#hoping(slug, amount, async () => {
      const line = this.lies.get(slug) ? `${slug} to ${said(amount)}` : `${slug} for ${said(amount)}`;
      const taken = await this.#send(line);
      if (taken) this.lies.set(slug, amount);
      return taken;
    });
  }

  /** Twice as much, as far as the spot takes it. @param {string} slug */
  doubled(slug) {
    const up = this.lies.get(slug) ?? 0;
    const option = this.page.sight?.may[slug]?.raise;
    return option && !("bar" in option) ? rightAmount(2 * up, option) : 0;
  }

  /** Whether a wager on a number could be pressed by less than itself; how much a half press is,
   * the table says. @param {string} slug */
  halves(slug) {
    const up = this.lies.get(slug) ?? 0;
    const option = this.page.sight?.may[slug]?.raise;
    const number = ["place", "box"].includes(this.page.felt.cells.get(slug)?.target.kind ?? "");
    return number && up > 0 && option && !("bar" in option) && up + cents(option.step) < this.doubled(slug);
  }

  /** Press a wager to twice its amount, or say why not. @param {string} slug */
  async press(slug) {
    const up = this.lies.get(slug) ?? 0;
    const bar = this.page.sight?.may[slug]?.raise?.bar;
    const to = this.doubled(slug);
    if (to > up && up) return this.to(slug, to);
    if (bar) this.page.telling.bar(bar);
    else if (!slug) this.page.telling.tell("Go to a spot of the felt first: what lies there is pressed.");
    else this.page.telling.tell(up ? `${this.page.name(slug)} takes no more now.` : `Nothing of yours lies on ${this.page.name(slug)} to press.`);
    return false;
  }

  /** @param {string} slug @param {"down" | "on" | "off"} verb */
  async call(slug, verb) {
    const bar = this.page.sight?.may[slug]?.[verb]?.bar;
    if (bar) {
      this.page.telling.bar(bar);
      return false;
    }
    if (!this.lies.has(slug)) {
      this.page.telling.tell(slug ? `Nothing of yours lies on ${this.page.name(slug)}.` : "Go to a spot of the felt first.");
      return false;
    }
    return this.say(`${slug} ${verb}`);
  }

  /** Say a line. @param {string} line */
  async say(line) {
    return this.#inTurn(() => this.#send(line));
  }

  /** @param {string} slug @param {number} amount @param {() => Promise<boolean>} does */
  async #hoping(slug, amount, does) {
    this.hoped.set(slug, amount);
    this.page.felt.hope(this.hoped, this.lies);
    const taken = await this.#inTurn(does);
    if (!taken) this.hoped.delete(slug);
    else if (!this.#waiting) this.hoped.set(slug, this.lies.get(slug) ?? amount);
    this.page.felt.hope(this.hoped, this.lies);
    return taken;
  }

  /** One line after the other: the next is made of what the last one came to.
   * @param {() => Promise<boolean>} does @returns {Promise<boolean>} */
  async #inTurn(does) {
    this.page.telling.clear();
    this.page.crew.end();
    this.#waiting += 1;
    const mine = this.#turn.then(does, does);
    this.#turn = mine.catch(() => false);
    try {
      return await mine;
    } finally {
      this.#waiting -= 1;
    }
  }

  /** @param {string} line @returns {Promise<boolean>} */
  async #send(line) {
    try {
      const answer = await this.page.api.say(line);
      if (answer.seq !== null) this.#seq = Math.max(this.#seq, answer.seq);
      const taken = this.page.telling.answered(answer);
      this.page.following.soon();
      return taken;
    } catch (wrong) {
      this.page.telling.refused(wrong, line);
      return false;
    }
  }
}
