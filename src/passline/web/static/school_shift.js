// @ts-check
/** Deal a shift: players call bets, which are set by hand and said back; then the dice go out, and the
 * learner takes and pays. Nothing is marked before the report. */

import { attempt, describeError, request, sendJson, TableError } from "./api.js";
import { buttonById, byId, checkedValue, checkRadio, inputById, makeButton, makeElement, makeRadios, makeSvg, onSubmit, parseSvgFragment, sessionStore } from "./dom.js";
import { SelectableFelt } from "./felt_picture.js";
import { makePayoff } from "./payoff_delivery.js";
import { houseQuery } from "./school_api.js";
import { bindLargeType, bindSwitch, dragElement, formatTime, makeStack, MAX_VISIT_ANSWERS } from "./school_page.js";
import { makeDicePicture, makePuck, WorkOrder } from "./school_question.js";
import { showShiftReport } from "./shift_report.js";
import { makeSpeechInput } from "./speech.js";

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
});
/** The distance from the rail, in felt units, of chips that a player tosses in. */
const APRON = 22;
/** What a post does when the dice have landed. */
const WORK = /** @type {Record<string, string>} */ ({
  base: "Take, pay and place the bets of your post, in order.",
  stick: "Call the throw in Say; take and pay the bets of the center, in order.",
  box: "Tick what the dealers did wrong.",
});

/** What a post does when a die has left the table. */
const VOID_WORK = /** @type {Record<string, string>} */ ({
  base: "Do what is due, then press Done.",
  stick: "Call it in Say, then press Done.",
  box: "Tick what the dealers did wrong.",
});

class ShiftPage {
  constructor() {
    bindLargeType();
    this.id = "";
    this.token = "";
    /** @type {any} */
    this.state = null;
    /** @type {Map<string, {dollars: string, place: string}>} the bets as set for the selected call */
    this.set = new Map();
    this.selected = 0;
    this.rollAt = performance.now();
    this.endsAt = 0;
    this.hurriedRoll = this.sentRoll = 0;
    /** @type {WorkOrder | null} */
    this.order = null;
    /** @type {Set<number>} */
    this.spoken = new Set();
    this.felt = new SelectableFelt((player, wager) => this.order?.addStepFor(player, wager));
    byId("felt").addEventListener("click", (event) => this.#setOn(/** @type {Element} */ (event.target), event));
    bindSwitch("dealer-side", "school-dealer-side", true, () => this.#turnFelt());
    const speaks = "speechSynthesis" in window;
    byId("speak-part").hidden = !speaks;
    bindSwitch("speak", "school-speak", false, () => {});
    this.#bindButtons();
    void this.#offerSpeech();
    setInterval(() => this.#showClock(), 500);
  }

  /** Add a button to speak instead of typing, where the device recognizes speech. */
  async #offerSpeech() {
    const listen = await makeSpeechInput((words) => {
      inputById("say").value = words || inputById("say").value;
    });
    if (listen) byId("say").closest("label")?.after(makeButton("Speak", listen));
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
      /** @type {HTMLElement | null} */ (byId("set-bets").querySelector("li:last-child input"))?.focus();
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
    } catch (error) {
      // A server that is starting may not answer yet: only a shift that is gone is forgotten.
      const gone = error instanceof TableError && [401, 403, 404].includes(error.status);
      if (gone) sessionStore.put("shift", "");
      else byId("alert").textContent = describeError(error);
    }
  }

  async #load() {
    this.#show(await request(`/api/school/shifts/${this.id}/state`, {}, this.token));
  }

