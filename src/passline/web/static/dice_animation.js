// @ts-check
/** The pair of dice on the felt: two cubes over the picture. They lie somewhere, are hidden, or fly from
 * the shooter to the far wall and back, on another path each time. */

import { makeDie, makeElement } from "./dom.js";

/**
 * @typedef {{x: number, y: number}} Point in units of the felt
 * @typedef {{start: Point, wall: number, rest: Point}} ThrowPath where the dice leave the hand, the x of the far wall, and where they come to rest
 */

/** Units from the edge of the picture to the inside of the rail. */
const RAIL_UNITS = 48;
/** Milliseconds of a flight, and how much later the second die comes to rest. */
const FLIGHT_MS = 960;
const SECOND_DIE_MS = 90;
/** The parts of a flight at which the dice hit the wall, and then the felt. */
const WALL_AT = 0.4;
const BOUNCES_AT = [0.63, 0.83, 0.95];
/** The height of the dice over the felt along their way: part of the flight, and dice widths. */
const HEIGHTS = [[0, 0.9], [0.2, 1.3], [WALL_AT, 0.7], [0.5, 0.9], [0.63, 0], [0.73, 0.4], [0.83, 0], [0.89, 0.1], [0.95, 0], [1, 0]];
/** How a cube is turned to show each face. Opposite faces make seven. */
const FACE_TURNS = /** @type {const} */ ([[0, 0], [-90, 0], [0, -90], [0, 90], [90, 0], [0, 180]]);

/** Return a number between two others. @param {number} low @param {number} high */
const between = (low, high) => low + Math.random() * (high - low);
/** @param {number} value @param {number} low @param {number} high */
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

/** Return the middle of the dice in a piece of the felt's drawing, or null if it has none. @param {string | undefined} piece */
export function middleOfDice(piece) {
  const places = [...(piece ?? "").matchAll(/<rect x="([-\d.]+)" y="([-\d.]+)" width="([-\d.]+)"/g)].map(([, x, y, width]) => ({
    x: Number(x) + Number(width) / 2,
    y: Number(y) + Number(width) / 2,
  }));
  if (!places.length) return null;
  const mean = (/** @type {"x" | "y"} */ side) => places.reduce((sum, place) => sum + place[side], 0) / places.length;
  return { x: mean("x"), y: mean("y") };
}

/** Plan a throw within the part of the felt that is shown: its edge is the wall if the wall is outside.
 * @param {number[]} whole the frame of the whole felt: x, y, width, height @param {number[]} shown the frame that is shown
 * @param {Point} shooter where the shooter stands @param {Point} target where dice usually come to rest
 * @returns {ThrowPath} */
export function planThrow(whole, shown, shooter, target) {
  const [left, top, width, height] = shown;
  const way = shooter.x < whole[0] + whole[2] / 2 ? 1 : -1;
  const farWall = way > 0 ? whole[0] + whole[2] - RAIL_UNITS : whole[0] + RAIL_UNITS;
  const wall = clamp(farWall, left, left + width);
  const back = width * between(0.14, 0.3); // From the wall, where the usual place is not in view.
  const middle = whole[0] + whole[2] / 2;
  const far = (target.x - middle) * way < 0 ? 2 * middle - target.x : target.x; // After a seven out, the target is that of the next shooter.
  const usual = far + between(-0.05, 0.05) * whole[2];
  const inView = usual > left + width * 0.1 && usual < left + width * 0.9;
  const rest = {
    x: inView ? usual : wall - way * back,
    y: clamp(target.y + between(-0.07, 0.09) * height, top + height * 0.2, top + height * 0.75),
  };
  const start = { x: clamp(shooter.x, left, left + width), y: clamp(shooter.y, top + height * 0.1, top + height * 0.9) };
  return { start, wall, rest };
}

/** The two cubes. */
export class FeltDice {
  /** @type {Animation[]} */
  #flights = [];

  /** @param {import("./felt.js").Felt} felt */
  constructor(felt) {
    this.felt = felt;
    this.cubes = [0, 1].map(() => {
      const faces = FACE_TURNS.map((_, at) => makeElement("i", { class: `face face-${at + 1}` }, makeDie(at + 1)));
      const cube = makeElement("div", { class: "cube" }, ...faces);
      const lift = makeElement("div", { class: "lift" }, cube);
      const shadow = makeElement("div", { class: "shadow" });
      return { cube, lift, shadow, die: makeElement("div", { class: "cube-place" }, shadow, lift) };
    });
    this.pair = makeElement("div", { class: "pair" }, ...this.cubes.map(({ die }) => die));
    this.layer = makeElement("div", { id: "felt-dice", "aria-hidden": "true", hidden: true }, this.pair);
  }

  /** Where the dice lie, in units of the felt, or null if they are not on it. @type {Point | null} */
  place = null;

  hide() {
    this.#finish();
    this.place = null;
    this.layer.hidden = true;
  }

  /** Show the dice at rest. @param {number[]} faces @param {Point} place */
  show(faces, place) {
    if (!this.layer.isConnected) this.felt.place.append(this.layer);
    this.layer.hidden = false;
    if (this.place?.x === place.x && this.place.y === place.y && this.layer.dataset.faces === faces.join()) return;
    this.#finish();
    this.place = place;
    this.layer.dataset.faces = faces.join();
    this.pair.style.setProperty("--x", place.x.toFixed(1));
    this.pair.style.setProperty("--y", place.y.toFixed(1));
    this.cubes.forEach(({ cube, die }, at) => {
      const side = at ? 1 : -1;
      die.style.translate = `${side * between(0.62, 0.95)}em ${side * between(-0.45, 0.5)}em`;
      cube.style.transform = cubeTransform(faces[at], between(-44, 44));
    });
  }

