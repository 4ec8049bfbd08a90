// @ts-check
/** The operator's page: every table, invitations, closing and reopening, and the crew's page of one
 * table. The house key goes into request headers and is stored nowhere. */

import { attempt, describeError, request, TableApi, TableError } from "./api.js";
import { CrewPage } from "./crew_page.js";
import { byId, makeButton, makeElement, onSubmit, plainName } from "./dom.js";
import { formatDollars } from "./money.js";
import { PageStream } from "./page_stream.js";

/** @typedef {{table: string, name: string, rulebook: string, game: string, players: number, seats: number,
 *   minimum: string, maximum: string, status: string, open: boolean}} Row */

const STATUS = /** @type {Record<string, string>} */ ({ live: "live", dead: "a dead game", closed: "closed" });
const form = /** @type {HTMLFormElement} */ (byId("operate"));
const key = /** @type {HTMLInputElement} */ (form.querySelector("input"));
const tablesPart = byId("every");
/** @type {{page: CrewPage, stream: PageStream} | null} */
let current = null;

/** Send a line as the operator. @param {TableApi} api @param {string} line */
const say = (api, line) =>
  attempt(async () => {
    const { entries } = await api.say(line);
    const refused = entries.find((/** @type {any} */ item) => item.refusal);
    if (refused) throw new TableError(200, { error: refused.refusal.reason });
  });

/** Show the crew's page of a table and refresh it until the operator goes back. @param {Row} row */
async function openCrewPage(row) {
  const api = new TableApi(row.table, key.value);
  const place = makeElement("section", { "aria-label": "Your post" });
  const pick = (/** @type {string} */ name) => stream.start(`?player=${encodeURIComponent(name)}`);
  const page = new CrewPage(place, (line) => say(api, line), pick, api);
  const stream = new PageStream(api, {
    page: ({ state }) => page.update(state),
    connected: () => undefined,
    refused: (error) => (byId("alert").textContent = describeError(error)),
  });
  tablesPart.replaceChildren(makeElement("div", { class: "table-page" }, makeElement("h2", {}, row.name), place), makeButton("Back to the tables", () => void attempt(showTables)));
  current = { page, stream };
  stream.start();
  tablesPart.focus();
}

function closeCrewPage() {
  current?.page.close();
  current?.stream.stop();
  current = null;
}

/** @param {Row} row */
function makeActions(row) {
  const api = new TableApi(row.table, key.value);
  const place = makeElement("div", { class: "links", "aria-live": "polite" });
  const sendLine = async (/** @type {string} */ line) => {
    if (await say(api, line)) await attempt(showTables);
  };
  const take = makeButton("Operate", () => void attempt(() => openCrewPage(row)), `Operate ${row.name}`);
  const invite = makeButton("Invite a player", () => void attempt(async () => {
    const { token } = await api.post("/tokens", { role: "player" });
    const link = makeElement("input", { readonly: true, value: `${location.origin}/t/${row.table}#${token}` });
    place.replaceChildren(makeElement("label", {}, `A player's link to ${row.name} `, link));
    link.select();
  }), `Invite a player to ${row.name}`);
  const close = row.status === "closed" ? makeButton("Reopen", () => void sendLine("table opens"), `Reopen ${row.name}`) : makeButton("Close", () => void sendLine("table closes"), `Close ${row.name}`);
  return [makeElement("p", { class: "row-acts" }, take, invite, close), place];
}

/** The titles of the rulebooks, by id. @type {Record<string, string>} */
const titles = JSON.parse(tablesPart.dataset.titles ?? "{}");

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
  return makeElement("li", { class: "card" }, makeElement("h2", {}, row.name), makeElement("p", {}, `${titles[row.rulebook] ?? plainName(row.rulebook)}, ${plainName(row.game)}`), makeElement("dl", {}, ...facts), ...makeActions(row), reads);
}

async function showTables() {
  closeCrewPage();
  /** @type {Row[]} */
  const rows = await request("/api/operate", {}, key.value);
  const list = makeElement("ul", { class: "tables" }, ...rows.map(makeCard));
  tablesPart.replaceChildren(rows.length ? list : makeElement("p", {}, "There is no table yet."));
  tablesPart.setAttribute("aria-label", `${rows.length} tables`);
  tablesPart.focus({ preventScroll: true });
}

/** Download a log or a record, which may need the house key.
 * @param {string} href */
async function download(href) {
  const response = await fetch(href, { headers: { Authorization: `Bearer ${key.value}` } });
  if (!response.ok) throw new TableError(response.status, await response.json());
  const link = makeElement("a", { href: URL.createObjectURL(await response.blob()), download: href.split("/").slice(-2).join(".") });
  link.click();
}

tablesPart.addEventListener("click", (event) => {
  const href = /** @type {HTMLElement} */ (event.target).closest("a")?.getAttribute("href") ?? "";
  if (!href.startsWith("/api/tables/")) return;
  event.preventDefault();
  void attempt(() => download(href));
});
onSubmit(form, () => void attempt(showTables));
