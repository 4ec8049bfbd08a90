// @ts-check
/** Deal a shift: players call bets, which are set by hand and said back; then the dice go out, and the
 * learner takes and pays. Nothing is marked before the report. */

import { attempt, describeError, request, sendJson } from "./api.js";
import { buttonById, byId, checkedValue, citationLink, inputById, makeButton, makeElement, makeFacts, makeRadios, makeTable, onSubmit, parseSvgFragment, sessionStore } from "./dom.js";
import { SelectableFelt } from "./felt_picture.js";
import { houseQuery } from "./school_api.js";
import { bindLargeType, bindSwitch, formatTime, makeStack } from "./school_page.js";
import { makeDicePicture, makePuck, PayoffBuilder, WorkOrder } from "./school_question.js";

/** @typedef {{id: number, player: string, place: number, say: string, stack: any, amount: string, up: Record<string, string>}} Call */

const SET_AS = [
  ["place-", "Place"],
  ["buy-", "Buy"],
  ["lay-", "Lay"],
  ["odds", "Odds"],
];
/** The part of the felt that a post works at. @type {Record<string, string>} */
const POST_VIEWS = { base: "end:left", stick: "center", box: "whole" };
const PHASES = /** @type {Record<string, string>} */ ({
  betting: "Bets are called. Book them, then send the dice out.",
  out: "The dice are in the air.",
  work: "Take, pay and place the bets of your post, in order.",
});

