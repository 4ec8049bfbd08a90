// @ts-check
/** Where a player's own chips lie: in the middle of the box that was clicked, or at the place of a line
 * that was clicked. Pure functions, in felt units. */

/**
 * @typedef {{x: number, y: number}} Place
 * @typedef {{x: number, y: number, w: number, h: number}} Box
 * @typedef {import("./felt.js").Target} Target
 */

/** A box whose longer side has room for more chips than this is long: its chips lie where it was clicked. */
const CHIPS_OF_A_LONG_BOX = 3;
/** The distance of two chips beside each other, and of two chips above each other, in chip widths. */
const BESIDE = 1.05;
const ABOVE = 0.75;

/** Return a number, moved between two limits, or to their middle if they leave no room.
 * @param {number} value @param {number} low @param {number} high */
const clamp = (value, low, high) => (low > high ? (low + high) / 2 : Math.min(Math.max(value, low), high));

/** Return where each of a player's bets lies. Bets in the same box share it.
 * @param {Target[]} targets of the bets @param {Map<string, Place>} clicks where bets were clicked @param {number} size of a chip */
export function placeChips(targets, clicks, size) {
  /** @type {Map<string, Target[]>} */
  const groups = new Map();
  for (const target of targets) {
    const key = `${target.area} ${target.box.y}`;
    groups.set(key, [...(groups.get(key) ?? []), target]);
  }
  /** @type {Map<string, Place>} */
  const found = new Map();
  for (const group of groups.values()) {
    const places = isLong(group[0], size) ? placeAlong(group, clicks, size) : placeInBox(group[0].box, group.length, size);
    group.forEach((target, at) => found.set(target.slug, places[at]));
  }
  const flat = found.get("pass");
  const odds = targets.find((target) => target.slug === "pass-odds");
  if (flat && odds && !clicks.has("pass-odds")) found.set("pass-odds", placeOnLine(odds, flat, size));
  return found;
}

/** Whether a target is a line or a long box. @param {Target} target @param {number} size */
function isLong({ number, kind, box, outlines }, size) {
  if (kind === "circles" || number) return false;
  return outlines.length > 0 || Math.max(box.w, box.h) > CHIPS_OF_A_LONG_BOX * size;
}

/** @param {Target[]} group @param {Map<string, Place>} clicks @param {number} size */
function placeAlong(group, clicks, size) {
  const { box } = group[0];
  const click = group.map(({ slug }) => clicks.get(slug)).find(Boolean);
  const first = placeOnLine(group[0], click ?? { x: box.x + box.w / 2, y: box.y + box.h / 2 }, size);
  const beside = first.x > box.x + box.w / 2 ? -BESIDE : BESIDE; // Toward the middle of the box.
  return group.map((_, at) => ({ x: first.x + beside * at * size, y: first.y }));
}

/** Return the point in the middle of a line, or of a long box, that is nearest to another point.
 * @param {Target} target @param {Place} to @param {number} size */
function placeOnLine({ box, outlines }, to, size) {
  const edge = size / 2;
  const arm = outlines[0] ? armOf(box, outlines[0]) : null;
  const onArm = arm !== null && (to.x < box.x || to.x > box.x + box.w) && to.y < box.y;
  if (onArm) return { x: arm.x + arm.w / 2, y: clamp(to.y, arm.y + edge, arm.y + arm.h) };
  if (box.h > box.w) return { x: box.x + box.w / 2, y: clamp(to.y, box.y + edge, box.y + box.h - edge) };
  return { x: clamp(to.x, box.x + edge, box.x + box.w - edge), y: box.y + box.h / 2 };
}

/** Return the arm of a line around the end: the part above its straight part. @param {Box} box @param {number[][]} outline */
function armOf(box, outline) {
  const top = Math.min(...outline.map(([, y]) => y));
  const ends = outline.filter(([, y]) => y === top).map(([x]) => x);
  return { x: Math.min(...ends), y: top, w: Math.max(...ends) - Math.min(...ends), h: box.y - top };
}

/** Return the places of some stacks in a box: one in the middle, more in a zigzag from top to bottom.
 * @param {Box} box @param {number} count @param {number} size @returns {Place[]} */
function placeInBox(box, count, size) {
  const middle = { x: box.x + box.w / 2, y: box.y + box.h / 2 };
  if (count === 1) return [middle];
  const out = Math.max(0, Math.min(box.w / 4, (box.w - size) / 2));
  const down = Math.min(ABOVE * size, Math.max(0, box.h - size) / (count - 1));
  return Array.from({ length: count }, (_, at) => ({ x: middle.x + (at % 2 ? out : -out), y: middle.y + (at - (count - 1) / 2) * down }));
}
