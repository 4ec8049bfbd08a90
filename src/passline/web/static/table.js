// @ts-check
/** A table's page: what is seen, what may be done, and every act as a line that is said. */

import { TableApi } from "./api.js";
import { Betting } from "./betting.js";
import { CrewWork } from "./crew.js";
import { box, button, chosen, kept, made, part } from "./dom.js";
import { Felt } from "./felt.js";
import { Following } from "./following.js";
import { listenToKeys } from "./keys.js";
import { Looking } from "./looking.js";
import { howToBet, Mine } from "./mine.js";
import { cents, shown } from "./money.js";
import { showPost } from "./post.js";
import { Rack } from "./rack.js";
import { ACTS, listenToSeat, showSeat } from "./sitting.js";
import { Spots } from "./spots.js";
import { Telling } from "./telling.js";
import { Throwing } from "./throwing.js";

export class TablePage {
  /** @type {any} */
  sight = null;
  /** @type {import("./felt.js").Drawn | null} */
  drawn = null;
  /** @type {import("./text_mode.js").TextMode | null} */
  #text = null;
  #end = "";

  constructor() {
    this.api = new TableApi(location.pathname.split("/")[2] ?? "");
    this.telling = new Telling(this);
    this.following = new Following(this);
    this.felt = new Felt(part("felt"), {
      bet: (slug) => void this.betting.bet(slug),
      look: (slug) => this.spots.look(slug),
      more: (slug) => void this.spots.more(slug),
      away: () => this.spots.tip(false),
      reach: () => this.looking.reach(),
    });
    this.looking = new Looking(this);
    this.rack = new Rack({
      over: (x, y) => this.felt.over(x, y),
      mark: (slug) => this.felt.mark(slug),
      bet: (slug, chip) => void this.betting.bet(slug, chip),
    });
    this.betting = new Betting(this);
    this.crew = new CrewWork(this);
    this.throwing = new Throwing(this);
    this.mine = new Mine(this);
    this.spots = new Spots(this);
    listenToSeat(this);
    listenToKeys(this);
    this.#listen();
  }

  async begin() {
    window.addEventListener("hashchange", () => location.reload()); // another invitation
    const token = location.hash.slice(1);
    if (/^[A-Za-z0-9]{32,64}$/.test(token)) {
      history.replaceState(null, "", location.pathname);
      await this.api.keep(token);
    }
    await this.following.refresh();
    if (token && this.sight?.learns) location.replace(`${location.pathname}/learn`); // the work is there
    if (!this.following.shut) this.following.begin();
    if (kept.get("text") === "on") await this.#texts(true);
    if ("SpeechRecognition" in window) void import("./speech.js").then((speech) => speech.offerSpeech(this));
  }

  /** A wager's name. @param {string} slug */
  name(slug) {
    return this.felt.cells.get(slug)?.target.name ?? slug;
  }

  /** A say with its wager by name. @param {string} say */
  worded(say) {
    const [slug, ...rest] = say.split(" ");
    if (say.startsWith("buy in ")) return `Buy in ${shown(cents(rest[1]))}`;
    return this.felt.cells.has(slug) ? `${this.name(slug)} ${rest.join(" ").replace(/\.00$/, "")}` : say;
  }

  /** Why something may not be done, its wagers by name. @param {string} reason */
  reasoned(reason) {
    return reason.replace(/^[a-z]+(?= )|[a-z]+(?:-[a-z0-9]+)+/g, (slug) => this.name(slug));
  }

  /** One's own wagers. @returns {{wager: string, amount: string, working: boolean}[]} */
  own() {
    return this.sight?.players.find((/** @type {any} */ p) => p.name === this.sight.me)?.wagers ?? [];
  }

  get texting() {
    return this.#text !== null;
  }

