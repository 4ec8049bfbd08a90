// @ts-check
/** The operator's form to open a table. The text of the house file counts; the two choices above it
 * only write into it. The house key goes into the request header and is stored nowhere. */

import { attempt, describeError, sendJson, TableError } from "./api.js";
import { byId, clauseLink, makeElement, makeInvitation, onSubmit, plainName } from "./dom.js";

/** @typedef {{key: string, value: string, allowed: string, cite: string, also: string[]}} Finding */
/** @typedef {{ok: boolean, findings: Finding[], error?: string, rulebook?: string, game?: string}} LintResult */
/** @typedef {{table: string, url: string, tokens: Record<string, string>}} OpenedTable */

const CHECK_DELAY_MS = 250; // Milliseconds after the last key before the file is checked.

const form = /** @type {HTMLFormElement} */ (byId("open"));
const lint = byId("lint");
const opened = byId("opened");
const file = /** @type {HTMLTextAreaElement} */ (form.elements.namedItem("house"));
const book = /** @type {HTMLSelectElement} */ (form.elements.namedItem("rulebook"));
const game = /** @type {HTMLSelectElement} */ (form.elements.namedItem("game"));
const key = /** @type {HTMLInputElement} */ (form.elements.namedItem("key"));

/** Set a key of the house file: replace its line, or add one at the top. @param {string} name @param {string} value */
function writeLine(name, value) {
  const line = `${name} = "${value}"`;
  const existing = new RegExp(`^${name}[ \\t]*=.*$`, "m");
  if (existing.test(file.value)) file.value = file.value.replace(existing, line);
  else if (name === "game") file.value = file.value.replace(/^rulebook.*$/m, (top) => `${top}\n${line}`);
  else file.value = `${line}\n${file.value}`;
}

function fillGames() {
  const games = (book.selectedOptions[0]?.dataset.games ?? "").split(" ");
  game.replaceChildren(...games.map((name) => makeElement("option", { value: name }, plainName(name))));
}

/** @param {LintResult} result */
function showLint(result) {
  lint.className = result.ok ? "long ok" : "long wrong";
  if (result.error !== undefined) return lint.replaceChildren(makeElement("p", {}, result.error));
  const rulebook = result.rulebook ?? "";
  if (book.value !== rulebook) {
    book.value = rulebook;
    fillGames();
  }
  game.value = result.game ?? "";
  if (result.ok) return lint.replaceChildren(makeElement("p", {}, "The rulebook allows every house rule."));
  const items = result.findings.map((finding) => {
    const cites = [finding.cite, ...finding.also].flatMap((cite) => [" ", clauseLink(rulebook, cite)]);
    const election = makeElement("strong", {}, `${finding.key} = ${finding.value}`);
    return makeElement("li", {}, election, ` is not allowed. Allowed: ${finding.allowed}.`, ...cites);
  });
  return lint.replaceChildren(makeElement("ul", {}, ...items));
}

let checkId = 0;

/** Check the house file on the server. Only the result of the latest check is shown. */
async function check() {
  checkId += 1;
  const id = checkId;
  /** @type {LintResult} */
  let result;
  try {
    result = await sendJson("/api/lint", { house: file.value });
  } catch (error) {
    result = { ok: false, findings: [], error: describeError(error) };
  }
  if (id === checkId) showLint(result);
}

/** Return the form as a request to open a table. */
function readForm() {
  const data = new FormData(form);
  const value = (/** @type {string} */ name) => String(data.get(name) ?? "");
  return {
    house: file.value,
    name: value("name"),
    dice: value("dice"),
    buy_ins: value("buy_ins"),
    zone: value("zone").trim(),
    open: data.get("open") !== null,
    pace: { betting: Number(value("betting")), shooter: Number(value("shooter")) },
    posts: Object.fromEntries([
      ...data.getAll("post").map((post) => [String(post), "person"]),
      ...(value("learner") ? [[value("learner"), "learner"]] : []),
    ]),
  };
}

/** Return a token for players if the table is by invitation only; otherwise "". @param {OpenedTable} table */
async function createPlayerToken(table) {
  if (readForm().open) return "";
  try {
    return String((await sendJson(`/api/tables/${table.table}/tokens`, { role: "player" }, key.value)).token);
  } catch (error) {
    if (error instanceof TableError) return "";
    throw error;
  }
}

/** @param {OpenedTable} table @param {string} playerToken */
function showInvitations(table, playerToken) {
  const address = new URL(`/t/${table.table}`, location.href).href;
  const learner = String(new FormData(form).get("learner") ?? "");
  const machine = [...form.querySelectorAll("input[name=post]:not(:checked)")].map((post) => post.getAttribute("value"));
  const describeRole = (/** @type {string} */ role) =>
    `${plainName(role)}${role === learner ? " (a learner's)" : machine.includes(role) ? " (only watches: the machine has this post)" : ""}`;
  const makeLink = (/** @type {string} */ words, /** @type {string} */ token) =>
    makeElement("li", {}, ...makeInvitation(words, `${address}#${token}`, `Copy the link: ${words}`));
  const links = Object.entries(table.tokens).map(([role, token]) => makeLink(describeRole(role), token));
  if (playerToken) links.unshift(makeLink("players (each who has it may sit down)", playerToken));
  const go = makeElement("a", { href: address }, "Go to the table");
  const operate = makeElement("a", { href: "/operate" }, "operate it");
  opened.replaceChildren(
    makeElement("h2", {}, "The table is open"),
    makeElement("p", {}, go, ", or ", operate, ". Copy the invitations now; they are shown only once:"),
    makeElement("ul", { class: "invitations" }, ...links),
  );
  opened.hidden = false;
  form.hidden = true;
  opened.focus();
}

async function openTable() {
  const table = await sendJson("/api/tables", readForm(), key.value);
  const playerToken = await createPlayerToken(table);
  key.value = "";
  showInvitations(table, playerToken);
}

book.addEventListener("change", () => {
  fillGames();
  writeLine("rulebook", book.value);
  writeLine("game", game.value);
  void check();
});
game.addEventListener("change", () => {
  writeLine("game", game.value);
  void check();
});
let checkTimer = 0;
file.addEventListener("input", () => {
  clearTimeout(checkTimer);
  checkTimer = setTimeout(check, CHECK_DELAY_MS);
});
onSubmit(form, () => void attempt(openTable));
void check();
