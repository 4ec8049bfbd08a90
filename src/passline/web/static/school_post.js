// @ts-check
/** A learner's post at a live table: the work of each throw, payoffs built from the bank. */

import { randomHex, TableApi } from "./api.js";
import { made, part } from "./dom.js";
import { die } from "./replay_felt.js";
import { school } from "./school_api.js";
import { Bank } from "./school_chips.js";
import { largeType, lawLink, wrongWords } from "./school_dom.js";
import { TouchFelt } from "./school_felt.js";
import { Order } from "./school_order.js";

const PAUSE = 1500; // milliseconds between looks at the table

class PostPage {
  constructor() {
    largeType();
    this.api = new TableApi(part("drill").dataset.table ?? "");
    /** @type {Order | null} */
    this.order = null;
    this.throw = -1;
    this.felt = new TouchFelt((player, wager) => this.order?.touched(player, wager));
    part("answer").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.done();
    });
  }

  async begin() {
    const token = location.hash.slice(1);
    if (token) {
      history.replaceState(null, "", location.pathname);
      await this.api.keep(token);
    }
    for (;;) {
      await this.look();
      await new Promise((over) => setTimeout(over, PAUSE));
    }
  }

  async look() {
    try {
      const told = await this.api.get("/work");
      const fresh = told.owed && told.throw !== this.throw;
      this.show(fresh ? await this.api.get("/work?felt=yes") : told);
      if (!this.order) part("alert").textContent = "";
    } catch (wrong) {
      part("alert").textContent = wrongWords(wrong);
    }
  }

  /** @param {any} told */
  show(told) {
    part("post-name").textContent = `You hold the ${told.post}. The machine deals the rest.`;
    part("clock").textContent = told.owed && told.waits ? `the game waits ${told.waits} s` : "";
    if (!told.owed) {
      if (this.throw !== told.throw) part("stage").hidden = true;
      part("where").textContent = told.throw ? "Nothing to do on this throw. Waiting for the next." : "Waiting for a throw.";
      return;
    }
    if (told.throw === this.throw) return;
    this.throw = told.throw;
    part("mark").hidden = part("answer").hidden = true;
    part("where").textContent = `Throw ${told.throw}`;
    part("ask").textContent = `${told.dice[0]}-${told.dice[1]} is thrown. Take, pay and place what is yours, in order.`;
    const puck = told.puck ? made("span", { class: "puck on" }, `on ${told.puck}`) : made("span", { class: "puck off" }, "off");
    part("facts").replaceChildren(puck, made("span", { class: "thrown", role: "img", "aria-label": `dice ${told.dice[0]} and ${told.dice[1]}` }, die(told.dice[0]), die(told.dice[1])));
    this.order = new Order(told, { label: "Your work" }, (lying) => bankFor(told, lying));
    part("fields").replaceChildren(this.order.element);
    this.felt.show(told.felt, told.wagers);
    part("stage").hidden = part("answer").hidden = false;
    part("ask").focus();
  }

  async done() {
    const steps = (this.order?.steps ?? []).map(({ lying, act, paid }) => ({
      act,
      player: lying.player,
      wager: lying.wager,
      ...(act === "pay" ? { chips: paid.value ?? {} } : {}),
    }));
    try {
      const marked = await this.api.post("/work", { id: randomHex(12), throw: this.throw, steps });
      const head = made("h2", { id: "mark-title" }, marked.right ? "Right" : "Not right");
      part("mark").replaceChildren(head, made("ol", { class: "step-marks" }, ...marked.marks.map(stepMark)));
      part("mark").classList.toggle("right", marked.right);
      part("mark").hidden = false;
      part("stage").hidden = true;
      part("mark").focus();
      part("mark").append(made("p", {}, await keptWords(marked.seq, marked.receipt)));
    } catch (wrong) {
      part("alert").textContent = wrongWords(wrong);
    }
  }
}

/** A step with its mark. @param {any} one */
function stepMark(one) {
  const why = one.because ? `: ${one.because}` : "";
  const words = `${one.right ? "right" : one.number ? "wrong" : "left out"}${why} `;
  return made("li", { class: one.right ? "right" : "wrong" }, made("strong", {}, one.step), ", ", words, ...(one.cite ? [lawLink(one.cite)] : []));
}

/** Whether the work comes back in practice. @param {number} seq @param {string} receipt */
async function keptWords(seq, receipt) {
  try {
    const { name } = await school.worked({ table: part("drill").dataset.table, seq, receipt });
    return `It is kept under your name, ${name}, and comes back in your practice.`;
  } catch {
    return "It is not kept: give your name at the school, and what you do here comes back in your practice.";
  }
}

/** A bank for one payoff, beside the bet that it pays. @param {any} told @param {any} lying */
function bankFor(told, lying) {
  const bet = { name: "the bet", svg: "", words: lying.chips, amount: "", coin: "", piles: lying.piles };
  const sheet = /** @type {any} */ ({ bank: told.bank, stacks: [bet] });
  return new Bank(sheet, { name: "chips", kind: "chips", label: `Paid to ${lying.player}, ${lying.name}` });
}

await new PostPage().begin();