  /** @param {any} sight */
  async show(sight) {
    this.sight = sight;
    showSeat(this, sight); // to sit down, one need not wait for the picture
    const end = sight.seat?.end ?? sight.watched ?? "left";
    const place = sight.seat?.place ?? 0;
    const wanted = `${end}:${place}`;
    if (wanted !== this.#end) {
      this.#end = wanted;
      this.drawn = /** @type {import("./felt.js").Drawn} */ (await this.api.get(`/felt?end=${end}&place=${place}`));
      this.felt.show(this.drawn);
      this.looking.look();
      this.rack.show(this.drawn.chips);
    }
    const up = new Map(this.own().map((w) => [w.wager, `${shown(cents(w.amount))}${w.working ? "" : ", off"}`]));
    this.throwing.saw(sight); // first: while the crew works, the felt is held as it was
    this.felt.update(sight.over, sight.me ?? "", sight.may, up);
    this.betting.saw(sight);
    this.mine.saw(sight);
    this.spots.again();
    this.#text?.saw(sight);
    this.#status(sight);
    showPost(part("post"), sight, (line) => this.betting.say(line));
  }

  /** @param {any} sight */
  #status(sight) {
    const head = document.querySelector("h1");
    if (head && head.textContent !== sight.name) {
      document.title = document.title.replace(head.textContent ?? "", sight.name); // it is not open
      head.textContent = sight.name;
    }
    const player = sight.seat !== null && sight.role === "player";
    part("worth-part").hidden = !player;
    part("now").textContent = sight.now;
    const how = sight.begins ? howToBet(this.texting) : "";
    part("next").textContent = sight.next ? `Next throw: ${sight.next}.` : how;
    part("rail").textContent = player ? shown(cents(sight.seat.rail)) : "";
    part("up").textContent = player ? `${shown(cents(sight.seat.up))} on the felt` : "";
    part("puck").textContent = sight.puck ? `The point is ${sight.puck}` : "Coming out";
    part("shooter").textContent = sight.shooter ? `${sight.shooter} shoots` : "No shooter yet";
    for (const act of ["roll", "undo", "ready", "leave"]) {
      const bar = sight.acts[act]?.bar;
      button(act).setAttribute("aria-disabled", String(sight.acts[act] === undefined || "bar" in sight.acts[act]));
      button(act).title = this.reasoned(bar?.reason ?? "");
    }
    button("ready").hidden = sight.acts.ready === undefined || "bar" in sight.acts.ready;
    button("repeat").setAttribute("aria-disabled", String(sight.repeat.length === 0));
    const players = sight.players.filter((/** @type {any} */ p) => p.here);
    part("players").replaceChildren(
      ...players.map((/** @type {any} */ p) =>
        made("li", {}, `${p.name}: ${shown(cents(p.rail))}${p.name === sight.shooter ? ", shoots" : ""}`),
      ),
    );
  }

  /** The picture, or tables. @param {boolean} on */
  async #texts(on) {
    kept.put("text", on ? "on" : "off");
    button("text-mode").setAttribute("aria-pressed", String(on));
    part("stage").hidden = on;
    if (on) part("text").before(part("mine-part"));
    else part("spot").before(part("mine-part"));
    part("text").hidden = !on;
    if (!on) {
      this.#text = null;
      part("text").replaceChildren();
      this.looking.look();
      if (this.sight) await this.show(this.sight);
      return;
    }
    const [{ TextMode }, worth] = await Promise.all([import("./text_mode.js"), this.spots.worth()]);
    this.crew.end();
    this.#text = new TextMode(this, worth);
    this.looking.look();
    if (this.sight) await this.show(this.sight);
  }

  #listen() {
    part("say-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const words = box("say").value.trim();
      if (words) void this.betting.say(words).then((taken) => taken && (box("say").value = ""));
    });
    button("worth").addEventListener("click", () => {
      import("./worth.js").then((worth) => worth.showWorth(this.api, part("worth-panel")), (wrong) => this.telling.refused(wrong));
    });
    button("repeat").addEventListener("click", () => {
      const lines = this.sight?.repeat ?? [];
      if (lines.length) void this.betting.say(lines.join("; "));
      else this.telling.tell("There is nothing to repeat: nothing of yours came down.");
    });
    for (const [act, words] of Object.entries(ACTS)) {
      button(act).addEventListener("click", () => void this.betting.say(words));
    }
    button("text-mode").addEventListener("click", () => void this.#texts(!this.texting));
    const pace = kept.get("pace", window.matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "follow");
    const radio = /** @type {HTMLInputElement | null} */ (document.querySelector(`input[name=pace][value="${pace}"]`));
    if (radio) radio.checked = true;
    part("paces").addEventListener("change", () => kept.put("pace", chosen("pace", "follow")));
  }
}

const page = new TablePage();
page.begin().catch((wrong) => page.telling.refused(wrong));