class ShiftPage {
  constructor() {
    bindLargeType();
    this.id = "";
    this.token = "";
    /** @type {any} */
    this.state = null;
    /** @type {Map<string, string>} dollars by wager, as set for the selected call */
    this.set = new Map();
    this.selected = 0;
    this.phaseAt = performance.now();
    /** @type {WorkOrder | null} */
    this.order = null;
    /** @type {Set<number>} */
    this.spoken = new Set();
    this.felt = new SelectableFelt((player, wager) => this.order?.addStepFor(player, wager));
    byId("felt").addEventListener("click", (event) => this.#setOn(/** @type {Element} */ (event.target)));
    bindSwitch("dealer-side", "school-dealer-side", true, () => this.#turnFelt());
    const speaks = "speechSynthesis" in window;
    byId("speak-part").hidden = !speaks;
    bindSwitch("speak", "school-speak", false, () => {});
    this.#bindButtons();
    setInterval(() => this.#showClock(), 500);
  }

  #bindButtons() {
    onSubmit(byId("start"), () => void attempt(() => this.start()));
    buttonById("book-it").addEventListener("click", () => void this.#answer("book"));
    buttonById("no-bet").addEventListener("click", () => void this.#answer("refuse"));
    buttonById("call-box").addEventListener("click", () => void this.#answer("box"));
    buttonById("pay-claim").addEventListener("click", () => void this.#answer("pay"));
    buttonById("dice-out").addEventListener("click", () => void this.#act("dice-out", {}));
    buttonById("done").addEventListener("click", () => void this.#done());
    buttonById("end").addEventListener("click", () => void this.#act("end", {}));
    inputById("say").addEventListener("keydown", (event) => {
      if (event.key === "Enter" && this.selected) void this.#answer("book");
    });
    const list = /** @type {HTMLSelectElement} */ (byId("set-on"));
    list.addEventListener("change", () => {
      if (list.value) this.#addBet(list.value);
      list.value = "";
    });
    byId("set-as").replaceChildren(...makeRadios("set-as", SET_AS, "place-"));
  }

  async start() {
    const body = {
      post: /** @type {HTMLSelectElement} */ (byId("post")).value,
      ...houseQuery(/** @type {HTMLSelectElement} */ (byId("book")).value, /** @type {HTMLTextAreaElement} */ (byId("house")).value),
      pace: Number(/** @type {HTMLSelectElement} */ (byId("pace")).value),
      rolls: Number(inputById("rolls").value),
    };
    const { shift, token, table } = await sendJson("/api/school/shifts", body);
    this.id = shift;
    this.token = token;
    sessionStore.put("shift", `${shift} ${token}`);
    await sendJson(`/api/tables/${encodeURIComponent(table)}/cookie`, { token }).catch(() => undefined);
    await this.#load();
  }

  /** Go on with a shift that this tab began. @param {string} kept */
  async resume(kept) {
    [this.id = "", this.token = ""] = kept.split(" ");
    try {
      await this.#load();
    } catch {
      sessionStore.put("shift", "");
    }
  }

  async #load() {
    this.#show(await request(`/api/school/shifts/${this.id}/state`, {}, this.token));
  }

  /** Show the felt as the crew sees it, or as players do. The stick stands on the players' side. */
  #turnFelt() {
    const on = inputById("dealer-side").checked && this.state?.post !== "stick";
    byId("felt").classList.toggle("dealer-side", on);
  }

  /** @param {string} path @param {object} body */
  async #act(path, body) {
    byId("alert").textContent = "";
    try {
      this.#show(await sendJson(`/api/school/shifts/${this.id}/${path}`, body, this.token));
    } catch (error) {
      byId("alert").textContent = describeError(error);
      byId("alert").scrollIntoView({ block: "nearest" });
    }
  }

  /** @param {string} action */
  async #answer(action) {
    if (!this.selected) return;
    const set = action === "book" ? Object.fromEntries(this.set) : {};
    const amount = action === "pay" ? inputById("claim-amount").value.trim() : null;
    await this.#act("calls", { call: this.selected, action, set, say: inputById("say").value.trim(), amount });
  }

  async #done() {
    const steps = (this.order?.steps ?? []).map(({ bet, act, paid }) => ({ act, player: bet.player, wager: bet.wager, ...(act === "pay" ? { chips: paid.value ?? {} } : {}) }));
    const wrong = [...byId("fields").querySelectorAll("input[type=checkbox]:checked")].map((tick) => Number(/** @type {HTMLInputElement} */ (tick).value));
    await this.#act("done", { steps, say: inputById("say").value.trim(), wrong });
  }

  /** @param {any} state */
  #show(state) {
    const fresh = !this.state || this.state.phase !== state.phase || this.state.roll !== state.roll;
    this.state = state;
    if (state.phase === "over") return void attempt(() => this.#showReport());
    byId("start").hidden = true;
    byId("shift").hidden = false;
    if (!byId("symbols").childNodes.length) byId("symbols").append(parseSvgFragment(state.symbols));
    byId("post-name").textContent = `You hold the ${{ base: "left base", stick: "stick", box: "box" }[/** @type {"base"} */ (state.post)]}. Nothing is marked before the end.`;
    byId("where").textContent = `Roll ${state.roll} of ${state.rolls}. ${state.void ? "A die left the table: no roll." : PHASES[state.phase]}`;
    byId("facts").replaceChildren(makePuck(state.puck), ...(state.dice ? [makeDicePicture(state.dice)] : []));
    const seen = checkedValue("view", POST_VIEWS[state.post] ?? "whole");
    this.felt.show(state.felt, state.wagers, seen);
    this.#turnFelt();
    byId("set-as-part").hidden = state.post !== "base";
    if (fresh) this.#showWork(state);
    this.#showCalls(state);
    buttonById("dice-out").disabled = state.phase !== "betting";
    buttonById("done").disabled = state.phase === "betting";
    if (fresh) this.phaseAt = performance.now();
    return undefined;
  }

  /** @param {any} state */
  #showWork(state) {
    this.order = null;
    inputById("say").value = "";
    if (state.steps.length) byId("fields").replaceChildren(makeWatchList(state.steps));
    else if (state.wagers.length) {
      this.order = new WorkOrder(state, { label: "Your work" }, (bet) => makePayoff(state, bet));
      byId("fields").replaceChildren(this.order.element);
    } else byId("fields").replaceChildren();
  }

  /** @param {any} state */
  #showCalls(state) {
    /** @type {Call[]} */
    const calls = state.calls;
    if (!calls.some((call) => call.id === this.selected)) this.#select(calls[0]?.id ?? 0);
    byId("calls").replaceChildren(...(calls.length ? calls.map((call) => this.#makeCard(call)) : [makeElement("p", { class: "empty" }, "No calls are open.")]));
    byId("call-acts").hidden = byId("booking").hidden = !this.selected;
    const list = byId("set-on");
    list.replaceChildren(makeElement("option", { value: "" }, "Choose a bet"), ...state.targets.map((/** @type {any} */ item) => makeElement("option", { value: item.wager }, item.name)));
    this.#showSet();
    for (const call of calls) this.#speak(call);
  }

  /** @param {number} id */
  #select(id) {
    this.selected = id;
    this.set.clear();
    inputById("claim-amount").value = "";
    if (this.state?.phase !== "work" || this.state?.post !== "stick") inputById("say").value = "";
  }

  /** @param {Call} call */
  #makeCard(call) {
    const radio = makeElement("input", { type: "radio", name: "call", value: String(call.id), checked: call.id === this.selected });
    radio.addEventListener("change", () => {
      this.#select(call.id);
      this.#showSet();
      byId("call-acts").hidden = byId("booking").hidden = false;
    });
    const chips = call.stack ? makeElement("span", { class: "tossed" }, makeStack(call.stack)) : null;
    const card = makeElement("label", { class: "call-card" }, radio, makeElement("span", {}, makeElement("b", {}, `${call.player}, place ${call.place}`), " ", makeElement("q", {}, call.say)), chips);
    if (chips) chips.addEventListener("pointerdown", (event) => this.#drag(event, call, radio));
    return card;
  }

  /** Drag the chips of a call to the felt. @param {PointerEvent} event @param {Call} call @param {HTMLInputElement} radio */
  #drag(event, call, radio) {
    event.preventDefault();
    radio.checked = true;
    if (this.selected !== call.id) {
      this.#select(call.id);
      this.#showSet();
    }
    const source = /** @type {HTMLElement} */ (event.currentTarget);
    const ghost = /** @type {HTMLElement} */ (source.cloneNode(true));
    ghost.classList.add("dragged");
    ghost.setAttribute("aria-hidden", "true");
    document.body.append(ghost);
    const move = (/** @type {PointerEvent} */ at) => {
      ghost.style.left = `${at.clientX}px`;
      ghost.style.top = `${at.clientY}px`;
    };
    const drop = (/** @type {PointerEvent} */ at) => {
      window.removeEventListener("pointermove", move);
      ghost.remove();
      const under = document.elementFromPoint(at.clientX, at.clientY);
      if (under && byId("felt").contains(under)) this.#setOn(under);
    };
    move(event);
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", drop, { once: true });
  }

  /** Set a bet of the selected call on a part of the felt. @param {Element} part */
  #setOn(part) {
    const slugs = (part.closest("[data-slugs]")?.getAttribute("data-slugs") ?? "").split(" ");
    const targets = new Set(this.state?.targets.map((/** @type {any} */ item) => item.wager));
    const mine = slugs.filter((slug) => targets.has(slug));
    if (!this.selected || !mine.length) return;
    const kind = checkedValue("set-as", "place-");
    this.#addBet(mine.find((slug) => (kind === "odds" ? slug.includes("odds") : slug.startsWith(kind))) ?? mine[0] ?? "");
  }

  /** @param {string} wager */
  #addBet(wager) {
    const call = this.state.calls.find((/** @type {Call} */ item) => item.id === this.selected);
    const placed = [...this.set.values()].reduce((sum, dollars) => sum + (Number(dollars) || 0), 0);
    const tossed = Math.max(0, Number(call?.amount ?? 0) - placed);
    this.set.set(wager, String(tossed + Number(call?.up[wager] ?? 0) || ""));
    this.#showSet();
    byId("set-bets").querySelector("input")?.focus();
  }

  #showSet() {
    const names = new Map(this.state?.targets.map((/** @type {any} */ item) => [item.wager, item.name]));
    const rows = [...this.set].map(([wager, dollars]) => {
      const name = String(names.get(wager) ?? wager);
      const amount = makeElement("input", { type: "text", class: "amount", inputmode: "decimal", maxlength: "12", value: dollars, "aria-label": `${name}, dollars` });
      amount.addEventListener("input", () => this.set.set(wager, amount.value.trim().replace(/^\$/, "")));
      const remove = makeButton("×", () => {
        this.set.delete(wager);
        this.#showSet();
      }, `Not ${name}`, "quiet small");
      return makeElement("li", {}, makeElement("span", {}, name), " $", amount, remove);
    });
    byId("set-bets").replaceChildren(...rows);
  }

