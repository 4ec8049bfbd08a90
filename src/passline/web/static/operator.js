// @ts-check
/** The operator's tables, and the operator's post at one of them. The house key goes into headers,
 * and is kept nowhere but in its box on this page. */

import { TableApi, TableError } from "./api.js";
import { CrewPage } from "./crew_page.js";
import { byId, makeButton, makeElement } from "./dom.js";
import { formatDollars } from "./money.js";

/** @typedef {{table: string, name: string, rulebook: string, game: string, players: number, seats: number,
 *   minimum: string, maximum: string, status: string, open: boolean}} Row */

const PAUSE = 1500; // milliseconds between looks at a table
const STATUS = /** @type {Record<string, string>} */ ({ live: "live", dead: "a dead game", closed: "closed" });
const form = /** @type {HTMLFormElement} */ (byId("operate"));
const field = /** @type {HTMLInputElement} */ (form.querySelector("input"));
const tablesPart = byId("every");
/** @type {{page: CrewPage, timer: number} | null} */
let current = null;

/** Do something, and tell what went wrong. @param {() => Promise<void>} action @returns {Promise<boolean>} */
async function attempt(action) {
  byId("alert").textContent = "";
  try {
    await action();
    return true;
  } catch (error) {
    byId("alert").textContent = error instanceof TableError ? `${error.message}.` : "The server does not answer.";
    return false;
  }
}

/** Say a line as the operator. @param {TableApi} api @param {string} line */
const say = (api, line) =>
  attempt(async () => {
    const { entries } = await api.say(line);
    const refused = entries.find((/** @type {any} */ item) => item.refusal);
    if (refused) throw new TableError(200, { error: refused.refusal.reason });
  });

/** The operator's post at a table, told anew until one goes back. @param {Row} row */
async function openCrewPage(row) {
  const api = new TableApi(row.table, field.value);
  const place = makeElement("section", { "aria-label": "Your post" });
  const page = new CrewPage(place, (line) => say(api, line), api);
  const look = async () => page.update(await api.get("/sight"));
  tablesPart.replaceChildren(makeElement("div", { class: "table-page" }, makeElement("h2", {}, row.name), place), makeButton("Back to the tables", () => void attempt(showTables)));
  current = { page, timer: window.setInterval(() => void look().catch(() => undefined), PAUSE) };
  await look();
  tablesPart.focus();
}

function closeCrewPage() {
  current?.page.close();
  window.clearInterval(current?.timer);
  current = null;
}

/** @param {Row} row */
function makeActions(row) {
  const api = new TableApi(row.table, field.value);
  const place = makeElement("div", { class: "links", "aria-live": "polite" });
  const lines = async (/** @type {string} */ line) => {
    if (await say(api, line)) await attempt(showTables);
  };
  const take = makeButton("Operate", () => void attempt(() => openCrewPage(row)), `Operate ${row.name}`);
  const invite = makeButton("Invite a player", () => void attempt(async () => {
    const { token } = await api.post("/tokens", { role: "player" });
    const link = makeElement("input", { readonly: "", value: `${location.origin}/t/${row.table}#${token}` });
    place.replaceChildren(makeElement("label", {}, `A player's link to ${row.name} `, link));
    /** @type {HTMLInputElement} */ (link).select();
  }), `Invite a player to ${row.name}`);
  const close = row.status === "closed" ? makeButton("Reopen", () => void lines("table opens"), `Reopen ${row.name}`) : makeButton("Close", () => void lines("table closes"), `Close ${row.name}`);
  return [makeElement("p", { class: "row-acts" }, take, invite, close), place];
}

/** @param {Row} row */
function makeCard(row) {
  const facts = [
    ["Players", `${row.players} of ${row.seats}`],
    ["Status", STATUS[row.status] ?? row.status],
    ["Open", row.open ? "in the lobby" : "by invitation"],
    ["Limits", `${formatDollars(row.minimum)} to ${formatDollars(row.maximum)}`],
  ].map(([head, words]) => makeElement("div", {}, makeElement("dt", {}, head), makeElement("dd", {}, words)));
  const log = makeElement("a", { href: `/api/tables/${row.table}/log` }, "The log");
  const replay = row.open ? [", ", makeElement("a", { href: `/t/${row.table}/replay` }, "replay")] : [];
  const reads = makeElement("p", {}, log, ...replay);
  return makeElement("li", { class: "card" }, makeElement("h2", {}, row.name), makeElement("p", {}, `${row.rulebook}, ${row.game}`), makeElement("dl", {}, ...facts), ...makeActions(row), reads);
}

async function showTables() {
  closeCrewPage();
  const reply = await fetch("/api/operate", { headers: { Authorization: `Bearer ${field.value}` } });
  const data = await reply.json();
  if (!reply.ok) throw new TableError(reply.status, data);
  /** @type {Row[]} */
  const rows = data;
  const list = makeElement("ul", { class: "tables" }, ...rows.map(makeCard));
  tablesPart.replaceChildren(rows.length ? list : makeElement("p", {}, "There is no table yet."));
  tablesPart.setAttribute("aria-label", `${rows.length} tables`);
  tablesPart.focus({ preventScroll: true });
}

/** A table's log or record, which only the key opens where it is not open: fetched and handed over.
 * @param {string} href */
async function download(href) {
  const reply = await fetch(href, { headers: { Authorization: `Bearer ${field.value}` } });
  if (!reply.ok) throw new TableError(reply.status, await reply.json());
  const link = makeElement("a", { href: URL.createObjectURL(await reply.blob()), download: href.split("/").slice(-2).join(".") });
  link.click();
}

tablesPart.addEventListener("click", (event) => {
  const href = /** @type {HTMLElement} */ (event.target).closest("a")?.getAttribute("href") ?? "";
  if (!href.startsWith("/api/tables/")) return;
  event.preventDefault();
  void attempt(() => download(href));
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  void attempt(showTables);
});
