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
function find(selector, type) {
  const found = document.querySelector(selector);
  if (!(found instanceof type)) throw new Error(`no ${selector} here`);
  return found;
}

const form = find("#open", HTMLFormElement);
const file = find("[name=house]", HTMLTextAreaElement);
const book = find("[name=rulebook]", HTMLSelectElement);
const game = find("[name=game]", HTMLSelectElement);
const lint = find("#lint", HTMLElement);
const alert = find("#alert", HTMLElement);
const opened = find("#opened", HTMLElement);

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
function write(key, value) {
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
function cited(of, cite) {
  if (cite.startsWith("custom")) return document.createTextNode(cite);
  return made("a", { href: `/law/${of}/${encodeURIComponent(cite)}` }, cite);
}

/** @param {Linted} told */
function show(told) {
  lint.className = told.ok ? "long ok" : "long wrong";
  if (told.error !== undefined) {
    lint.replaceChildren(made("p", {}, told.error));
    return;
  }
  const of = told.rulebook ?? "";
  if (book.value !== of) {
    book.value = of;
    fillGames();
  }
  game.value = told.game ?? "";
  if (told.ok) {
    lint.replaceChildren(made("p", {}, "The rulebook allows every election."));
    return;
  }
  const items = told.findings.map((one) => {
    const cites = [one.cite, ...one.also].flatMap((cite) => [" ", cited(of, cite)]);
    const what = made("strong", {}, `${one.key} = ${one.value}`);
    return made("li", {}, what, ` is not allowed. Allowed: ${one.allowed}.`, ...cites);
  });
  lint.replaceChildren(made("ul", {}, ...items));
}

let asked = 0;

async function check() {
  const mine = ++asked;
  try {
    const answer = await fetch("/api/lint", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ house: file.value }),
    });
    const told = await answer.json();
    if (mine === asked) show(answer.ok ? told : { ok: false, findings: [], error: told.error });
  } catch {
    if (mine === asked) show({ ok: false, findings: [], error: "The server does not answer." });
  }
}

let pause = 0;

function checkSoon() {
  clearTimeout(pause);
  pause = setTimeout(check, PAUSE);
}

/** What the form asks for, as the API takes it. */
function wanted() {
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
function invitation(words, address) {
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
 * @param {Opened} told
 * @param {string} key
 */
async function playersToken(told, key) {
  if (new FormData(form).get("open") !== null) return "";
  const answer = await fetch(`/api/tables/${told.table}/tokens`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${key}` },
    body: JSON.stringify({ role: "player" }),
  });
  return answer.ok ? String((await answer.json()).token) : "";
}

/** @param {Opened} told @param {string} player */
function tell(told, player) {
  const at = new URL(`/t/${told.table}`, location.href).href;
  const learner = String(new FormData(form).get("learner") ?? "");
  const machine = [...form.querySelectorAll("input[name=post]:not(:checked)")].map((post) => post.getAttribute("value"));
  const words = (/** @type {string} */ role) =>
    role === learner ? `${role} (a learner's)` : machine.includes(role) ? `${role} (only watches: the machine has this post)` : role;
  const links = Object.entries(told.tokens).map(([role, token]) => invitation(words(role), `${at}#${token}`));
  if (player) links.unshift(invitation("players (each who has it may sit down)", `${at}#${player}`));
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
  const key = find("[name=key]", HTMLInputElement);
  try {
    const answer = await fetch("/api/tables", {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${key.value}` },
      body: JSON.stringify(wanted()),
    });
    const told = await answer.json();
    if (answer.ok) {
      const player = await playersToken(told, key.value);
      key.value = "";
      tell(told, player);
    } else {
      alert.textContent = told.error;
    }
  } catch {
    alert.textContent = "The table was not opened: the server does not answer.";
  }
}

book.addEventListener("change", () => {
  fillGames();
  write("rulebook", book.value);
  write("game", game.value);
  check();
});
game.addEventListener("change", () => {
  write("game", game.value);
  check();
});
file.addEventListener("input", checkSoon);
form.addEventListener("submit", send);
check();
