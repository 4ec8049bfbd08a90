// @ts-check
/** Who has which post, and invitations: links to give away, tokens to withdraw. */

import { TableError } from "./api.js";
import { make, put } from "./post_dom.js";

/** @typedef {{post: string, called: string, held: string, name: string, missing: string}} Post */

/** @param {HTMLElement} place @param {Post[]} posts */
export function showPosts(place, posts) {
  const told = JSON.stringify(posts);
  if (place.dataset.told === told) return;
  place.dataset.told = told;
  const rows = posts.flatMap((one) => {
    const who = one.missing ? `none in this game (${one.missing})` : one.held === "machine" ? "the machine" : one.name || `a ${one.held}`;
    return [make("dt", { text: one.called }), make("dd", { text: who })];
  });
  put(place, rows);
}

export class Invitations {
  /**
   * @param {HTMLElement} place
   * @param {import("./api.js").TableApi} api
   * @param {(words: string) => void} tell
   */
  constructor(place, api, tell) {
    this.api = api;
    this.tell = tell;
    this.role = /** @type {HTMLSelectElement} */ (make("select", {}));
    this.name = /** @type {HTMLInputElement} */ (make("input", { type: "text", autocomplete: "off" }));
    this.links = make("div", { class: "links", "aria-live": "polite" });
    const withdraw = make("button", { type: "button", class: "quiet", text: "Withdraw tokens" });
    this.form = make(
      "form",
      { class: "offer", novalidate: true },
      make("div", { class: "fill" }, make("label", {}, make("span", { text: "Role" }), this.role), make("label", {}, make("span", { text: "Name, if any" }), this.name)),
      make("div", { class: "verbs" }, make("button", { type: "submit", text: "Make a link" }), withdraw),
    );
    this.none = make("p", { text: "The floor and the operator invite." });
    place.append(this.form, this.links, this.none);
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#asked(() => this.#invite());
    });
    withdraw.addEventListener("click", () => void this.#asked(() => this.#withdraw()));
  }

  /** @param {string[]} roles */
  show(roles) {
    this.form.hidden = !roles.length;
    this.none.hidden = roles.length > 0;
    if (this.role.options.length !== roles.length) put(this.role, roles.map((role) => make("option", { value: role, text: role })));
  }

  get #who() {
    return { role: this.role.value, name: this.name.value.trim() };
  }

  /** @param {() => Promise<void>} does */
  async #asked(does) {
    try {
      await does();
    } catch (wrong) {
      this.tell(wrong instanceof TableError ? wrong.message : "The connection is lost.");
    }
  }

  async #invite() {
    const who = this.#who;
    const { token } = await this.api.post("/tokens", who);
    const label = `Link for ${who.role}${who.name ? `, ${who.name}` : ""}`;
    const link = /** @type {HTMLInputElement} */ (make("input", { type: "text", readonly: true, value: `${location.origin}/t/${this.api.table}#${token}` }));
    const copy = make("button", { type: "button", class: "quiet", text: "Copy", "aria-label": `Copy the ${label.toLowerCase()}` });
    copy.addEventListener("click", () => {
      link.select();
      void navigator.clipboard?.writeText(link.value).then(() => (copy.textContent = "Copied"));
    });
    link.addEventListener("focus", () => link.select());
    this.links.prepend(make("div", { class: "link" }, make("label", {}, make("span", { text: label }), link), copy));
    this.name.value = "";
  }

  async #withdraw() {
    const who = this.#who;
    await this.api.remove("/tokens", who);
    const words = `The tokens of ${who.role}${who.name ? `, ${who.name},` : " that name nobody"} are withdrawn.`;
    this.links.prepend(make("p", { text: words }));
  }
}
