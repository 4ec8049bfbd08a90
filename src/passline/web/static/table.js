// @ts-check
/** A table's page: what is seen, what may be done, and every act as a line that is said. */

import { TableApi, TableError } from "./api.js";
import { Felt } from "./felt.js";
import { cents, rightAmount, said, shown } from "./money.js";
import { showPost } from "./post.js";

/** @param {string} id @returns {HTMLElement} */
const part = (id) => {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found;
};
/** @param {string} id */
const button = (id) => /** @type {HTMLButtonElement} */ (part(id));
/** @param {string} id */
const box = (id) => /** @type {HTMLInputElement} */ (part(id));

const api = new TableApi(location.pathname.split("/")[2] ?? "");
const QUIET = 120;

class TablePage {
  /** @type {any} */
  sight = null;
  /** @type {any} */
  drawn = null;
  /** @type {number | undefined} */
  #due = undefined;
  #asking = false;
  #again = false;
  #seen = -1;
  #end = "";
  #lost = false;

  constructor() {
    this.felt = new Felt(part("felt"), {
      bet: (slug) => void this.bet(slug),
      look: (slug) => this.look(slug),
    });
    this.#listen();
    this.#narrow.addEventListener("change", () => this.#look());
  }

  /** A small screen looks at one's own end, or at the center. */
  #narrow = window.matchMedia("(max-width: 43rem)");

