// @ts-check
/** The page of a learner who holds a post at a live table: the work of each throw in order, payoffs built
 * from the bank, and the mark. */

import { attempt, describeError, randomHex, TableApi } from "./api.js";
import { byId, citationLink, makeElement, onSubmit } from "./dom.js";
import { SelectableFelt } from "./felt_picture.js";
import { school } from "./school_api.js";
import { bindLargeType } from "./school_page.js";
import { makeDicePicture, makePuck, PayoffBuilder, WorkOrder } from "./school_question.js";

const REFRESH_MS = 1500; // Milliseconds between two requests for the table's work.

/** The work of the current throw, and its mark. */
class LearnerPostPage {
  constructor() {
    bindLargeType();
    this.api = new TableApi(byId("drill").dataset.table ?? "");
    /** @type {WorkOrder | null} */
    this.order = null;
    this.throw = -1;
    this.felt = new SelectableFelt((player, wager) => this.order?.addStepFor(player, wager));
    onSubmit(byId("answer"), () => void attempt(() => this.send()));
  }

  async start() {
    const token = location.hash.slice(1);
    if (token) {
      history.replaceState(null, "", location.pathname);
      await this.api.storeToken(token);
    }
    for (;;) {
      await this.refresh();
      await new Promise((over) => setTimeout(over, REFRESH_MS));
    }
  }

  async refresh() {
    try {
      const data = await this.api.get("/work");
      const fresh = data.owed && data.throw !== this.throw;
      this.show(fresh ? await this.api.get("/work?felt=yes") : data);
      if (!this.order) byId("alert").textContent = "";
    } catch (error) {
      byId("alert").textContent = describeError(error);
    }
  }

  /** @param {any} data */
  show(data) {
    byId("post-name").textContent = `You hold the ${data.post}. The machine deals the rest.`;
    byId("clock").textContent = data.owed && data.waits ? `the game waits ${data.waits} s` : "";
    if (!data.owed) {
      if (this.throw !== data.throw) byId("stage").hidden = true;
      byId("where").textContent = data.throw ? "Nothing to do on this throw. Waiting for the next." : "Waiting for a throw.";
      return;
    }
    if (data.throw === this.throw) return;
    this.throw = data.throw;
    byId("mark").hidden = byId("answer").hidden = true;
    byId("where").textContent = `Throw ${data.throw}`;
    byId("ask").textContent = `${data.dice[0]}-${data.dice[1]} was thrown. Take, pay and place the bets of your post, in order.`;
    byId("facts").replaceChildren(makePuck(data.puck), makeDicePicture(data.dice));
    this.order = new WorkOrder(data, { label: "Your work" }, (bet) => makePayoffBuilder(data, bet));
    byId("fields").replaceChildren(this.order.element);
    this.felt.show(data.felt, data.wagers);
    byId("stage").hidden = byId("answer").hidden = false;
    byId("ask").focus();
  }

  async send() {
    const steps = (this.order?.steps ?? []).map(({ bet, act, paid }) => ({
      act,
      player: bet.player,
      wager: bet.wager,
      ...(act === "pay" ? { chips: paid.value ?? {} } : {}),
    }));
    const marked = await this.api.post("/work", { id: randomHex(12), throw: this.throw, steps });
    const head = makeElement("h2", { id: "mark-title" }, marked.right ? "Right" : "Not right");
    byId("mark").replaceChildren(head, makeElement("ol", { class: "step-marks" }, ...marked.marks.map(makeStepMark)));
    byId("mark").classList.toggle("right", marked.right);
    byId("mark").hidden = false;
    byId("stage").hidden = true;
    byId("mark").focus();
    byId("mark").append(makeElement("p", {}, await storeWork(marked.seq, marked.receipt)));
  }
}

/** Return a step of the work with its mark. @param {any} item */
function makeStepMark(item) {
  const why = item.because ? `: ${item.because}` : "";
  const words = `${item.right ? "right" : item.number ? "wrong" : "left out"}${why} `;
  return makeElement("li", { class: item.right ? "right" : "wrong" }, makeElement("strong", {}, item.step), ", ", words, ...(item.cite ? [citationLink(item.cite)] : []));
}

/** Store the marked work for practice. Return a sentence that says whether that worked. @param {number} seq @param {string} receipt */
async function storeWork(seq, receipt) {
  try {
    const { name } = await school.storeWork({ table: byId("drill").dataset.table, seq, receipt });
    return `Stored under your name, ${name}. Practice will repeat it.`;
  } catch {
    return "Not stored. Enter your name at the school, and practice will repeat your work here.";
  }
}

/** Return the bank to build one payoff from, beside the bet that it pays. @param {any} data @param {any} bet */
function makePayoffBuilder(data, bet) {
  const stack = { name: "the bet", svg: "", words: bet.chips, amount: "", coin: "", piles: bet.piles };
  const question = /** @type {any} */ ({ bank: data.bank, stacks: [stack] });
  return new PayoffBuilder(question, { name: "chips", kind: "chips", label: `Paid to ${bet.player}, ${bet.name}` });
}

await new LearnerPostPage().start();
