// @ts-check
/** The log as it grows: the newest first, by role or by name. */

import { makeOld, KeyedList } from "./post_dom.js";

/** @typedef {{seq: number, at: string, role: string, by: string, line: string, act: string, words: string[], hash: string}} Entry */

const MAX_ENTRIES = 300;

export class LogView {
  /** @param {HTMLElement} place @param {string} table */
  constructor(place, table) {
    this.table = table;
    /** @type {Entry[]} */
    this.entries = [];
    this.role = /** @type {HTMLSelectElement} */ (makeOld("select", {}, makeOld("option", { value: "", text: "everybody" })));
    this.name = /** @type {HTMLInputElement} */ (makeOld("input", { type: "text", autocomplete: "off", placeholder: "ann" }));
    this.list = makeOld("ol", { class: "log", tabindex: "0", "aria-label": "Entries of the log", reversed: true });
    const filter = makeOld("div", { class: "fill" }, makeOld("label", {}, makeOld("span", { text: "Said by" }), this.role), makeOld("label", {}, makeOld("span", { text: "About" }), this.name));
    const api = `/api/tables/${encodeURIComponent(table)}`;
    const links = makeOld("p", {}, makeOld("a", { href: `${api}/log`, text: "The whole log" }), ", ", makeOld("a", { href: `${api}/record`, text: "the record" }));
    place.append(filter, this.list, links);
    this.role.addEventListener("change", () => this.#show());
    this.name.addEventListener("input", () => this.#show());
    /** @type {KeyedList<Entry>} */
    this.rows = new KeyedList(this.list, (entry) => String(entry.seq), (entry) => this.#makeRow(entry), () => undefined);
  }

  /** The last number that was seen; -1: none. */
  get lastSeq() {
    return this.entries.length ? this.entries[0].seq : -1;
  }

  /** @param {Entry[]} fresh */
  add(fresh) {
    const after = fresh.filter((entry) => entry.seq > this.lastSeq);
    if (!after.length) return;
    this.entries = [...after.reverse(), ...this.entries].slice(0, MAX_ENTRIES);
    const known = new Set(Array.from(this.role.options, (option) => option.value));
    for (const { role } of this.entries) {
      if (known.has(role)) continue;
      known.add(role);
      this.role.append(makeOld("option", { value: role, text: role }));
    }
    this.#show();
  }

  #show() {
    const about = this.name.value.trim().toLowerCase();
    const has = (/** @type {Entry} */ one) => [one.by, one.line, ...one.words].some((text) => text.toLowerCase().includes(about));
    this.rows.show(this.entries.filter((one) => (!this.role.value || one.role === this.role.value) && (!about || has(one))));
  }

  /** @param {Entry} entry */
  #makeRow(entry) {
    const when = new Date(entry.at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" });
    const who = entry.role === entry.by ? entry.role : `${entry.role} ${entry.by}`;
    const link = makeOld("a", { href: `/t/${this.table}/replay#${entry.seq}`, text: `#${entry.seq}`, "aria-label": `Entry ${entry.seq} in the replay` });
    const [first = "", ...others] = entry.words;
    const line = entry.line || first || entry.act;
    const words = entry.line ? entry.words.filter((one) => one !== entry.line) : others;
    return makeOld(
      "li",
      {},
      makeOld("p", { class: "entry-head" }, link, " ", makeOld("time", { datetime: entry.at, text: when }), ` ${who}`),
      makeOld("p", { class: "entry-line" }, makeOld("b", { text: line })),
      ...words.slice(0, 12).map((one) => makeOld("p", { class: "entry-words", text: one })),
      makeOld("p", { class: "receipt" }, makeOld("code", { text: `${entry.seq}:${entry.hash}`, title: "A receipt: passline audit --receipt" })),
    );
  }
}
