// @ts-check
/** Daily: sit down at a table of one's own, or go on where one was. */

import { randomHex, TableApi, TableError } from "./api.js";

const KEPT = "passline-daily";
const form = /** @type {HTMLFormElement} */ (document.getElementById("daily"));
const name = /** @type {HTMLInputElement} */ (document.getElementById("name"));
const alert_ = /** @type {HTMLElement} */ (document.getElementById("alert"));
const mine = /** @type {HTMLElement} */ (document.getElementById("mine"));

/** @returns {{day: string, url: string} | null} */
function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(KEPT) ?? "null");
    return found?.day === form.dataset.day && /^\/daily\/[a-z0-9]+$/.test(found.url) ? found : null;
  } catch {
    return null;
  }
}

async function play() {
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify({ name: name.value.trim(), token: randomHex(24) });
  const reply = await fetch("/api/daily", { method: "POST", headers, body });
  const told = await reply.json();
  if (!reply.ok) throw new TableError(reply.status, told);
  await new TableApi(told.table).keep(told.token);
  localStorage.setItem("passline-name", told.name);
  localStorage.setItem(KEPT, JSON.stringify({ day: form.dataset.day, url: told.url }));
  location.assign(told.url);
}

const here = kept();
if (here) {
  mine.hidden = false;
  /** @type {HTMLAnchorElement} */ (mine.querySelector("a")).href = here.url;
  form.hidden = true;
}
name.value = localStorage.getItem("passline-name") ?? "";
form.addEventListener("submit", (event) => {
  event.preventDefault();
  alert_.textContent = "";
  play().catch((wrong) => {
    alert_.textContent = wrong instanceof TableError ? `${wrong.message}.` : "The server did not answer.";
  });
});