  /** @param {Call} call */
  #speak(call) {
    if (this.spoken.has(call.id)) return;
    this.spoken.add(call.id);
    if (inputById("speak").checked && "speechSynthesis" in window) speechSynthesis.speak(new SpeechSynthesisUtterance(call.say));
  }

  #showClock() {
    if (!this.state || this.state.phase === "over") return;
    const gone = (performance.now() - this.phaseAt) / 1000;
    byId("clock").textContent = `${formatTime(gone)} (pace: ${formatTime(this.state.seconds)} a roll)`;
    byId("clock").classList.toggle("late", gone > this.state.seconds);
  }

  async #showReport() {
    sessionStore.put("shift", "");
    const report = await request(`/api/school/shifts/${this.id}`);
    byId("shift").hidden = byId("start").hidden = true;
    showReport(report);
  }
}

/** Return the bank to build one payoff from. @param {any} state @param {any} bet */
function makePayoff(state, bet) {
  const stack = { name: "the bet", svg: "", words: bet.chips, amount: "", coin: "", piles: bet.piles };
  return new PayoffBuilder(/** @type {any} */ ({ bank: state.bank, stacks: [stack] }), { name: "chips", kind: "chips", label: `Paid to ${bet.player}, ${bet.name}` });
}

/** Return the dealers' steps, to tick the wrong ones. @param {string[]} steps */
function makeWatchList(steps) {
  const items = steps.map((words, at) => makeElement("li", {}, makeElement("label", { class: "choice" }, makeElement("input", { type: "checkbox", value: String(at + 1) }), makeElement("span", {}, words))));
  return makeElement("fieldset", { class: "choices-list" }, makeElement("legend", {}, "The dealers' work: tick what is wrong"), makeElement("ol", {}, ...items));
}

