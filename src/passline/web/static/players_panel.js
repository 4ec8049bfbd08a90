// @ts-check
/** The players panel of a table: who is here and who watches, invitations, leaving and coming back. */

import { TableApi } from "./api.js";
import { buttonById, byId, makeButton, makeElement, makeFacts, makeInvitation, makeSvg, showName } from "./dom.js";
import { HostPanel } from "./host_panel.js";
import { formatDollars, parseCents } from "./money.js";
import { hostsTable, invitationToken, knownInvitation, rememberSeat } from "./my_tables.js";
import { makeQrCode, qrPath } from "./qr_code.js";

/** @typedef {{name: string, bought_in: string, rail: string, up: string, net: string, throws: number,
 *   best_hand: {shooter: string, throws: number} | null, decisions: string | null, luck: string | null}} Summary */

/** The list of players, the count of watchers, and the dialogs. */
export class PlayersPanel {
  /** @type {import("./page_stream.js").Presence} */
  #presence = { watchers: 0, connected: [] };
  #table = "";
  #dailyEnded = false;

  /** @param {import("./table.js").TablePage} page */
  constructor(page) {
    this.page = page;
    this.#table = page.api.table;
    this.hostApi = hostsTable(this.#table) ? new TableApi(this.#table, "", true) : null;
    this.hostPanel = this.hostApi && !page.api.asHost ? new HostPanel(this.hostApi) : null;
    this.returnPart = makeElement("p", { class: "return-part", hidden: true });
    byId("sit").before(this.returnPart);
    buttonById("invite").addEventListener("click", () => void this.#invite());
    buttonById("leave").addEventListener("click", () => this.#askToLeave());
    if (this.hostPanel) byId("post").before(this.hostPanel.element);
  }

  /** @param {import("./page_stream.js").Presence} presence */
  showPresence(presence) {
    this.#presence = presence;
    if (this.page.state) this.#showPeople(this.page.state);
  }

  /** @param {any} state */
  update(state) {
    const isPlayer = state.role === "player" && state.seat !== null;
    if (isPlayer && !state.throws_in_all) rememberSeat(this.#table, state.me);
    buttonById("invite").hidden = state.throws_in_all !== undefined || !(state.open || this.hostApi || isPlayer || state.role === "floor");
    this.#showPeople(state);
    this.#showReturn(state);
    this.hostPanel?.update(state);
    if (state.over) this.#showDailyEnd();
  }

  /** Show the result of a Daily once, and a button that shows it again. */
  #showDailyEnd() {
    if (this.#dailyEnded) return;
    this.#dailyEnded = true;
    const show = () => void import("./daily_result.js").then((module) => module.showDailyResult(this.page)).catch((error) => this.page.messages.showError(error));
    byId("sit").before(makeElement("p", { class: "return-part" }, makeButton("Your result", show)));
    show();
  }

  /** @param {any} state */
  #showPeople(state) {
    const { connected, watchers } = this.#presence;
    const away = new Set(state.away ?? []);
    const players = state.players.filter((/** @type {any} */ player) => player.here);
    byId("players").replaceChildren(
      ...players.map((/** @type {any} */ player) => {
        const [kind, words] = connected.includes(player.name) ? ["on", "at the page"] : away.has(player.name) ? ["away", "away"] : ["off", "no page open on this server"];
        const dot = makeElement("span", { class: `dot dot-${kind}`, title: words }, makeElement("span", { class: "unseen" }, ` (${words})`));
        return makeElement("li", {}, dot, ` ${showName(player.name)}: ${formatDollars(player.rail)}${player.name === state.shooter ? ", shoots" : ""}`);
      }),
    );
    byId("watching").textContent = watchers === 1 ? "1 watching" : `${watchers} watching`;
  }

  /** Offer the way back to a player who has left with chips. @param {any} state */
  #showReturn(state) {
    const offered = state.acts.return !== undefined;
    this.returnPart.hidden = !offered;
    if (!offered) return this.returnPart.replaceChildren();
    const words = `Come back with ${formatDollars(state.seat.rail)}`;
    if (this.returnPart.textContent !== words) this.returnPart.replaceChildren(makeButton(words, () => void this.page.bets.say("come back")));
  }

  // Invitations

  async #invite() {
    const { api, messages, state } = this.page;
    messages.clear();
    if (!state?.open && !this.hostApi && state?.role === "player" && !knownInvitation(api.table)) {
      return messages.showAlert("This table is private. Its host can invite: ask for the link.");
    }
    try {
      this.#showInvitation(await this.#invitationLink());
    } catch (error) {
      messages.showError(error);
    }
    return undefined;
  }

  /** Return a link for friends. That of a private table holds a token for players: the one that the host
   * made, or that this player came with. */
  async #invitationLink() {
    const address = new URL(`/t/${this.#table}`, location.href).href;
    if (this.page.state?.open) return address;
    return `${address}#${await invitationToken(this.hostApi ?? this.page.api)}`;
  }

