// @ts-check
/** Who has which post, and invitations: links to give away, tokens to withdraw. */

import { TableError } from "./api.js";
import { makeOld, setChildren } from "./post_dom.js";

/** @typedef {{post: string, called: string, held: string, name: string, missing: string}} Post */

/** @param {HTMLElement} place @param {Post[]} posts */
export function showPosts(place, posts) {
  const data = JSON.stringify(posts);
  if (place.dataset.told === data) return;
  place.dataset.told = data;
  const rows = posts.flatMap((one) => {
    const who = one.missing ? `none in this game (${one.missing})` : one.held === "machine" ? "the machine" : one.name || `a ${one.held}`;
    return [makeOld("dt", { text: one.called }), makeOld("dd", { text: who })];
  });
  setChildren(place, rows);
}

export class Invitations {
  /**
   * @param {HTMLElement} place
   * @param {import("./api.js").TableApi} api
   * @param {(words: string) => void} showAlert
   */
  constructor(place, api, showAlert) {
    this.api = api;
    this.tell = showAlert;
    this.role = /** @type {HTMLSelectElement} */ (makeOld("select", {}));
    this.name = /** @type {HTMLInputElement} */ (makeOld("input", { type: "text", autocomplete: "off" }));
    this.links = makeOld("div", { class: "links", "aria-live": "polite" });
    const withdraw = makeOld("button", { type: "button", class: "quiet", text: "Withdraw tokens" });
    this.form = makeOld(
      "form",
      { class: "offer", novalidate: true },
      makeOld("div", { class: "fill" }, makeOld("label", {}, makeOld("span", { text: "Role" }), this.role), makeOld("label", {}, makeOld("span", { text: "Name, if any" }), this.name)),
      makeOld("div", { class: "verbs" }, makeOld("button", { type: "submit", text: "Make a link" }), withdraw),
    );
    this.none = makeOld("p", { text: "The floor and the operator invite." });
    place.append(this.form, this.links, this.none);
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#attempt(() => this.#invite());
    });
    withdraw.addEventListener("click", () => void this.#attempt(() => this.#withdraw()));
  }

  /** @param {string[]} roles */
  show(roles) {
    this.form.hidden = !roles.length;
    this.none.hidden = roles.length > 0;
    if (this.role.options.length !== roles.length) setChildren(this.role, roles.map((role) => makeOld("option", { value: role, text: role })));
  }

  get #invited() {
    return { role: this.role.value, name: this.name.value.trim() };
  }

  /** @param {() => Promise<void>} action */
  async #attempt(action) {
    try {
      await action();
    } catch (error) {
      this.tell(error instanceof TableError ? error.message : "The connection is lost.");
    }
  }

  async #invite() {
    const who = this.#invited;
    const { token } = await this.api.post("/tokens", who);
    const label = `Link for ${who.role}${who.name ? `, ${who.name}` : ""}`;
    const link = /** @type {HTMLInputElement} */ (makeOld("input", { type: "text", readonly: true, value: `${location.origin}/t/${this.api.table}#${token}` }));
    const copy = makeOld("button", { type: "button", class: "quiet", text: "Copy", "aria-label": `Copy the ${label.toLowerCase()}` });
    copy.addEventListener("click", () => {
      link.select();
      void navigator.clipboard?.writeText(link.value).then(() => (copy.textContent = "Copied"));
    });
    link.addEventListener("focus", () => link.select());
    this.links.prepend(makeOld("div", { class: "link" }, makeOld("label", {}, makeOld("span", { text: label }), link), copy));
    this.name.value = "";
  }

  async #withdraw() {
    const who = this.#invited;
    await this.api.remove("/tokens", who);
    const words = `The tokens of ${who.role}${who.name ? `, ${who.name},` : " that name nobody"} are withdrawn.`;
    this.links.prepend(makeOld("p", { text: words }));
  }
}
