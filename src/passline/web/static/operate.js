// @ts-check
/** The operator's tables, and the operator's post at one of them. The house key goes into headers,
 * and is kept nowhere but in its box on this page. */

import { TableApi, TableError } from "./api.js";
import { made, part, press } from "./dom.js";
import { cents, shown } from "./money.js";
import { PostPage } from "./post_page.js";

/** @typedef {{table: string, name: string, rulebook: string, game: string, players: number, seats: number,
 *   minimum: string, maximum: string, status: string, open: boolean}} Row */

const PAUSE = 1500; // milliseconds between looks at a table
const STATUS = /** @type {Record<string, string>} */ ({ live: "live", dead: "a dead game", closed: "closed" });
const form = /** @type {HTMLFormElement} */ (part("operate"));
const field = /** @type {HTMLInputElement} */ (form.querySelector("input"));
const every = part("every");
/** @type {{page: PostPage, timer: number} | null} */
let at = null;

/** Do something, and tell what went wrong. @param {() => Promise<void>} does @returns {Promise<boolean>} */
async function done(does) {
  part("alert").textContent = "";
  try {
    await does();
    return true;
  } catch (wrong) {
    part("alert").textContent = wrong instanceof TableError ? `${wrong.message}.` : "The server does not answer.";
    return false;
  }
}

/** Say a line as the operator. @param {TableApi} api @param {string} line */
const say = (api, line) =>
  done(async () => {
    const { entries } = await api.say(line);
    const refused = entries.find((/** @type {any} */ one) => one.refusal);
    if (refused) throw new TableError(200, { error: refused.refusal.reason });
  });

/** The operator's post at a table, told anew until one goes back. @param {Row} row */
async function operate(row) {
  const api = new TableApi(row.table, field.value);
  const place = made("section", { "aria-label": "Your post" });
  const page = new PostPage(place, (line) => say(api, line), api);
  const look = async () => page.see(await api.get("/sight"));
  every.replaceChildren(made("div", { class: "table-page" }, made("h2", {}, row.name), place), press("Back to the tables", () => void done(show)));
  at = { page, timer: window.setInterval(() => void look().catch(() => undefined), PAUSE) };
  await look();
  every.focus();
}

function leave() {
  at?.page.end();
  window.clearInterval(at?.timer);
  at = null;
}

/** @param {Row} row */
function acts(row) {
  const api = new TableApi(row.table, field.value);
  const place = made("div", { class: "links", "aria-live": "polite" });
  const says = async (/** @type {string} */ line) => {
    if (await say(api, line)) await done(show);
  };
  const take = press("Operate", () => void done(() => operate(row)), `Operate ${row.name}`);
  const invite = press("Invite a player", () => void done(async () => {
    const { token } = await api.post("/tokens", { role: "player" });
    const link = made("input", { readonly: "", value: `${location.origin}/t/${row.table}#${token}` });
    place.replaceChildren(made("label", {}, `A player's link to ${row.name} `, link));
    /** @type {HTMLInputElement} */ (link).select();
  }), `Invite a player to ${row.name}`);
  const close = row.status === "closed" ? press("Reopen", () => void says("table opens"), `Reopen ${row.name}`) : press("Close", () => void says("table closes"), `Close ${row.name}`);
  return [made("p", { class: "row-acts" }, take, invite, close), place];
}

/** @param {Row} row */
function card(row) {
  const facts = [
    ["Players", `${row.players} of ${row.seats}`],
    ["Status", STATUS[row.status] ?? row.status],
    ["Open", row.open ? "in the lobby" : "by invitation"],
    ["Limits", `${shown(cents(row.minimum))} to ${shown(cents(row.maximum))}`],
  ].map(([head, words]) => made("div", {}, made("dt", {}, head), made("dd", {}, words)));
  const log = made("a", { href: `/api/tables/${row.table}/log` }, "The log");
  const replay = row.open ? [", ", made("a", { href: `/t/${row.table}/replay` }, "replay")] : [];
  const reads = made("p", {}, log, ...replay);
  return made("li", { class: "card" }, made("h2", {}, row.name), made("p", {}, `${row.rulebook}, ${row.game}`), made("dl", {}, ...facts), ...acts(row), reads);
}

async function show() {
  leave();
  const reply = await fetch("/api/operate", { headers: { Authorization: `Bearer ${field.value}` } });
  const told = await reply.json();
  if (!reply.ok) throw new TableError(reply.status, told);
  /** @type {Row[]} */
  const rows = told;
  const list = made("ul", { class: "tables" }, ...rows.map(card));
  every.replaceChildren(rows.length ? list : made("p", {}, "There is no table yet."));
  every.setAttribute("aria-label", `${rows.length} tables`);
  every.focus({ preventScroll: true });
}

/** A table's log or record, which only the key opens where it is not open: fetched and handed over.
 * @param {string} href */
async function fetched(href) {
  const reply = await fetch(href, { headers: { Authorization: `Bearer ${field.value}` } });
  if (!reply.ok) throw new TableError(reply.status, await reply.json());
  const link = made("a", { href: URL.createObjectURL(await reply.blob()), download: href.split("/").slice(-2).join(".") });
  link.click();
}

every.addEventListener("click", (event) => {
  const href = /** @type {HTMLElement} */ (event.target).closest("a")?.getAttribute("href") ?? "";
  if (!href.startsWith("/api/tables/")) return;
  event.preventDefault();
  void done(() => fetched(href));
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  void done(show);
});
