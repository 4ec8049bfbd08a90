// @ts-check
/** The page of a live table: the seat form, the felt, the status line and the controls. It creates the
 * modules that do the work, hands each new state of the table to all of them, and loads the crew's
 * page for people who hold a post. Every act of a player is a line sent to the server. */

import { TableApi } from "./api.js";
import { BetCosts } from "./bet_costs.js";
import { BetDetails } from "./bet_details.js";
import { Bets } from "./send_bets.js";
import { ChipRack } from "./chip_rack.js";
import { PlayersPanel } from "./players_panel.js";
import { CrewAnimation } from "./crew_animation.js";
import { DiceThrows } from "./dice.js";
import { buttonById, byId, checkedValue, checkRadio, inputById, localStore, makeElement, motionAllowed, onSubmit, showName } from "./dom.js";
import { Felt } from "./felt.js";
import { listenForKeys } from "./keyboard.js";
import { LiveUpdates } from "./live_updates.js";
import { Messages } from "./messages.js";
import { formatDollars } from "./money.js";
import { MyBets } from "./my_bets.js";
import { rememberInvitation } from "./my_tables.js";
import { showNextThrow } from "./next_throw.js";
import { QuickBets } from "./quick_bets.js";
import { Sounds } from "./sounds.js";
import { ThrowHistory } from "./throw_history.js";
import { Viewport } from "./viewport.js";

/** The buttons that send a line of their own, by id. */
const SEAT_LINES = /** @type {const} */ ({
  "take-dice": "take the dice",
  decline: "decline",
  "pass-dice": "pass the dice",
  "all-down": "take me down",
});

/** The page: its modules, the latest state of the table, and what the status line shows. */
export class TablePage {
  /** @type {any} */
  state = null;
  /** Who has the table open. @type {import("./page_stream.js").Presence} */
  presence = { watchers: 0, connected: [] };
  /** @type {import("./felt.js").FeltDrawing | null} */
  feltDrawing = null;
  /** @type {import("./text_mode.js").TextMode | null} */
  #text = null;
  #shownView = "";
  /** @type {Promise<import("./crew_page.js").CrewPage> | null} */
  #crewPage = null;

  constructor() {
    const asHost = new URLSearchParams(location.search).get("as") === "host";
    this.api = new TableApi(location.pathname.split("/")[2] ?? "", "", asHost);
    this.messages = new Messages(this);
    this.updates = new LiveUpdates(this);
    this.felt = new Felt(byId("felt"), {
      bet: (slug) => void this.bets.bet(slug),
      look: (slug) => this.details.show(slug),
      offer: (slug) => this.bets.offer(slug),
      more: (slug) => void this.details.openSheetFor(slug),
      away: () => this.details.setTipShown(false),
      reach: () => this.viewport.showOtherPart(),
    });
    this.viewport = new Viewport(this);
    this.rack = new ChipRack({
      over: (x, y) => this.felt.wagerAt(x, y),
      mark: (slug) => this.felt.markDropTarget(slug),
      bet: (slug, chip, x, y) => {
        this.felt.noteClick(slug, x, y);
        void this.bets.bet(slug, chip);
      },
    });
    this.bets = new Bets(this);
    this.sounds = new Sounds();
    this.history = new ThrowHistory(this.api.table);
    this.crewAnimation = new CrewAnimation(this);
    this.dice = new DiceThrows(this);
    this.myBets = new MyBets(this);
    this.details = new BetDetails(this);
    this.playersPanel = new PlayersPanel(this);
    this.quickBets = new QuickBets(this);
    this.betCosts = new BetCosts(this);
    listenForSeat(this);
    listenForKeys(this);
    this.#listen();
  }

  async start() {
    window.addEventListener("hashchange", () => location.reload()); // The address has another invitation.
    const token = location.hash.slice(1);
    if (/^[A-Za-z0-9]{32,64}$/.test(token)) {
      history.replaceState(null, "", location.pathname);
      await this.#acceptInvitation(token).catch((error) => this.messages.showError(error)); // Everybody may watch an open table.
    }
    await this.updates.start();
    if (token && this.state?.learns) location.replace(`${location.pathname}/learn`); // A learner works on a page of its own.
    if (localStore.get("text") === "on") await this.#setTextMode(true);
    if ("SpeechRecognition" in window) void import("./speech.js").then((speech) => speech.offerSpeech(this));
  }