  #look() {
    const view = /** @type {HTMLInputElement | null} */ (document.querySelector("input[name=view]:checked"));
    const mode = /** @type {HTMLInputElement | null} */ (document.querySelector("input[name=mode]:checked"));
    this.felt.view = this.#narrow.matches ? (view?.value ?? "end") : "whole";
    this.felt.mode = mode?.value ?? "Place";
    part("modes").hidden = !this.#narrow.matches;
    this.felt.lay();
  }

  async begin() {
    const token = location.hash.slice(1);
    if (/^[A-Za-z0-9]{32,64}$/.test(token)) {
      history.replaceState(null, "", location.pathname);
      await api.keep(token);
    }
    await this.refresh();
    this.#follow();
  }

  #follow() {
    const after = this.sight?.seq ?? 0;
    const stream = new EventSource(`${api.base}/events?after=${after}`);
    stream.addEventListener("entry", () => this.soon());
    stream.addEventListener("open", () => this.#connected(true));
    stream.addEventListener("error", () => {
      this.#connected(false);
      if (stream.readyState === EventSource.CLOSED) window.setTimeout(() => this.#follow(), 2000);
    });
  }

  /** @param {boolean} here */
  #connected(here) {
    if (here === !this.#lost) return;
    this.#lost = !here;
    part("connection").textContent = here ? "" : "The connection is lost: it comes back by itself.";
    if (here) this.soon();
  }

  /** Ask again in a moment: entries often come together. */
  soon() {
    if (this.#due !== undefined) return;
    this.#due = window.setTimeout(() => {
      this.#due = undefined;
      void this.refresh();
    }, QUIET);
  }

  async refresh() {
    if (this.#asking) {
      this.#again = true;
      return;
    }
    this.#asking = true;
    try {
      const sight = await api.get("/sight");
      await this.#show(sight);
    } catch (wrong) {
      this.refused(wrong);
    } finally {
      this.#asking = false;
      if (this.#again) {
        this.#again = false;
        this.soon();
      }
    }
  }

  /** @param {any} sight */
  async #show(sight) {
    this.sight = sight;
    const end = sight.seat?.end ?? sight.watched ?? "left";
    const place = sight.seat?.place ?? 0;
    const wanted = `${end}:${place}:${sight.limits ?? ""}`;
    if (wanted !== this.#end) {
      this.#end = wanted;
      this.drawn = await api.get(`/felt?end=${end}&place=${place}`);
      this.felt.show(this.drawn);
      this.#look();
      this.#chips(this.drawn.chips);
    }
    /** @type {Map<string, string>} */
    const up = new Map();
    const own = sight.players.find((/** @type {any} */ p) => p.name === sight.me);
    for (const wager of own?.wagers ?? []) {
      up.set(wager.wager, `${shown(cents(wager.amount))}${wager.working ? "" : ", off"}`);
    }
    this.felt.update(sight.over, sight.may, up);
    this.#status(sight);
    this.#call(sight);
    showPost(part("post"), sight, (line) => this.say(line));
  }

  /** @param {any} sight */
  #status(sight) {
    const seated = sight.seat !== null && sight.role === "player";
    part("sit").hidden = seated || !["watcher", "player"].includes(sight.role);
    part("controls").hidden = !seated;
    part("worth-part").hidden = !seated;
    part("now").textContent = sight.now;
    part("next").textContent = sight.next ? `Next throw: ${sight.next}.` : "";
    part("rail").textContent = seated ? shown(cents(sight.seat.rail)) : "";
    part("up").textContent = seated ? `${shown(cents(sight.seat.up))} on the felt` : "";
    part("puck").textContent = sight.puck ? `The point is ${sight.puck}` : "Coming out";
    part("shooter").textContent = sight.shooter ? `${sight.shooter} shoots` : "No shooter yet";
    for (const act of ["roll", "undo", "ready", "leave"]) {
      const bar = sight.acts[act]?.bar;
      button(act).setAttribute("aria-disabled", String(sight.acts[act] === undefined || "bar" in sight.acts[act]));
      button(act).title = bar?.reason ?? "";
    }
    button("ready").hidden = sight.acts.ready === undefined || "bar" in sight.acts.ready;
    button("repeat").setAttribute("aria-disabled", String(sight.repeat.length === 0));
    const players = sight.players.filter((/** @type {any} */ p) => p.here);
    part("players").replaceChildren(
      ...players.map((/** @type {any} */ p) => {
        const item = document.createElement("li");
        item.textContent = `${p.name}: ${shown(cents(p.rail))}${p.name === sight.shooter ? ", shoots" : ""}`;
        return item;
      }),
    );
  }

  /** One announcement a throw: the call, and one's own net. @param {any} sight */
  #call(sight) {
    const thrown = sight.throws ?? 0;
    if (thrown === this.#seen) return;
    const first = this.#seen < 0;
    this.#seen = thrown;
    if (!sight.last) return;
    const net = sight.last.net === null || sight.last.net === undefined ? "" : this.#won(sight.last.net);
    const line = document.createElement("p");
    const hand = sight.last.hand ? ` The hand had ${sight.last.hand.words}.` : "";
    line.textContent = `${sight.last.dice.join(" and ")}: ${sight.last.call}.${net}${hand}`;
    const log = part("stick");
    log.append(line);
    while (log.childElementCount > 50) log.firstElementChild?.remove();
    log.scrollTop = log.scrollHeight;
    this.#dice(sight.last.dice, first);
    if (!first && box("voice").checked && "speechSynthesis" in window) {
      speechSynthesis.speak(new SpeechSynthesisUtterance(sight.last.call));
    }
  }

  /** @param {string} net */
  #won(net) {
    const amount = cents(net);
    if (amount > 0) return ` You win ${shown(amount)}.`;
    return amount < 0 ? ` You lose ${shown(-amount)}.` : " You are even.";
  }

  /** @param {number[]} dice @param {boolean} still */
  #dice(dice, still) {
    const tray = part("dice");
    tray.replaceChildren(
      ...dice.map((face) => {
        const die = document.createElement("span");
        die.className = still ? "face" : "face rolled";
        die.dataset.face = String(face);
        for (let pip = 0; pip < face; pip += 1) die.append(document.createElement("i"));
        return die;
      }),
    );
  }

  /** @param {{colour: string, value: string}[]} chips */
  #chips(chips) {
    const group = part("chip");
    const kept = /** @type {HTMLInputElement | null} */ (group.querySelector("input:checked"))?.value;
    const lowest = chips.reduce((a, b) => (cents(a.value) < cents(b.value) ? a : b));
    const ordered = [...chips].sort((a, b) => cents(a.value) - cents(b.value));
    group.querySelectorAll("label").forEach((label) => label.remove());
    for (const { colour, value } of ordered) {
      const label = document.createElement("label");
      label.className = `chip-choice chip-${colour}`;
      const radio = document.createElement("input");
      radio.type = "radio";
      radio.name = "chip";
      radio.value = value;
      radio.checked = kept ? kept === value : value === lowest.value;
      const words = document.createElement("span");
      words.textContent = shown(cents(value));
      label.append(radio, words);
      group.append(label);
    }
  }

  get chip() {
    const chosen = /** @type {HTMLInputElement | null} */ (part("chip").querySelector("input:checked"));
    return chosen ? cents(chosen.value) : 100;
  }

  /** @param {string} slug */
  async bet(slug) {
    const may = this.sight?.may[slug];
    if (!may) {
      this.tell(this.sight?.me ? "That is not yours to bet." : "Sit down first, and bet then.");
      return;
    }
    const option = may.raise ?? may.bet;
    if ("bar" in option) {
      this.tell(`${option.bar.reason} (${option.bar.cite})`);
      return;
    }
    const own = this.sight.players.find((/** @type {any} */ p) => p.name === this.sight.me);
    const wager = own?.wagers.find((/** @type {any} */ w) => w.wager === slug);
    const lies = wager ? cents(wager.amount) : 0;
    const amount = rightAmount(lies + this.chip, option);
    const line = lies ? `${slug} to ${said(amount)}` : `${slug} for ${said(amount)}`;
    const name = this.felt.cells.get(slug)?.target.name ?? slug;
    const taken = await this.say(line);
    if (taken && amount - lies !== this.chip) {
      part("note").textContent = `${name} takes ${shown(amount - lies)} here, not ${shown(this.chip)}.`;
    }
  }

  /** @param {string} line */
  async say(line) {
    part("alert").textContent = "";
    part("note").textContent = "";
    try {
      const answer = await api.say(line);
      const refusals = answer.entries.filter((/** @type {any} */ e) => e.refusal);
      if (refusals.length) {
        this.tell(refusals.map((/** @type {any} */ e) => `${e.refusal.reason} (${e.refusal.cite})`).join(" "));
      }
      this.soon();
      return refusals.length < answer.entries.length;
    } catch (wrong) {
      this.refused(wrong);
      return false;
    }
  }

  /** @param {unknown} wrong */
  refused(wrong) {
    if (wrong instanceof TableError) {
      const near = wrong.nearest ? ` Did you mean "${wrong.nearest}"?` : "";
      this.tell(`${wrong.message}${wrong.cite ? ` (${wrong.cite})` : ""}.${near}`);
    } else {
      this.#connected(false);
    }
  }

  /** @param {string} words */
  tell(words) {
    part("alert").textContent = words;
  }

  /** What a spot is. @param {string} slug */
  look(slug) {
    const target = this.felt.cells.get(slug)?.target;
    if (!target) return;
    const may = this.sight?.may[slug];
    const option = may?.raise ?? may?.bet;
    const limits = option && !("bar" in option) ? `${shown(cents(option.least))} to ${shown(cents(option.most))}` : "";
    part("spot-name").textContent = target.name;
    part("spot-pays").textContent = target.pays.length ? `Pays ${target.pays.join(", ")}.` : "";
    part("spot-limits").textContent = option && "bar" in option ? `${option.bar.reason} (${option.bar.cite})` : limits;
    for (const verb of ["down", "on", "off"]) {
      const act = button(`spot-${verb}`);
      act.hidden = !may?.[verb] || "bar" in may[verb];
      act.dataset.slug = slug;
    }
  }

  #listen() {
    part("sit").addEventListener("submit", (event) => {
      event.preventDefault();
      part("alert").textContent = "";
      const name = box("name").value.trim();
      api.sit(name, box("buy-in").value.trim()).then(
        () => {
          localStorage.setItem("passline-name", name);
          void this.refresh();
        },
        (wrong) => this.refused(wrong),
      );
    });
    part("say-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const words = box("say").value.trim();
      if (words) void this.say(words).then((taken) => taken && (box("say").value = ""));
    });
    for (const act of ["roll", "undo", "ready"]) {
      button(act).addEventListener("click", () => void this.act(act));
    }
    button("leave").addEventListener("click", () => {
      if (window.confirm("Leave the table? Wagers that may come down come down.")) void this.say("leave");
    });
    button("worth").addEventListener("click", () => {
      import("./worth.js").then((worth) => worth.showWorth(api, part("worth-panel")), (wrong) => this.refused(wrong));
    });
    button("repeat").addEventListener("click", () => {
      const lines = this.sight?.repeat ?? [];
      if (lines.length) void this.say(lines.join("; "));
      else this.tell("There is nothing to repeat: nothing of yours came down.");
    });
    for (const verb of ["down", "on", "off"]) {
      button(`spot-${verb}`).addEventListener("click", (event) => {
        const slug = /** @type {HTMLElement} */ (event.currentTarget).dataset.slug;
        void this.say(`${slug} ${verb}`);
      });
    }
    part("modes").addEventListener("change", () => this.#look());
    if (!box("name").value) {
      const kept = localStorage.getItem("passline-name");
      box("name").value = kept ?? `guest${Math.floor(100 + Math.random() * 900)}`;
    }
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  /** @param {string} act */
  async act(act) {
    const bar = this.sight?.acts[act]?.bar;
    if (bar) this.tell(`${bar.reason}${bar.cite ? ` (${bar.cite})` : ""}`);
    else await this.say(act);
  }

  /** Every act has a key, outside of text boxes. @param {KeyboardEvent} event */
  #key(event) {
    const at = /** @type {HTMLElement} */ (event.target);
    if (at.closest("input, textarea, select") || event.ctrlKey || event.altKey || event.metaKey) return;
    /** @type {Record<string, () => void>} */
    const keys = {
      r: () => void this.act("roll"),
      u: () => void this.act("undo"),
      y: () => void this.act("ready"),
      e: () => button("repeat").click(),
      "/": () => box("say").focus(),
    };
    const does = keys[event.key];
    if (!does || part("controls").hidden) return;
    event.preventDefault();
    does();
  }
}

const page = new TablePage();
page.begin().catch((wrong) => page.refused(wrong));
