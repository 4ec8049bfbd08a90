// @ts-check
/** The page of the daily game: open a table for one player, or go back to today's table. */

import { attempt, randomHex, sendJson, TableApi } from "./api.js";
import { byId, inputById, localStore, onSubmit } from "./dom.js";

const form = byId("daily");
const name = inputById("name");

/** Return the address of the table that this browser opened today, or "". */
function storedTable() {
  try {
    const stored = JSON.parse(localStore.get("daily", "null"));
    return stored?.day === form.dataset.day && /^\/daily\/[a-z0-9]+$/.test(stored.url) ? String(stored.url) : "";
  } catch {
    return "";
  }
}

async function play() {
  const seat = await sendJson("/api/daily", { name: name.value.trim(), token: randomHex(24) });
  await new TableApi(seat.table).storeToken(seat.token);
  localStore.put("name", seat.name);
  localStore.put("daily", JSON.stringify({ day: form.dataset.day, url: seat.url }));
  location.assign(seat.url);
}

const address = storedTable();
if (address) {
  byId("mine").hidden = false;
  /** @type {HTMLAnchorElement} */ (byId("mine").querySelector("a")).href = address;
  form.hidden = true;
}
name.value = localStore.get("name");
onSubmit(form, () => void attempt(play));