  /** Trade the token of an invitation for a cookie. Remember an invitation without a name, which this player can pass
   * on to others. @param {string} token */
  async #acceptInvitation(token) {
    const { role, name } = await this.api.storeToken(token);
    if (role === "player" && !name) rememberInvitation(this.api.table, token);
  }

  /** Return a wager's name as the placard words it. @param {string} slug @returns {string} */
  wagerName(slug) {
    return this.felt.cells.get(slug)?.target.name ?? slug;
  }

  /** Return the bets of this player. @returns {{wager: string, amount: string, working: boolean}[]} */
  ownWagers() {
    return this.state?.players.find((/** @type {any} */ p) => p.name === this.state.me)?.wagers ?? [];
  }

  /** Show who is here. @param {import("./page_stream.js").Presence} presence */
  showPresence(presence) {
    this.presence = presence;
    this.playersPanel.showPresence(presence);
  }

  get inTextMode() {
    return this.#text !== null;
  }

  /** @param {any} state */
  async show(state) {
    this.state = state;
    showSeat(state); // The seat form does not wait for the picture.
    const end = state.seat?.end ?? state.watched ?? "left";
    const place = state.seat?.place ?? 0;
    const wanted = `${end}:${place}`;
    if (wanted !== this.#shownView) {
      this.#shownView = wanted;
      this.feltDrawing = /** @type {import("./felt.js").FeltDrawing} */ (await this.api.get(`/felt?end=${end}&place=${place}`));
      this.felt.show(this.feltDrawing);
      this.viewport.update();
    }
    this.rack.show(this.feltDrawing?.chips ?? [], state.limits.least);
    this.viewport.showControls();
    const up = new Map(this.ownWagers().map((w) => [w.wager, `${formatDollars(w.amount)}${w.working ? "" : ", off"}`]));
    this.dice.update(state);
    this.rack.update(state.seat?.here ? state.seat.rail : null);
    this.history.update(state);
    this.sounds.update(state);
    this.felt.update(state.felt, state.me ?? "", state.may, up);
    this.bets.update(state);
    this.myBets.update(state);
    this.quickBets.update();
    this.betCosts.update(state);
    this.details.refresh();
    this.#text?.update(state);
    this.#showStatus(state);
    this.playersPanel.update(state);
    this.messages.showCorrection(state);
    byId("post").hidden = state.post === undefined;
    if (state.post !== undefined) void this.#showCrewPage();
  }

  /** Show the latest state on the crew's page, which is loaded once somebody who holds a post is here. */
  async #showCrewPage() {
    this.#crewPage ??= loadCrewPage(this);
    try {
      (await this.#crewPage).update(this.state);
    } catch {
      this.#crewPage = null; // The connection is lost. The next state tries again.
    }
  }

  /** @param {any} state */
  #showStatus(state) {
    const head = document.querySelector("h1");
    if (head && head.textContent !== state.name) {
      document.title = document.title.replace(head.textContent ?? "", state.name); // The name of a private table is not in the page.
      head.textContent = state.name;
    }
    const player = state.seat !== null && state.role === "player";
    byId("worth-part").hidden = !player;
    const waits = state.now_before !== undefined && this.updates.millisecondsUntil(state.betting_ends) > 0;
    byId("now").textContent = waits ? state.now_before : state.now;
    showNextThrow(state.next);
    byId("rail").textContent = player ? formatDollars(state.seat.rail) : "";
    byId("up").textContent = player ? `${formatDollars(state.seat.up)} on the felt` : "";
    byId("puck").textContent = (state.puck ? `The point is ${state.puck}` : "Coming out") + (state.throws_in_all ? `, ${state.throw_count} of ${state.throws_in_all} throws` : "");
    byId("shooter").textContent = state.shooter ? `${showName(state.shooter)} shoots` : state.automated ? "The machine throws" : "No shooter yet";
    this.dice.showRoll();
    for (const act of ["undo", "ready", "leave"]) {
      buttonById(act).setAttribute("aria-disabled", String(state.acts[act] === undefined || "bar" in state.acts[act]));
      buttonById(act).title = state.acts[act]?.bar?.reason ?? "";
    }
    buttonById("ready").hidden = state.acts.ready === undefined;
    buttonById("repeat").setAttribute("aria-disabled", String(state.repeat.length === 0));
  }

  /** Show tables instead of the felt, or the felt again. @param {boolean} on */
  async #setTextMode(on) {
    localStore.put("text", on ? "on" : "off");
    buttonById("text-mode").setAttribute("aria-pressed", String(on));
    byId("stage").hidden = on;
    if (on) byId("text").before(byId("mine-part"));
    else byId("own-column").prepend(byId("mine-part"));
    byId("text").hidden = !on;
    if (!on) {
      this.#text = null;
      byId("text").replaceChildren();
      this.viewport.update();
      if (this.state) await this.show(this.state);
      return;
    }
    const [{ TextMode }, wagers] = await Promise.all([import("./text_mode.js"), this.details.loadWagers()]);
    this.crewAnimation.finish();
    this.#text = new TextMode(this, wagers);
    this.viewport.update();
    if (this.state) await this.show(this.state);
  }

  /** Empty the box of a line that was taken, and say so: not every line moves chips. @param {string} words */
  #confirmSaid(words) {
    inputById("say").value = "";
    if (!byId("alert").hasChildNodes()) this.messages.showNote(`The dealer has taken "${words}".`);
  }

  #listen() {
    onSubmit(byId("say-form"), () => {
      const words = inputById("say").value.trim();
      if (words) void this.bets.say(words).then((accepted) => accepted && this.#confirmSaid(words));
    });
    buttonById("worth").addEventListener("click", () => {
      import("./bet_values.js").then((worth) => worth.showBetValues(this.api, byId("worth-panel")), (error) => this.messages.showError(error));
    });
    buttonById("repeat").addEventListener("click", () => {
      const lines = this.state?.repeat ?? [];
      if (lines.length) void this.bets.say(lines.join("; "));
      else this.messages.showAlert("There is nothing to repeat: nothing of yours came down.");
    });
    for (const [act, words] of Object.entries(SEAT_LINES)) {
      buttonById(act).addEventListener("click", () => void this.bets.say(words));
    }
    buttonById("text-mode").addEventListener("click", () => void this.#setTextMode(!this.inTextMode));
    checkRadio("pace", localStore.get("pace", motionAllowed() ? "follow" : "instant"));
    byId("paces").addEventListener("change", () => localStore.put("pace", checkedValue("pace", "follow")));
  }
}

