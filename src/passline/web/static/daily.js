// @ts-check
/** The page of the daily game: open a table for one player, or go back to today's table. */

import { attempt, randomHex, sendJson, TableApi } from "./api.js";
import { byId, inputById, localStore, onSubmit, showName } from "./dom.js";

const form = byId("daily");
const name = inputById("name");

/** Return the table that this browser opened today, or null. @returns {{url: string, done?: boolean} | null} */
function storedTable() {
  try {
    const stored = JSON.parse(localStore.get("daily", "null"));
    return stored?.day === form.dataset.day && /^\/daily\/[a-z0-9]+$/.test(stored.url) ? stored : null;
  } catch {
    return null;
  }
}

async function play() {
  const seat = await sendJson("/api/daily", { name: name.value.trim(), token: randomHex(24) });
  await new TableApi(seat.table).storeToken(seat.token);
  localStore.put("name", seat.name);
  localStore.put("daily", JSON.stringify({ day: form.dataset.day, url: seat.url }));
  location.assign(seat.url);
}

const stored = storedTable();
if (stored) {
  const link = /** @type {HTMLAnchorElement} */ (byId("mine").querySelector("a"));
  link.href = stored.url;
  if (stored.done) link.textContent = "See your result";
  byId("mine").hidden = false;
  form.hidden = true;
}
name.value = showName(localStore.get("name"));
onSubmit(form, () => void attempt(play));