  /** Show the felt as the crew sees it, or as players do. The stick stands on the players' side. */
  #turnFelt() {
    const turns = this.state?.post !== "stick";
    /** @type {HTMLElement} */ (byId("dealer-side").parentElement).hidden = !turns;
    const on = inputById("dealer-side").checked && turns;
    byId("felt").classList.toggle("dealer-side", on);
  }

  /** @param {string} path @param {object} body */
  async #act(path, body) {
    byId("alert").textContent = "";
    try {
      this.#show(await sendJson(`/api/school/shifts/${this.id}/${path}`, body, this.token));
    } catch (error) {
      // What is out of turn is shown as it is now: another tab or the pace went on.
      if (error instanceof TableError && error.status === 409) await attempt(() => this.#load());
      byId("alert").textContent = describeError(error);
      byId("alert").scrollIntoView({ block: "nearest" });
    }
  }

  /** @param {string} action */
  async #answer(action) {
    if (!this.selected) return;
    const booked = action === "book" ? [...this.set] : [];
    const set = Object.fromEntries(booked.map(([wager, { dollars }]) => [wager, dollars]));
    const at = Object.fromEntries(booked.map(([wager, { place }]) => [wager, Number(place)]));
    if (booked.some(([, { place }]) => !/^[1-9]\d?$/.test(place))) {
      byId("alert").textContent = "Enter the position of each bet: whose share of the layout it lies in.";
      return;
    }
    const amount = action === "pay" ? inputById("claim-amount").value.trim() : null;
    await this.#act("calls", { call: this.selected, action, set, at, say: inputById("say").value.trim(), amount });
  }

  async #done() {
    const steps = (this.order?.steps ?? []).map(({ bet, act, paid }) => ({ act, player: bet.player, wager: bet.wager, ...(act === "pay" ? { chips: paid.value ?? {}, to: /** @type {any} */ (paid).to } : {}) }));
    const wrong = [...byId("fields").querySelectorAll("input[type=checkbox]:checked")].map((tick) => Number(/** @type {HTMLInputElement} */ (tick).value));
    await this.#act("done", { steps, say: inputById("say").value.trim(), wrong });
  }

  /** @param {any} state */
  #show(state) {
    if (state.told) byId("alert").textContent = state.told;
    const fresh = !this.state || this.state.phase !== state.phase || this.state.roll !== state.roll;
    this.state = state;
    if (state.phase === "over") return void attempt(() => this.#showReport());
    const begins = byId("shift").hidden;
    byId("start").hidden = true;
    byId("shift").hidden = false;
    if (!byId("symbols").childNodes.length) byId("symbols").append(parseSvgFragment(state.symbols));
    byId("post-name").textContent = `You hold the ${{ base: "left base", stick: "stick", box: "box" }[/** @type {"base"} */ (state.post)]}. Nothing is marked before the end.`;
    byId("where").textContent = `Roll ${state.roll} of ${state.rolls}. ${state.void ? `${state.void_call} ${VOID_WORK[state.post]}` : (PHASES[state.phase] ?? WORK[state.post])}`;
    byId("facts").replaceChildren(makePuck(state.puck), ...(state.dice ? [makeDicePicture(state.dice)] : []));
    const seen = checkedValue("view", POST_VIEWS[state.post] ?? "whole");
    this.felt.show(state.felt, state.wagers, seen);
    this.#turnFelt();
    byId("set-as-part").hidden = state.post === "stick";
    byId("call-box").hidden = state.post === "box";
    if (this.hurriedRoll !== state.roll) byId("hurry").textContent = "";
    if (fresh) this.#showWork(state);
    this.#showCalls(state);
    buttonById("dice-out").disabled = state.phase !== "betting";
    buttonById("done").disabled = state.phase === "betting";
    this.rollAt = performance.now() - state.gone * 1000;
    this.endsAt = performance.now() + (state.left ?? 0) * 1000;
    this.#showClock();
    if (begins) byId("shift").scrollIntoView(); // The felt and the calls together, also on a low screen.
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
    } else byId("fields").replaceChildren(...(state.phase === "work" ? [makeElement("p", { class: "empty" }, state.post === "box" ? "The dealers did nothing." : "There are no bets at your post.")] : []));
  }

  /** @param {any} state */
  #showCalls(state) {
    /** @type {Call[]} */
    const calls = state.calls;
    if (!calls.some((call) => call.id === this.selected)) this.#select(calls[0]?.id ?? 0);
    byId("calls").replaceChildren(...(calls.length ? calls.map((call) => this.#makeCard(call)) : [makeElement("p", { class: "empty" }, "No calls are open.")]));
    this.#layOnAprons(calls);
    byId("call-acts").hidden = byId("booking").hidden = !this.selected;
    const list = byId("set-on");
    list.replaceChildren(makeElement("option", { value: "" }, "Choose a bet"), ...state.targets.map((/** @type {any} */ item) => makeElement("option", { value: item.wager }, item.name)));
    this.#showSet();
    for (const call of calls) {
      if (!this.spoken.has(call.id)) this.#speak(`${call.player}: ${call.say}`);
      this.spoken.add(call.id);
    }
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
    const card = makeElement("label", { class: "call-card" }, radio, makeElement("span", {}, makeElement("b", {}, `${call.player}, position ${call.place}`), " ", makeElement("q", {}, call.say)), chips);
    chips?.addEventListener("pointerdown", (event) => this.#drag(event, call));
    return card;
  }

  /** Lay the chips that players tossed in on the felt: each before its player, or before the stick where the player is out
   * of view. @param {Call[]} calls */
  #layOnAprons(calls) {
    const svg = byId("felt").querySelector("svg");
    /** @type {SVGGraphicsElement | null | undefined} */
    const cloth = svg?.querySelector(".cloth");
    if (!svg || !cloth) return;
    const { width, height } = cloth.getBBox();
    const values = new Map(this.state.bank);
    const view = svg.viewBox.baseVal;
    let far = view.x + APRON;
    for (const call of calls) {
      const plate = svg.querySelector(`.plate[data-player="${CSS.escape(call.player)}"] text`);
      if (!plate || !call.stack) continue;
      const [x, y] = [Number(plate.getAttribute("x")), Number(plate.getAttribute("y"))];
      const along = x > 0 && x < width; // Along the rail: side by side, or at an end one above the other.
      const piles = call.stack.piles.map((/** @type {[string, number]} */ [color], /** @type {number} */ at) => makeSvg("g", { transform: along ? `translate(${at * 18} 0)` : `translate(0 ${at * 18})` }, makeSvg("use", { href: `#edge-${color}` }), makeSvg("use", { href: `#chip-${color}-${values.get(color)}`, y: -1.7 })));
      const seen = x >= view.x && x <= view.x + view.width;
      const [left, top] = seen ? [Math.min(Math.max(x, APRON), width - APRON), Math.min(Math.max(y, APRON), height - APRON)] : [far, height - APRON];
      if (!seen) far += 18 * (piles.length + 1);
      const chips = makeSvg("g", { class: "apron-chips tossed", transform: `translate(${left} ${top})` }, makeSvg("title", {}, `${call.player}: ${call.stack.words}`), ...piles);
      chips.addEventListener("pointerdown", (event) => this.#drag(/** @type {PointerEvent} */ (event), call));
      svg.append(chips);
    }
  }

  /** Drag the chips of a call to a part of the felt. @param {PointerEvent} event @param {Call} call */
  #drag(event, call) {
    event.preventDefault();
    const radio = /** @type {HTMLInputElement} */ (byId("calls").querySelector(`input[value="${call.id}"]`));
    radio.checked = true;
    if (this.selected !== call.id) {
      this.#select(call.id);
      this.#showSet();
    }
    const shown = /** @type {HTMLElement} */ (radio.closest("label")?.querySelector(".tossed"));
    dragElement(event, shown, (under, at) => {
      if (byId("felt").contains(under)) this.#setOn(under, at);
    });
  }

  /** Set a bet of the selected call on a part of the felt, in the share at a point of the window.
   * @param {Element} part @param {{clientX: number, clientY: number}} at */
  #setOn(part, at) {
    const slugs = (part.closest("[data-slugs]")?.getAttribute("data-slugs") ?? "").split(" ");
    const targets = new Set(this.state?.targets.map((/** @type {any} */ item) => item.wager));
    const mine = slugs.filter((slug) => targets.has(slug));
    if (!this.selected || !mine.length) return;
    const kind = checkedValue("set-as", "place-");
    const wager = mine.find((slug) => (kind === "odds" ? slug.includes("odds") : slug.startsWith(kind))) ?? mine[0] ?? "";
    this.#addBet(wager, this.#findShare(part, wager, at));
  }

  /** Return the rail position whose share of a wager is nearest to a point of the window. @param {Element} part
   * @param {string} wager @param {{clientX: number, clientY: number}} at */
  #findShare(part, wager, at) {
    const turn = part.closest("svg")?.getScreenCTM()?.inverse();
    /** @type {number[][]} */
    const shares = this.state.targets.find((/** @type {any} */ item) => item.wager === wager)?.shares ?? [];
    if (!turn || !shares.length) return "";
    const { x, y } = new DOMPoint(at.clientX, at.clientY).matrixTransform(turn);
    const far = (/** @type {number[]} */ [, left = 0, top = 0]) => Math.hypot(left - x, top - y);
    return String(shares.reduce((best, share) => (far(share) < far(best) ? share : best))[0]);
  }

  /** @param {string} wager @param {string} [place] the rail position whose share it is set in */
  #addBet(wager, place = "") {
    const call = this.state.calls.find((/** @type {Call} */ item) => item.id === this.selected);
    const placed = [...this.set.values()].reduce((sum, { dollars }) => sum + (Number(dollars) || 0), 0);
    const tossed = Math.max(0, Number(call?.amount ?? 0) - placed);
    const dollars = this.set.get(wager)?.dollars ?? String(tossed + Number(call?.up[wager] ?? 0) || "");
    this.set.set(wager, { dollars, place });
    this.#showSet();
  }

  #showSet() {
    const names = new Map(this.state?.targets.map((/** @type {any} */ item) => [item.wager, item.name]));
    const rows = [...this.set].map(([wager, bet]) => {
      const name = String(names.get(wager) ?? wager);
      const amount = makeElement("input", { type: "text", class: "amount", inputmode: "decimal", maxlength: "12", value: bet.dollars, "aria-label": `${name}, dollars` });
      amount.addEventListener("input", () => (bet.dollars = amount.value.trim().replace(/^\$/, "")));
      const place = makeElement("input", { type: "text", class: "place", inputmode: "numeric", maxlength: "2", value: bet.place, "aria-label": `${name}, position` });
      place.addEventListener("input", () => (bet.place = place.value.trim()));
      const remove = makeButton("×", () => {
        this.set.delete(wager);
        this.#showSet();
      }, `Not ${name}`, "quiet small");
      return makeElement("li", {}, makeElement("span", {}, name), makeElement("span", {}, "$", amount), makeElement("span", {}, "position ", place), remove);
    });
    byId("set-bets").replaceChildren(...rows);
  }

  /** @param {string} words */
  #speak(words) {
    if (inputById("speak").checked && "speechSynthesis" in window) speechSynthesis.speak(new SpeechSynthesisUtterance(words));
  }

  #showClock() {
    if (!this.state || this.state.phase === "over") return;
    const gone = (performance.now() - this.rollAt) / 1000;
    const left = this.state.audition ? `, ${formatTime(Math.max(0, (this.endsAt - performance.now()) / 1000))} left` : "";
    byId("clock").textContent = `${formatTime(gone)} (pace: ${formatTime(this.state.seconds)} a roll)${left}`;
    byId("clock").classList.toggle("late", gone > this.state.seconds);
    if (gone > this.state.seconds && this.hurriedRoll !== this.state.roll) this.#hurry();
    // The server sends the dice out when the players have waited twice as long, and ends an audition.
    const late = this.state.phase === "betting" && gone > 2 * this.state.seconds + 1 && this.sentRoll !== this.state.roll;
    if (late) this.sentRoll = this.state.roll;
    if (late || (this.state.audition && performance.now() > this.endsAt + 1000)) {
      this.endsAt = Infinity;
      void attempt(() => this.#load());
    }
  }

  /** Show that a player hurries the crew. */
  #hurry() {
    this.hurriedRoll = this.state.roll;
    const { player, say } = this.state.hurry;
    byId("hurry").textContent = `${player}: ${say}`;
    this.#speak(say);
  }

  async #showReport() {
    sessionStore.put("shift", "");
    if (this.state.audition) return location.assign("/school/audition");
    if (this.state.answers) rememberAnswers(this.state.answers);
    history.replaceState(null, "", `#${this.id}`); // The way back from a replay leads here.
    return showReportOf(this.id);
  }
}