/** Return a clause as a link, or a custom in words. @param {string} cite */
const makeCite = (cite) => (!cite || cite.startsWith("custom") ? makeElement("span", { class: "cite" }, cite) : citationLink(cite));

/** @param {any} report */
function showReport(report) {
  const facts = [
    ["Post", report.post],
    ["Rulebook", report.rulebook],
    ["Rolls", `${report.thrown} of ${report.rolls}`],
    ["Rolls an hour", report.rolls_per_hour === null ? "–" : `${report.rolls_per_hour} (pace ${report.pace})`],
    ["Right", `${report.right} of ${report.of}`],
    ["Lost by the house", `$${report.house_lost}`],
    ["Lost by players", `$${report.players_lost}`],
    ["Bets missed", String(report.bets_missed)],
    ["Order faults", String(report.order_faults)],
  ];
  const clauses = report.clauses.map((/** @type {any} */ item) => [citationLink(item.clause), item.rule, String(item.mistakes)]);
  const mistakes = report.mistakes.map((/** @type {any} */ item) => makeElement("li", {}, makeElement("b", {}, `Roll ${item.roll}, ${item.kind}`), `: ${item.words} `, makeCite(item.cite), " ", makeElement("a", { href: item.replay }, "Replay")));
  byId("report").replaceChildren(
    makeElement("h2", { id: "report-title" }, "Shift report"),
    makeFacts(facts),
    makeElement("h3", {}, "Clause by clause"),
    clauses.length ? makeTable("Clause by clause", ["Clause", "Rule", "#Mistakes"], clauses) : makeElement("p", {}, "No clause was broken."),
    makeElement("h3", {}, "Mistakes"),
    mistakes.length ? makeElement("ol", { class: "shift-mistakes" }, ...mistakes) : makeElement("p", {}, "None."),
    makeElement("p", { class: "acts" }, makeElement("a", { class: "button", href: "/school/practice" }, "Practice what went wrong"), makeElement("a", { class: "button quiet", href: "/school/shift" }, "Another shift")),
  );
  byId("report").hidden = false;
  byId("report").focus();
}

const page = new ShiftPage();
const kept = sessionStore.get("shift");
if (kept) await page.resume(kept);