  /** Throw the dice. Resolve when they rest, or at once after `skip`. @param {number[]} faces @param {ThrowPath} path */
  async fly(faces, path) {
    this.show(faces, path.rest);
    const frame = this.felt.place.getBoundingClientRect();
    const [left, top, width] = this.felt.frame;
    const scale = frame.width / width;
    const toPixels = (/** @type {Point} */ point) => ({ x: (point.x - left) * scale, y: (point.y - top) * scale });
    const size = this.pair.offsetWidth;
    const rest = { x: this.pair.offsetLeft, y: this.pair.offsetTop };
    const start = toPixels(path.start);
    const way = toPixels({ x: path.wall, y: 0 }).x > start.x ? 1 : -1;
    const wall = toPixels({ x: path.wall, y: 0 }).x - way * size * 0.7;
    const [high, low] = [frame.height * 0.18, frame.height * 0.84]; // Inside the rail.
    const hit = clamp(start.y + (rest.y - start.y) * 0.5 + between(-0.22, 0.22) * frame.height, high, low);
    const second = between(0.4, 1.2) * (Math.random() < 0.5 ? 1 : -1);
    this.#flights = this.cubes.flatMap((parts, at) => {
      const contact = { x: wall, y: clamp(hit + at * second * size, high, low) };
      return animateDie(parts, faces[at], { start, contact, rest, size }, FLIGHT_MS + at * SECOND_DIE_MS);
    });
    await Promise.all(this.#flights.map((flight) => flight.finished)).catch(() => undefined);
    this.#flights = [];
  }

  /** End the flight at once. */
  skip() {
    for (const flight of this.#flights) flight.finish();
  }

  #finish() {
    for (const flight of this.#flights) flight.cancel();
    this.#flights = [];
  }
}

/** The seconds after the throw at which the dice hit the wall and the felt. */
export const HIT_SECONDS = [WALL_AT, ...BOUNCES_AT].map((part) => (part * FLIGHT_MS) / 1000);

/** Return the transform that shows a face, turned on the felt. @param {number} face @param {number} spin @param {number} [turnX] @param {number} [turnY] */
function cubeTransform(face, spin, turnX = 0, turnY = 0) {
  const [x, y] = FACE_TURNS[face - 1] ?? FACE_TURNS[0];
  return `rotateZ(${spin.toFixed(0)}deg) rotateX(${(x + turnX).toFixed(0)}deg) rotateY(${(y + turnY).toFixed(0)}deg)`;
}

/** Animate one die along its way, over the felt and around itself. Positions are pixels.
 * @param {{cube: HTMLElement, lift: HTMLElement, shadow: HTMLElement, die: HTMLElement}} parts @param {number} face
 * @param {{start: Point, contact: Point, rest: Point, size: number}} way @param {number} duration */
function animateDie({ cube, lift, shadow, die }, face, { start, contact, rest, size }, duration) {
  const from = (/** @type {Point} */ point) => `translate(${(point.x - rest.x).toFixed(1)}px, ${(point.y - rest.y).toFixed(1)}px)`;
  const along = (/** @type {number} */ part, /** @type {number} */ bend) => ({
    x: contact.x + (rest.x - contact.x) * part,
    y: contact.y + (rest.y - contact.y) * part + bend * size,
  });
  const bend = between(-0.9, 0.9);
  const path = [
    { transform: from(start), easing: "linear" },
    { transform: from(contact), offset: WALL_AT, easing: "linear" },
    { transform: from(along(between(0.5, 0.62), bend)), offset: 0.63, easing: "cubic-bezier(.3,.6,.6,1)" },
    { transform: from(along(0.9, bend * 0.3)), offset: 0.85, easing: "ease-out" },
    { transform: "none" },
  ];
  const heights = HEIGHTS.map(([offset, height], at) => ({ offset, height, easing: (HEIGHTS[at + 1]?.[1] ?? 0) > height ? "ease-out" : "ease-in" }));
  const spin = Number(/rotateZ\((-?\d+)deg\)/.exec(cube.style.transform)?.[1] ?? 0);
  const turns = [between(2, 3.5), between(1, 2.5)].map((count) => count * 360 * (Math.random() < 0.5 ? 1 : -1));
  const tumble = [
    { transform: cubeTransform(face, spin - turns[1] * 0.6, turns[0], turns[1]), easing: "linear" },
    { transform: cubeTransform(face, spin + between(60, 150), turns[0] * 0.45, turns[1] * 0.4), offset: WALL_AT, easing: "linear" },
    { transform: cubeTransform(face, spin + between(20, 60), Math.sign(turns[0]) * 180, Math.sign(turns[1]) * 90), offset: 0.63, easing: "cubic-bezier(.3,.6,.6,1)" },
    { transform: cubeTransform(face, spin), offset: 0.92, easing: "ease-out" },
    { transform: cubeTransform(face, spin) },
  ];
  return [
    die.animate(path, { duration }),
    cube.animate(tumble, { duration }),
    lift.animate(heights.map(({ height, ...frame }) => ({ ...frame, transform: `translateY(${-0.6 * height}em) scale(${1 + 0.4 * height})` })), { duration }),
    shadow.animate(heights.map(({ height, ...frame }) => ({ ...frame, transform: `translate(${0.3 * height}em, ${0.5 * height}em) scale(${1 + 0.3 * height})`, opacity: 0.75 - 0.3 * height })), { duration }),
  ];
}