/** Show the report of a shift that is over. @param {string} shift */
async function showReportOf(shift) {
  const report = await request(`/api/school/shifts/${encodeURIComponent(shift)}`);
  if (!report.over) return;
  byId("shift").hidden = byId("start").hidden = byId("post-name").hidden = true;
  showShiftReport(report);
}

/** Return the dealers' steps, to tick the wrong ones. @param {string[]} steps */
function makeWatchList(steps) {
  const items = steps.map((words, at) => makeElement("li", {}, makeElement("label", { class: "choice" }, makeElement("input", { type: "checkbox", value: String(at + 1) }), makeElement("span", {}, words))));
  return makeElement("fieldset", { class: "choices-list" }, makeElement("legend", {}, "The dealers' work: tick what is wrong"), makeElement("ol", {}, ...items));
}

/** Add a visitor's answers to those that this tab stores; practice without a name is chosen by them. @param {object[]} answers */
function rememberAnswers(answers) {
  const visit = JSON.parse(sessionStore.get("school-visit", "[]"));
  sessionStore.put("school-visit", JSON.stringify([...visit, ...answers].slice(-MAX_VISIT_ANSWERS)));
}

const page = new ShiftPage();
const kept = sessionStore.get("shift");
if (kept) await page.resume(kept);
else if (location.hash) await attempt(() => showReportOf(location.hash.slice(1)));
