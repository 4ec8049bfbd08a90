// @ts-check
/** Daily: sit down at a table of one's own, or go on where one was. */

import { randomHex, TableApi, TableError } from "./api.js";

const STORE_KEY = "passline-daily";
const form = /** @type {HTMLFormElement} */ (document.getElementById("daily"));
const name = /** @type {HTMLInputElement} */ (document.getElementById("name"));
const alert_ = /** @type {HTMLElement} */ (document.getElementById("alert"));
const resumePart = /** @type {HTMLElement} */ (document.getElementById("mine"));

/** @returns {{day: string, url: string} | null} */
function storedTable() {
  try {
    const found = JSON.parse(localStorage.getItem(STORE_KEY) ?? "null");
    return found?.day === form.dataset.day && /^\/daily\/[a-z0-9]+$/.test(found.url) ? found : null;
  } catch {
    return null;
  }
}

async function play() {
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify({ name: name.value.trim(), token: randomHex(24) });
  const reply = await fetch("/api/daily", { method: "POST", headers, body });
  const data = await reply.json();
  if (!reply.ok) throw new TableError(reply.status, data);
  await new TableApi(data.table).storeToken(data.token);
  localStorage.setItem("passline-name", data.name);
  localStorage.setItem(STORE_KEY, JSON.stringify({ day: form.dataset.day, url: data.url }));
  location.assign(data.url);
}

const here = storedTable();
if (here) {
  resumePart.hidden = false;
  /** @type {HTMLAnchorElement} */ (resumePart.querySelector("a")).href = here.url;
  form.hidden = true;
}
name.value = localStorage.getItem("passline-name") ?? "";
form.addEventListener("submit", (event) => {
  event.preventDefault();
  alert_.textContent = "";
  play().catch((error) => {
    alert_.textContent = error instanceof TableError ? `${error.message}.` : "The server did not answer.";
  });
});
