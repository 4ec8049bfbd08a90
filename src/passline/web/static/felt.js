// @ts-check
/** The felt: the picture that the server draws, and over it a grid of targets. */

/**
 * @typedef {{slug: string, name: string, number: number, kind: string, pays: string[],
 *   x: number, y: number, w: number, h: number}} Target
 * @typedef {{svg: string, views: Record<string, number[]>, rows: {name: string, cells: Target[]}[]}} Drawn
 * @typedef {{reason: string, cite: string}} Bar
 */

const NEAR = 3;

export class Felt {
  /**
   * @param {HTMLElement} box
   * @param {{bet: (slug: string) => void, look: (slug: string) => void}} does
   */
  constructor(box, does) {
    this.box = box;
    this.does = does;
    /** @type {Map<string, {target: Target, cell: HTMLElement}>} */
    this.cells = new Map();
    /** @type {Element | null} */
    this.over = null;
    this.mode = "Place";
    this.view = "whole";
    /** @type {Drawn | null} */
    this.drawn = null;
  }

  /** @param {Drawn} drawn */
  show(drawn) {
    const picture = new DOMParser().parseFromString(drawn.svg, "image/svg+xml").documentElement;
    const svg = document.importNode(picture, true);
    svg.setAttribute("aria-hidden", "true");
    svg.removeAttribute("role");
    this.over = document.createElementNS("http://www.w3.org/2000/svg", "g");
    svg.append(this.over);
    this.svg = svg;
    this.drawn = drawn;
    const grid = document.createElement("div");
    grid.setAttribute("role", "grid");
    grid.setAttribute("aria-label", "Felt");
    grid.className = "targets";
    this.cells.clear();
    for (const row of drawn.rows) {
      const line = document.createElement("div");
      line.setAttribute("role", "row");
      line.setAttribute("aria-label", row.name);
      for (const target of row.cells) {
        const cell = document.createElement("div");
        cell.setAttribute("role", "gridcell");
        cell.dataset.slug = target.slug;
        cell.dataset.kind = target.kind;
        if (target.number) cell.dataset.number = String(target.number);
        cell.tabIndex = -1;
        this.cells.set(target.slug, { target, cell });
        line.append(cell);
      }
      grid.append(line);
    }
    this.box.replaceChildren(svg, grid);
    this.lay();
    const first = this.cells.values().next().value;
    if (first) first.cell.tabIndex = 0;
    grid.addEventListener("click", (event) => this.#pressed(event));
    grid.addEventListener("keydown", (event) => this.#key(event));
    grid.addEventListener("focusin", (event) => this.#focused(event));
    grid.addEventListener("pointerover", (event) => this.#over(event));
  }

  /** Look at a part of the felt: the whole, one's own end, or the center. On a small screen a
   * number's column is one target, and the mode says which of its wagers that is. */
  lay() {
    if (!this.drawn || !this.svg) return;
    const frame = this.drawn.views[this.view] ?? this.drawn.views.whole;
    const [left, top, width, height] = frame;
    this.svg.setAttribute("viewBox", frame.join(" "));
    this.box.style.aspectRatio = `${width} / ${height}`;
    const chosen = this.#chosen();
    for (const [slug, { target, cell }] of this.cells) {
      const at = chosen.get(slug) ?? target;
      cell.style.left = `${(100 * (at.x - left)) / width}%`;
      cell.style.top = `${(100 * (at.y - top)) / height}%`;
      cell.style.width = `${(100 * at.w) / width}%`;
      cell.style.height = `${(100 * at.h) / height}%`;
      cell.classList.toggle("chosen", chosen.has(slug));
      const out = at.x + at.w <= left + 1 || at.x >= left + width - 1;
      cell.classList.toggle("out", out);
    }
  }

  /** The targets that stand for their whole column. */
  #chosen() {
    /** @type {Map<string, {x: number, y: number, w: number, h: number}>} */
    const found = new Map();
    if (this.view === "whole") return found;
    const wanted = { Place: /^Place \d+$/, Buy: /^Buy/, Lay: /^Lay/, Odds: /odds$/ }[this.mode];
    const columns = this.drawn?.rows.filter((row) => row.cells.every((cell) => cell.number)) ?? [];
    for (const { cells: column } of columns) {
      const one = column.find((target) => wanted?.test(target.name));
      if (!one) continue;
      const x = Math.min(...column.map((target) => target.x));
      const y = Math.min(...column.map((target) => target.y));
      const right = Math.max(...column.map((target) => target.x + target.w));
      const bottom = Math.max(...column.map((target) => target.y + target.h));
      found.set(one.slug, { x, y, w: right - x, h: bottom - y });
    }
    return found;
  }

  /** What lies there now, and what may be done.
   * @param {string} over @param {Record<string, any>} may @param {Map<string, string>} up */
  update(over, may, up) {
    if (this.over) {
      const drawn = `<svg xmlns="http://www.w3.org/2000/svg">${over}</svg>`;
      const layer = new DOMParser().parseFromString(drawn, "image/svg+xml").documentElement;
      this.over.replaceChildren(...Array.from(layer.childNodes, (n) => document.importNode(n, true)));
    }
    for (const [slug, { target, cell }] of this.cells) {
      const lies = up.get(slug);
      cell.setAttribute("aria-label", lies ? `${target.name}, ${lies}` : target.name);
      const option = may[slug]?.raise ?? may[slug]?.bet;
      const barred = option === undefined || "bar" in option;
      cell.setAttribute("aria-disabled", String(barred));
    }
  }

  /** @param {Event} event */
  #slug(event) {
    const cell = /** @type {HTMLElement} */ (event.target).closest?.("[role=gridcell]");
    return cell instanceof HTMLElement ? (cell.dataset.slug ?? "") : "";
  }

  /** @param {Event} event */
  #pressed(event) {
    const slug = this.#slug(event);
    if (slug) this.does.bet(slug);
  }

  /** @param {Event} event */
  #over(event) {
    const slug = this.#slug(event);
    if (slug) this.does.look(slug);
  }

  /** @param {FocusEvent} event */
  #focused(event) {
    const slug = this.#slug(event);
    if (!slug) return;
    for (const [of, { cell }] of this.cells) cell.tabIndex = of === slug ? 0 : -1;
    this.does.look(slug);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const slug = this.#slug(event);
    const here = this.cells.get(slug);
    if (!here) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.does.bet(slug);
      return;
    }
    /** @type {Record<string, number[]>} */
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const way = ways[event.key];
    const edge = event.key === "Home" ? 0 : event.key === "End" ? this.cells.size - 1 : -1;
    if (!way && edge < 0) return;
    event.preventDefault();
    const next = way ? this.#toward(here.target, way) : [...this.cells.values()][edge].cell;
    next?.focus();
  }

  /** The nearest target in a direction. @param {Target} from @param {number[]} way */
  #toward(from, way) {
    const at = [from.x + from.w / 2, from.y + from.h / 2];
    /** @type {HTMLElement | undefined} */
    let found;
    let best = Infinity;
    for (const { target, cell } of this.cells.values()) {
      const off = [target.x + target.w / 2 - at[0], target.y + target.h / 2 - at[1]];
      const along = off[0] * way[0] + off[1] * way[1];
      const across = Math.abs(off[0] * way[1]) + Math.abs(off[1] * way[0]);
      if (along < 1 || target.slug === from.slug) continue;
      const far = along + NEAR * across;
      if (far < best) {
        best = far;
        found = cell;
      }
    }
    return found;
  }
}
