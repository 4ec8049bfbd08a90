// @ts-check
/** The log as it grows: the newest first, by role or by name. */

import { make, Rows } from "./post_dom.js";

/** @typedef {{seq: number, at: string, role: string, by: string, line: string, act: string, words: string[], hash: string}} Entry */

const MOST = 300;

export class Log {
  /** @param {HTMLElement} place @param {string} table */
  constructor(place, table) {
    this.table = table;
    /** @type {Entry[]} */
    this.entries = [];
    this.role = /** @type {HTMLSelectElement} */ (make("select", {}, make("option", { value: "", text: "everybody" })));
    this.name = /** @type {HTMLInputElement} */ (make("input", { type: "text", autocomplete: "off", placeholder: "ann" }));
    this.list = make("ol", { class: "log", tabindex: "0", "aria-label": "Entries of the log", reversed: true });
    const filter = make("div", { class: "fill" }, make("label", {}, make("span", { text: "Said by" }), this.role), make("label", {}, make("span", { text: "About" }), this.name));
    const api = `/api/tables/${encodeURIComponent(table)}`;
    const links = make("p", {}, make("a", { href: `${api}/log`, text: "The whole log" }), ", ", make("a", { href: `${api}/record`, text: "the record" }));
    place.append(filter, this.list, links);
    this.role.addEventListener("change", () => this.#show());
    this.name.addEventListener("input", () => this.#show());
    /** @type {Rows<Entry>} */
    this.rows = new Rows(this.list, (entry) => String(entry.seq), (entry) => this.#row(entry), () => undefined);
  }

  /** The last number that was seen; -1: none. */
  get seen() {
    return this.entries.length ? this.entries[0].seq : -1;
  }

  /** @param {Entry[]} fresh */
  add(fresh) {
    const after = fresh.filter((entry) => entry.seq > this.seen);
    if (!after.length) return;
    this.entries = [...after.reverse(), ...this.entries].slice(0, MOST);
    const known = new Set(Array.from(this.role.options, (option) => option.value));
    for (const { role } of this.entries) {
      if (known.has(role)) continue;
      known.add(role);
      this.role.append(make("option", { value: role, text: role }));
    }
    this.#show();
  }

  #show() {
    const about = this.name.value.trim().toLowerCase();
    const has = (/** @type {Entry} */ one) => [one.by, one.line, ...one.words].some((text) => text.toLowerCase().includes(about));
    this.rows.show(this.entries.filter((one) => (!this.role.value || one.role === this.role.value) && (!about || has(one))));
  }

  /** @param {Entry} entry */
  #row(entry) {
    const when = new Date(entry.at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" });
    const who = entry.role === entry.by ? entry.role : `${entry.role} ${entry.by}`;
    const link = make("a", { href: `/t/${this.table}/replay#${entry.seq}`, text: `#${entry.seq}`, "aria-label": `Entry ${entry.seq} in the replay` });
    const [first = "", ...others] = entry.words;
    const line = entry.line || first || entry.act;
    const words = entry.line ? entry.words.filter((one) => one !== entry.line) : others;
    return make(
      "li",
      {},
      make("p", { class: "entry-head" }, link, " ", make("time", { datetime: entry.at, text: when }), ` ${who}`),
      make("p", { class: "entry-line" }, make("b", { text: line })),
      ...words.slice(0, 12).map((one) => make("p", { class: "entry-words", text: one })),
      make("p", { class: "receipt" }, make("code", { text: `${entry.seq}:${entry.hash}`, title: "A receipt: passline audit --receipt" })),
    );
  }
}