  /** @param {string} link */
  #showInvitation(link) {
    const modules = makeQrCode(link);
    const size = modules.length + 8;
    const picture = makeSvg("svg", { viewBox: `-4 -4 ${size} ${size}`, class: "qr", role: "img", "aria-label": "QR code of the link" },
      makeSvg("rect", { x: -4, y: -4, width: size, height: size, fill: "#fff" }),
      makeSvg("path", { d: qrPath(modules), fill: "#000" }));
    const name = this.page.state?.name ?? "a craps table";
    const share = "share" in navigator && makeButton("Share", () => void navigator.share({ title: name, text: `Play craps with me at ${name}.`, url: link }).catch(() => undefined));
    this.page.details.openSheet(
      makeElement("h2", { id: "sheet-title" }, "Invite"),
      makeElement("p", {}, this.page.state?.open ? "Anybody with this link can watch and sit down." : "Everybody who has this link can sit down. Send it only to friends."),
      makeElement("div", { class: "invitation" }, ...makeInvitation("Link", link, "Copy"), share),
      picture,
      makeButton("Close", () => this.page.details.sheet.close()),
    );
  }

  // Leaving

  #askToLeave() {
    const bar = this.page.state?.acts.leave?.bar;
    if (bar) return this.page.messages.showBar(bar);
    const { up = "0" } = this.page.state?.seat ?? {};
    const stake = parseCents(up) > 0 ? `${formatDollars(up)} is on the felt: what may come down comes back to you, the rest plays on. ` : "";
    const leave = makeButton("Leave the table", () => void this.#leave());
    this.page.details.openSheet(
      makeElement("h2", { id: "sheet-title" }, "Leave?"),
      makeElement("p", {}, `${stake}You can come back with your chips at any time.`),
      makeElement("p", { class: "offers" }, leave, makeButton("Stay", () => this.page.details.sheet.close())),
    );
    leave.focus();
  }

  async #leave() {
    this.page.details.sheet.close();
    if (await this.page.bets.say("leave")) await this.showSummary();
  }

  /** Show the player's result at this table. */
  async showSummary() {
    try {
      this.#showSummary(await this.page.api.get("/summary"));
    } catch (error) {
      this.page.messages.showError(error);
    }
  }

  /** @param {Summary} summary */
  #showSummary(summary) {
    const close = () => this.page.details.sheet.close();
    const canReturn = parseCents(summary.rail) > 0;
    this.page.details.openSheet(
      makeElement("h2", { id: "sheet-title" }, `Your game at ${this.page.state?.name ?? "this table"}`),
      makeFacts(summaryFacts(summary)),
      makeElement("p", {}, makeElement("a", { href: `/t/${this.#table}/replay` }, "Replay the game"), ", ", makeElement("a", { href: `/t/${this.#table}/luck` }, "luck and decisions")),
      makeElement("p", { class: "offers" },
        canReturn && makeButton(`Come back with ${formatDollars(summary.rail)}`, () => {
          close();
          void this.page.bets.say("come back");
        }),
        makeElement("a", { class: "button", href: "/" }, "To the lobby"),
        makeButton("Close", close)),
    );
  }
}

/** Return a summary as names and values. @param {Summary} summary @returns {string[][]} */
export function summaryFacts(summary) {
  const best = summary.best_hand;
  const facts = [
    ["In", formatDollars(summary.bought_in)],
    ["Out", formatDollars(summary.rail)],
    ["Net", formatDollars(summary.net, true)],
    ["Throws", String(summary.throws)],
    ["Best hand", best ? `${best.throws} throw${best.throws === 1 ? "" : "s"}, ${best.shooter === summary.name ? "yours" : `by ${showName(best.shooter)}`}` : "none"],
  ];
  if (parseCents(summary.up) > 0) facts.splice(2, 0, ["Still on the felt", formatDollars(summary.up)]);
  if (summary.luck !== null && summary.decisions !== null) facts.push(["Luck", formatDollars(summary.luck, true)], ["Decisions", formatDollars(summary.decisions, true)]);
  return facts;
}
