// @ts-check
/** The lobby: keeps the cards of the tables up to date from a stream, offers the seats that this
 * browser has, and opens a table for friends. */

import { attempt, openStream, sendJson, TableApi } from "./api.js";
import { byId, makeElement, onSubmit } from "./dom.js";
import { forgetSeat, invitationToken, listSeats, rememberHosted } from "./my_tables.js";
import { PageStream } from "./page_stream.js";

/** @typedef {{count: number, order: string[], cards: Record<string, string>}} LobbyState */

const tables = byId("tables");
const list = /** @type {HTMLElement} */ (tables.querySelector(".tables"));
/** The HTML of the cards on the page, by table. @type {Map<string, string>} */
const shown = new Map();

/** @param {string} html */
const parseCard = (html) => /** @type {HTMLElement} */ (document.adoptNode(/** @type {Element} */ (new DOMParser().parseFromString(html, "text/html").body.firstElementChild)));

/** Replace a card by a newer one, and keep the focus on its link. @param {Element} card @param {HTMLElement} newer */
function replaceCard(card, newer) {
  const focused = [...card.querySelectorAll("a")].findIndex((link) => link === document.activeElement);
  card.replaceWith(newer);
  newer.querySelectorAll("a")[focused]?.focus();
}

/** Show the tables: replace the cards that changed, and put all in order. @param {LobbyState} state */
function showTables(state) {
  const cards = new Map([...list.children].map((card) => [/** @type {HTMLElement} */ (card).dataset.table ?? "", card]));
  state.order.forEach((id, n) => {
    const html = state.cards[id] ?? "";
    const card = cards.get(id);
    const newer = !card || shown.get(id) !== html ? parseCard(html) : card;
    if (card && card !== newer) replaceCard(card, /** @type {HTMLElement} */ (newer));
    if (list.children[n] !== newer) list.insertBefore(newer, list.children[n] ?? null);
    shown.set(id, html);
    cards.delete(id);
  });
  for (const [id, card] of cards) {
    card.remove();
    shown.delete(id);
  }
  tables.setAttribute("aria-label", state.count ? `${state.count} open table${state.count === 1 ? "" : "s"}` : "Tables");
  byId("no-tables").hidden = state.count > 0;
}

const page = tables.dataset.page;
if (page) {
  const stream = new PageStream({ open: (path, after, signal) => openStream(`/api/lobby${path}`, after, signal) }, {
    page: ({ state }) => showTables(state),
    connected: () => undefined,
    refused: () => undefined,
  }, "/events");
  stream.start(`?page=${page}`);
}

/** Offer the way back to the tables where this browser has a seat. */
async function showSeats() {
  const part = byId("return");
  const items = [];
  for (const seat of listSeats()) {
    const view = await new TableApi(seat.table).get("").catch(() => null);
    const player = view?.players?.find((/** @type {any} */ one) => one.name === seat.name);
    if (!player || view.role !== "player" || view.status === "closed") {
      if (view) forgetSeat(seat.table);
      continue;
    }
    const words = `${view.name}: ${player.here ? `${view.players.filter((/** @type {any} */ one) => one.here).length} at the table` : "you left with your chips"}`;
    const label = `Return to your seat at ${view.name}`;
    items.push(makeElement("li", {}, makeElement("span", {}, words), makeElement("a", { class: "button", href: `/t/${seat.table}`, "aria-label": label }, "Return to your seat")));
  }
  part.replaceChildren(makeElement("ul", {}, ...items));
  part.hidden = items.length === 0;
}
void showSeats();

// The form for hosts, where hosting is on.

/** @param {HTMLFormElement} form */
function listenForHost(form) {
  const button = byId("host-open");
  const field = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
  const book = /** @type {HTMLSelectElement} */ (form.elements.namedItem("rulebook"));
  const show = (/** @type {boolean} */ open) => {
    form.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
    (open ? field("name") : button).focus();
  };
  const fillBook = () => {
    const { minimum = "", maximum = "", offers = "" } = book.selectedOptions[0]?.dataset ?? {};
    field("minimum").value = minimum;
    field("maximum").value = maximum;
    for (const label of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-offer]"))) {
      label.hidden = !offers.split(" ").includes(label.dataset.offer ?? "");
      if (label.hidden) /** @type {HTMLInputElement} */ (label.querySelector("input")).checked = false;
    }
  };
  button.hidden = false;
  button.addEventListener("click", () => show(form.hidden));
  byId("host-close").addEventListener("click", () => show(false));
  book.addEventListener("change", fillBook);
  fillBook();
  onSubmit(form, () => void attempt(() => openTable(form)));
}

/** Return the elections that the form makes. @param {FormData} data */
function readElections(data) {
  const value = (/** @type {string} */ name) => String(data.get(name) ?? "").trim();
  /** @type {Record<string, string | boolean>} */
  const elections = { "limits.min": value("minimum").replace(/[$,]/g, ""), "limits.max": value("maximum").replace(/[$,]/g, "") };
  const odds = value("odds").replace(/x$/i, "");
  if (odds) elections["odds.multiple"] = odds;
  for (const offer of data.getAll("offer")) elections[String(offer)] = true;
  return elections;
}

/** Open the table, keep the floor's token in a cookie of this browser, and go there. @param {HTMLFormElement} form */
async function openTable(form) {
  const data = new FormData(form);
  const { table, tokens } = await sendJson("/api/tables", {
    name: String(data.get("name")).trim(),
    rulebook: String(data.get("rulebook")),
    elections: readElections(data),
    pace: { betting: Number(data.get("betting") || 0) },
    open: data.get("open") !== null,
  });
  const api = new TableApi(table);
  await api.post("/cookie", { token: tokens.floor, host: true });
  rememberHosted(table);
  if (data.get("open") === null) await api.storeToken(await invitationToken(new TableApi(table, "", true))); // So that the host can sit down.
  location.assign(`/t/${table}`);
}

const form = document.getElementById("host");
if (form instanceof HTMLFormElement) listenForHost(form);
