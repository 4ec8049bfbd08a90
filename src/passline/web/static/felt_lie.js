// @ts-check
/** What lies on the felt: the server's drawing of it, one's own chips readable, hopes as ghosts. */

import { formatMoney } from "./money.js";

const SVG = "http://www.w3.org/2000/svg";
/** A chip lies fourteen units wide; one's own is to be seen this many pixels wide. */
const CHIP_UNITS = 14;
const OWN_CHIP_PIXELS = 17;
const MAX_CHIP_SCALE = 2.3;
const LETTER_PIXELS = 12;

/** @param {string} name @param {Record<string, string | number>} attributes @param {string} [words] */
export function makeSvg(name, attributes, words) {
  const found = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) found.setAttribute(key, String(value));
  if (words !== undefined) found.textContent = words;
  return found;
}

/** Where a group was moved to. @param {Element | null | undefined} group */
export function translationOf(group) {
  const found = /translate\(([-\d.]+)[ ,]([-\d.]+)\)/.exec(group?.getAttribute("transform") ?? "");
  return found ? { x: Number(found[1]), y: Number(found[2]) } : null;
}

export class FeltChips {
  #contents = "";
  #me = "";
  #frozen = false;
  #pixelsPerUnit = 1;

  /** @param {Element} svg */
  attachTo(svg) {
    this.layer = makeSvg("g", { class: "lie" });
    this.pendingLayer = makeSvg("g", { class: "hopes" });
    svg.append(this.layer, this.pendingLayer);
    this.#draw();
  }

  /** @param {string} over @param {string} me */
  show(over, me) {
    const same = over === this.#contents && me === this.#me;
    this.#contents = over;
    this.#me = me;
    if (!same && !this.#frozen) this.#draw();
  }

  /** @param {number} unit pixels of a unit */
  setScale(unit) {
    if (Math.abs(unit - this.#pixelsPerUnit) < 0.01) return;
    this.#pixelsPerUnit = unit;
    if (!this.#frozen) this.#draw();
  }

  /** While the crew works, what lies there is as it was. */
  freeze() {
    this.#frozen = true;
    this.layer?.querySelectorAll(":scope > .die").forEach((dice) => dice.remove()); // they are thrown
  }

  unfreeze() {
    if (!this.#frozen) return;
    this.#frozen = false;
    this.#draw();
  }

  /** What will lie there once the work is done. */
  parseContents() {
    return this.#parsed();
  }

  #parsed() {
    const text = `<svg xmlns="${SVG}">${this.#contents}</svg>`;
    return new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  }

  #draw() {
    if (!this.layer) return;
    this.layer.replaceChildren(...Array.from(this.#parsed().childNodes, (n) => document.importNode(n, true)));
    if (!this.#me) return;
    /** @type {{x: number, y: number, wide: number}[]} */
    const written = [];
    for (const stack of this.layer.querySelectorAll(`.stack[data-player="${CSS.escape(this.#me)}"]`)) this.#enlargeOwn(stack, written);
  }

  /** One's own chips are large enough to be seen, and say how much they are: beneath them, or above
   * where something is written there. @param {Element} stack @param {{x: number, y: number, wide: number}[]} written */
  #enlargeOwn(stack, written) {
    const at = translationOf(stack) ?? { x: 0, y: 0 };
    const size = Math.min(Math.max(OWN_CHIP_PIXELS / (CHIP_UNITS * this.#pixelsPerUnit), 1), MAX_CHIP_SCALE);
    const letters = LETTER_PIXELS / this.#pixelsPerUnit / size;
    stack.setAttribute("transform", `${stack.getAttribute("transform")} scale(${size.toFixed(2)})`);
    stack.classList.add("own");
    const words = formatMoney(Math.round(Number(stack.getAttribute("data-amount")) * 100));
    const below = CHIP_UNITS / 2 + letters * 0.6;
    const rise = translationOf([...stack.querySelectorAll("use")].at(-1))?.y ?? 0;
    const wide = letters * 0.62 * words.length * size;
    const free = (/** @type {number} */ y) =>
      written.every((w) => Math.abs(w.x - at.x) > (w.wide + wide) / 2 || Math.abs(w.y - y) > letters * size);
    const y = free(at.y + below * size) ? below : rise - below;
    written.push({ x: at.x, y: at.y + y * size, wide });
    stack.append(makeSvg("text", { class: "count own-count", y, "font-size": letters.toFixed(1) }, words));
    stack.parentElement?.append(stack);
    this.#enlargeLammer(stack, at, size);
  }

  /** Its lammer is as large, and leaves the numeral to be read.
   * @param {Element} stack @param {{x: number, y: number}} at @param {number} size */
  #enlargeLammer(stack, at, size) {
    const of = `.lammer[data-player="${CSS.escape(this.#me)}"][data-slug="${CSS.escape(stack.getAttribute("data-slug") ?? "")}"]`;
    const lammer = this.layer?.querySelector(of);
    const middle = lammer?.querySelector("circle");
    if (!lammer || !middle) return;
    const [x, y] = ["cx", "cy"].map((side) => -Number(middle.getAttribute(side)));
    const off = (CHIP_UNITS / 2) * size;
    lammer.setAttribute("transform", `translate(${at.x + off} ${at.y - off}) scale(${size.toFixed(2)}) translate(${x} ${y})`);
    stack.after(lammer);
  }

  /** @param {string} player @param {string} slug */
  stack(player, slug) {
    const of = `.stack[data-player="${CSS.escape(player)}"][data-slug="${CSS.escape(slug)}"]`;
    return this.layer?.querySelector(of) ?? null;
  }

  /** @param {Map<string, number>} hoped @param {Map<string, number>} lies
   * @param {(slug: string) => import("./felt.js").Target | undefined} target */
  showPending(hoped, lies, target) {
    const ghosts = [];
    for (const [slug, amount] of hoped) {
      const spot = target(slug);
      const shownNow = translationOf(this.stack(this.#me, slug));
      const same = shownNow !== null && Number(this.stack(this.#me, slug)?.getAttribute("data-amount")) * 100 === amount;
      if (!spot || !amount || same) continue;
      const at = shownNow ?? { x: spot.x + spot.w / 2, y: spot.y + spot.h / 2 };
      const radius = OWN_CHIP_PIXELS / 2 / this.#pixelsPerUnit;
      const ghost = makeSvg("g", { class: "ghost", transform: `translate(${at.x} ${at.y})`, "data-slug": slug });
      const letters = LETTER_PIXELS / this.#pixelsPerUnit;
      ghost.append(
        makeSvg("circle", { r: radius, class: "hoped" }),
        makeSvg("text", { class: "count", y: radius + letters * 0.6, "font-size": letters.toFixed(1) }, formatMoney(amount)),
      );
      ghosts.push(ghost);
    }
    this.pendingLayer?.replaceChildren(...ghosts);
  }
}
