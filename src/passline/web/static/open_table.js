// @ts-check
// The operator's form. The text of the house file is what counts: the two choices above it only
// write into it. The key goes into the request's header and is kept nowhere.

/** @typedef {{key: string, value: string, allowed: string, cite: string, also: string[]}} Finding */
/** @typedef {{ok: boolean, findings: Finding[], error?: string, rulebook?: string, game?: string}} Linted */
/** @typedef {{table: string, url: string, tokens: Record<string, string>}} Opened */

const PAUSE = 250; // milliseconds without a key before the file is sent to be read

/**
 * @template {Element} T
 * @param {string} selector
 * @param {new () => T} type
 * @returns {T}
 */
function findElement(selector, type) {
  const found = document.querySelector(selector);
  if (!(found instanceof type)) throw new Error(`no ${selector} here`);
  return found;
}

const form = findElement("#open", HTMLFormElement);
const file = findElement("[name=house]", HTMLTextAreaElement);
const book = findElement("[name=rulebook]", HTMLSelectElement);
const game = findElement("[name=game]", HTMLSelectElement);
const lint = findElement("#lint", HTMLElement);
const alert = findElement("#alert", HTMLElement);
const opened = findElement("#opened", HTMLElement);

/**
 * An element with words or elements in it.
 * @param {string} name
 * @param {Record<string, string>} given
 * @param {(Node | string)[]} inside
 */
function made(name, given, ...inside) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(given)) element.setAttribute(key, value);
  element.append(...inside);
  return element;
}

/**
 * Write a line of the house file: where its key stands, or at the top.
 * @param {string} key
 * @param {string} value
 */
function writeLine(key, value) {
  const line = `${key} = "${value}"`;
  const own = new RegExp(`^${key}[ \\t]*=.*$`, "m");
  if (own.test(file.value)) {
    file.value = file.value.replace(own, line);
  } else if (key === "game") {
    file.value = file.value.replace(/^rulebook.*$/m, (top) => `${top}\n${line}`);
  } else {
    file.value = `${line}\n${file.value}`;
  }
}

function fillGames() {
  const games = (book.selectedOptions[0]?.dataset.games ?? "").split(" ");
  game.replaceChildren(...games.map((name) => made("option", {}, name)));
}

/**
 * A citation: a link to its clause, or a custom's reason as it stands.
 * @param {string} of
 * @param {string} cite
 */
function citationLink(of, cite) {
  if (cite.startsWith("custom")) return document.createTextNode(cite);
  return made("a", { href: `/law/${of}/${encodeURIComponent(cite)}` }, cite);
}

/** @param {Linted} data */
function showLint(data) {
  lint.className = data.ok ? "long ok" : "long wrong";
  if (data.error !== undefined) {
    lint.replaceChildren(made("p", {}, data.error));
    return;
  }
  const of = data.rulebook ?? "";
  if (book.value !== of) {
    book.value = of;
    fillGames();
  }
  game.value = data.game ?? "";
  if (data.ok) {
    lint.replaceChildren(made("p", {}, "The rulebook allows every election."));
    return;
  }
  const items = data.findings.map((item) => {
    const cites = [item.cite, ...item.also].flatMap((cite) => [" ", citationLink(of, cite)]);
    const what = made("strong", {}, `${item.key} = ${item.value}`);
    return made("li", {}, what, ` is not allowed. Allowed: ${item.allowed}.`, ...cites);
  });
  lint.replaceChildren(made("ul", {}, ...items));
}

let checkId = 0;

async function check() {
  const mine = ++checkId;
  try {
    const answer = await fetch("/api/lint", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ house: file.value }),
    });
    const data = await answer.json();
    if (mine === checkId) showLint(answer.ok ? data : { ok: false, findings: [], error: data.error });
  } catch {
    if (mine === checkId) showLint({ ok: false, findings: [], error: "The server does not answer." });
  }
}

let pause = 0;

function checkSoon() {
  clearTimeout(pause);
  pause = setTimeout(check, PAUSE);
}

/** What the form asks for, as the API takes it. */
function readForm() {
  const given = new FormData(form);
  const said = (/** @type {string} */ name) => String(given.get(name) ?? "");
  return {
    house: file.value,
    name: said("name"),
    dice: said("dice"),
    buy_ins: said("buy_ins"),
    zone: said("zone").trim(),
    open: given.get("open") !== null,
    pace: { betting: Number(said("betting")), shooter: Number(said("shooter")) },
    posts: Object.fromEntries([
      ...given.getAll("post").map((post) => [String(post), "person"]),
      ...(said("learner") ? [[said("learner"), "learner"]] : []),
    ]),
  };
}

/**
 * A link to be copied.
 * @param {string} words
 * @param {string} address
 */
function makeInvitation(words, address) {
  const field = made("input", { readonly: "", value: address });
  const button = made("button", { type: "button" }, "Copy");
  const label = made("label", {}, `${words} `, field);
  button.setAttribute("aria-label", `Copy the link: ${words}`);
  button.addEventListener("click", async () => {
    if (!(field instanceof HTMLInputElement)) return;
    field.select();
    await navigator.clipboard?.writeText(address).catch(() => undefined);
    button.textContent = "Copied";
  });
  return made("li", {}, label, button);
}

/**
 * A token for players, where nobody sits down without one.
 * @param {Opened} data
 * @param {string} key
 */
async function createPlayerToken(data, key) {
  if (new FormData(form).get("open") !== null) return "";
  const answer = await fetch(`/api/tables/${data.table}/tokens`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${key}` },
    body: JSON.stringify({ role: "player" }),
  });
  return answer.ok ? String((await answer.json()).token) : "";
}

/** @param {Opened} data @param {string} player */
function showInvitations(data, player) {
  const at = new URL(`/t/${data.table}`, location.href).href;
  const learner = String(new FormData(form).get("learner") ?? "");
  const machine = [...form.querySelectorAll("input[name=post]:not(:checked)")].map((post) => post.getAttribute("value"));
  const words = (/** @type {string} */ role) =>
    role === learner ? `${role} (a learner's)` : machine.includes(role) ? `${role} (only watches: the machine has this post)` : role;
  const links = Object.entries(data.tokens).map(([role, token]) => makeInvitation(words(role), `${at}#${token}`));
  if (player) links.unshift(makeInvitation("players (each who has it may sit down)", `${at}#${player}`));
  opened.replaceChildren(
    made("h2", {}, "The table is open"),
    made("p", {}, made("a", { href: at }, "Go to the table"), ", or ", made("a", { href: "/operate" }, "operate it"), ". Invitations are told this once:"),
    made("ul", { class: "invitations" }, ...links),
  );
  opened.hidden = false;
  form.hidden = true;
  opened.focus();
}

/** @param {SubmitEvent} event */
async function send(event) {
  event.preventDefault();
  alert.textContent = "";
  const key = findElement("[name=key]", HTMLInputElement);
  try {
    const answer = await fetch("/api/tables", {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${key.value}` },
      body: JSON.stringify(readForm()),
    });
    const data = await answer.json();
    if (answer.ok) {
      const player = await createPlayerToken(data, key.value);
      key.value = "";
      showInvitations(data, player);
    } else {
      alert.textContent = data.error;
    }
  } catch {
    alert.textContent = "The table was not opened: the server does not answer.";
  }
}

book.addEventListener("change", () => {
  fillGames();
  writeLine("rulebook", book.value);
  writeLine("game", game.value);
  check();
});
game.addEventListener("change", () => {
  writeLine("game", game.value);
  check();
});
file.addEventListener("input", checkSoon);
form.addEventListener("submit", send);
check();