/** @param {TablePage} page */
function listenForSeat(page) {
  if (!inputById("name").value) {
    inputById("name").value = showName(localStore.get("name")) || `guest${Math.floor(100 + Math.random() * 900)}`;
  }
  onSubmit(byId("sit"), async () => {
    page.messages.clear();
    const name = inputById("name").value.trim();
    if (!name) {
      page.messages.showAlert("Type a name for yourself first.");
      inputById("name").focus();
      return;
    }
    try {
      await page.api.sit(name, inputById("buy-in").value.trim());
      localStore.put("name", name);
      await page.updates.start(); // The stream now is the player's.
      page.felt.focus(); // The form with the focus is gone.
      page.details.setTipShown(false);
    } catch (error) {
      page.messages.showError(error);
    }
  });
  onSubmit(byId("more-chips"), () => void page.bets.say(`buy in ${inputById("more").value.trim()}`));
}

/** Show the seat form or the controls of a seated player. @param {any} state */
function showSeat(state) {
  const player = state.seat !== null && state.role === "player";
  const seated = player && state.seat.here;
  byId("sit").hidden = player || state.asks_box || !["watcher", "player"].includes(state.role);
  const watches = state.role === "watcher" || (state.role === "player" && !seated);
  byId("controls").hidden = !seated && !watches;
  byId("controls").classList.toggle("watching", watches);
  byId("seat-acts").hidden = !seated;
  byId("say-part").hidden = state.role === "watcher" || (state.role === "player" && !player); // Nobody hears them.
  byId("more-chips").hidden = !player || !state.buys;
  for (const act of Object.keys(SEAT_LINES)) {
    buttonById(act).hidden = state.acts[act] === undefined || "bar" in state.acts[act];
  }
}

/** Load the crew's page and its style sheet. @param {TablePage} page */
async function loadCrewPage(page) {
  document.head.append(makeElement("link", { rel: "stylesheet", href: new URL("./crew_page.css", import.meta.url).href }));
  const { CrewPage } = await import("./crew_page.js");
  const pick = (/** @type {string} */ name) => void page.updates.start(`?player=${encodeURIComponent(name)}`);
  return new CrewPage(byId("post"), (line) => page.bets.say(line), pick, page.api);
}

const page = new TablePage();
page.start().catch((error) => page.messages.showError(error));
