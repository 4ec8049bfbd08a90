// @ts-check
/** QR codes (ISO/IEC 18004): text in byte mode, error correction level L, versions 1 to 10. Pure. */

/** Data codewords, error correction codewords of a block, and blocks, by version from 1. */
const CAPACITY = [[19, 7, 1], [34, 10, 1], [55, 15, 1], [80, 20, 1], [108, 26, 1], [136, 18, 2], [156, 20, 2], [194, 24, 2], [232, 30, 2], [274, 18, 4]];
/** The centers of alignment patterns, by version from 1. */
const ALIGNMENT = [[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];
const FORMAT_MASK = 0x5412;
const FORMAT_GENERATOR = 0x537;
const VERSION_GENERATOR = 0x1f25;

/** @type {((row: number, column: number) => boolean)[]} */
const MASKS = [
  (y, x) => (y + x) % 2 === 0,
  (y) => y % 2 === 0,
  (_, x) => x % 3 === 0,
  (y, x) => (y + x) % 3 === 0,
  (y, x) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
  (y, x) => ((y * x) % 2) + ((y * x) % 3) === 0,
  (y, x) => (((y * x) % 2) + ((y * x) % 3)) % 2 === 0,
  (y, x) => (((y + x) % 2) + ((y * x) % 3)) % 2 === 0,
];

/** @param {number} a @param {number} b @returns {number} the product in the field of 256 elements */
function multiply(a, b) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d);
    product ^= ((b >>> bit) & 1) * a;
  }
  return product;
}

/** Return the error correction codewords of a block. @param {number[]} data @param {number} count */
function correctionCodewords(data, count) {
  const divisor = Array(count).fill(0);
  divisor[count - 1] = 1;
  let root = 1;
  for (let i = 0; i < count; i += 1) {
    for (let j = 0; j < count; j += 1) divisor[j] = multiply(divisor[j], root) ^ (divisor[j + 1] ?? 0);
    root = multiply(root, 2);
  }
  const rest = Array(count).fill(0);
  for (const byte of data) {
    const factor = byte ^ rest.shift();
    rest.push(0);
    divisor.forEach((coefficient, i) => (rest[i] ^= multiply(coefficient, factor)));
  }
  return rest;
}

/** Return the bits of a value, the highest first. @param {number} value @param {number} length */
const bitsOf = (value, length) => Array.from({ length }, (_, i) => (value >>> (length - 1 - i)) & 1);

/** Return the remainder of a value shifted by the degree of a generator. @param {number} value @param {number} generator @param {number} degree */
function remainder(value, generator, degree) {
  let rest = value;
  for (let i = 0; i < degree; i += 1) rest = (rest << 1) ^ ((rest >>> (degree - 1)) * generator);
  return rest;
}

/** Return the codewords of a text for a version: data and correction, interleaved. @param {Uint8Array} bytes @param {number} version */
function makeCodewords(bytes, version) {
  const [size = 0, correction = 0, blocks = 1] = CAPACITY[version - 1] ?? [];
  const bits = [...bitsOf(4, 4), ...bitsOf(bytes.length, version < 10 ? 8 : 16), ...[...bytes].flatMap((byte) => bitsOf(byte, 8))];
  bits.push(...Array(Math.min(4, size * 8 - bits.length)).fill(0));
  while (bits.length % 8) bits.push(0);
  const data = Array.from({ length: bits.length / 8 }, (_, i) => parseInt(bits.slice(i * 8, i * 8 + 8).join(""), 2));
  for (let pad = 0xec; data.length < size; pad ^= 0xec ^ 0x11) data.push(pad);
  const short = Math.floor(size / blocks);
  const parts = [];
  for (let n = 0, start = 0; n < blocks; n += 1) {
    const length = short + (n >= blocks - (size % blocks) ? 1 : 0);
    parts.push(data.slice(start, start + length));
    start += length;
  }
  const checks = parts.map((part) => correctionCodewords(part, correction));
  const interleave = (/** @type {number[][]} */ lists) =>
    Array.from({ length: Math.max(...lists.map((list) => list.length)) }, (_, i) => lists.flatMap((list) => (i < list.length ? [list[i] ?? 0] : []))).flat();
  return [...interleave(parts), ...interleave(checks)];
}

/** A square of modules; undefined: not set yet. */
class Grid {
  /** @param {number} size */
  constructor(size) {
    this.size = size;
    /** @type {(boolean | undefined)[][]} */
    this.modules = Array.from({ length: size }, () => Array(size).fill(undefined));
    /** @type {boolean[][]} */
    this.fixed = Array.from({ length: size }, () => Array(size).fill(false));
  }

  /** @param {number} x @param {number} y @param {boolean} dark */
  set(x, y, dark) {
    const [row, fixed] = [this.modules[y], this.fixed[y]];
    if (!row || !fixed || x < 0 || x >= this.size) return;
    row[x] = dark;
    fixed[x] = true;
  }

  /** Draw a pattern of nested squares. @param {number} x @param {number} y @param {number} reach @param {number[]} light distances from the center that are light */
  drawSquares(x, y, reach, light) {
    for (let dy = -reach; dy <= reach; dy += 1) {
      for (let dx = -reach; dx <= reach; dx += 1) this.set(x + dx, y + dy, !light.includes(Math.max(Math.abs(dx), Math.abs(dy))));
    }
  }
}

/** Draw everything that does not depend on the text. @param {number} version */
function drawFixed(version) {
  const grid = new Grid(17 + 4 * version);
  const last = grid.size - 1;
  for (let i = 0; i <= last; i += 1) {
    grid.set(6, i, i % 2 === 0);
    grid.set(i, 6, i % 2 === 0);
  }
  for (const [x, y] of [[3, 3], [last - 3, 3], [3, last - 3]]) grid.drawSquares(x ?? 0, y ?? 0, 4, [2, 4]);
  const centers = ALIGNMENT[version - 1] ?? [];
  const far = centers.length - 1;
  centers.forEach((x, i) => centers.forEach((y, j) => {
    const inCorner = (i === 0 && j === 0) || (i === 0 && j === far) || (i === far && j === 0);
    if (!inCorner) grid.drawSquares(x, y, 2, [1]);
  }));
  if (version >= 7) {
    const bits = (version << 12) | remainder(version, VERSION_GENERATOR, 12);
    for (let i = 0; i < 18; i += 1) {
      const dark = ((bits >>> i) & 1) === 1;
      const [near, away] = [Math.floor(i / 3), last - 10 + (i % 3)];
      grid.set(away, near, dark);
      grid.set(near, away, dark);
    }
  }
  drawFormat(grid, 0);
  return grid;
}

/** Draw the level of correction and the number of the mask, twice. @param {Grid} grid @param {number} mask */
function drawFormat(grid, mask) {
  const value = (1 << 3) | mask; // Level L is 01.
  const bits = ((value << 10) | remainder(value, FORMAT_GENERATOR, 10)) ^ FORMAT_MASK;
  const at = (/** @type {number} */ i) => ((bits >>> i) & 1) === 1;
  const last = grid.size - 1;
  for (let i = 0; i < 6; i += 1) grid.set(8, i, at(i));
  grid.set(8, 7, at(6));
  grid.set(8, 8, at(7));
  grid.set(7, 8, at(8));
  for (let i = 9; i < 15; i += 1) grid.set(14 - i, 8, at(i));
  for (let i = 0; i < 8; i += 1) grid.set(last - i, 8, at(i));
  for (let i = 8; i < 15; i += 1) grid.set(8, grid.size - 15 + i, at(i));
  grid.set(8, grid.size - 8, true);
}

/** Put the codewords into the free modules, in columns of two from the right. @param {Grid} grid @param {number[]} codewords */
function drawCodewords(grid, codewords) {
  const bits = codewords.flatMap((byte) => bitsOf(byte, 8));
  let next = 0;
  for (let right = grid.size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    const upward = ((right + 1) & 2) === 0;
    for (let step = 0; step < grid.size; step += 1) {
      const y = upward ? grid.size - 1 - step : step;
      for (const x of [right, right - 1]) {
        const row = grid.modules[y];
        if (!row || grid.fixed[y]?.[x]) continue;
        row[x] = bits[next] === 1;
        next += 1;
      }
    }
  }
}

/** Return the modules with a mask applied. @param {Grid} grid @param {number} number @returns {boolean[][]} */
function applyMask(grid, number) {
  drawFormat(grid, number);
  const mask = MASKS[number];
  return grid.modules.map((row, y) => row.map((dark, x) => (grid.fixed[y]?.[x] ? dark === true : (dark === true) !== (mask?.(y, x) ?? false))));
}

/** Return how hard a code is to read, as penalty points by the four rules of the standard. The mask with the fewest
 * is used. @param {boolean[][]} modules */
function penalty(modules) {
  const size = modules.length;
  const columns = modules.map((_, x) => modules.map((row) => row[x] === true));
  let found = 0;
  for (const line of [...modules, ...columns]) {
    const text = line.map((dark) => (dark ? "1" : "0")).join("");
    for (const [run] of text.matchAll(/0{5,}|1{5,}/g)) found += run.length - 2;
    for (const pattern of [/(?=10111010000)/g, /(?=00001011101)/g]) found += 40 * [...text.matchAll(pattern)].length;
  }
  for (let y = 1; y < size; y += 1) {
    for (let x = 1; x < size; x += 1) {
      const square = [modules[y]?.[x], modules[y]?.[x - 1], modules[y - 1]?.[x], modules[y - 1]?.[x - 1]];
      if (square.every((dark) => dark === square[0])) found += 3;
    }
  }
  const dark = modules.flat().filter(Boolean).length;
  return found + 10 * Math.floor(Math.abs((100 * dark) / size ** 2 - 50) / 5);
}

/** Return the rows of a QR code, true for dark modules. Throw a RangeError if the text is too long.
 * @param {string} text @returns {boolean[][]} */
export function makeQrCode(text) {
  const bytes = new TextEncoder().encode(text);
  const version = 1 + CAPACITY.findIndex(([size = 0], n) => bytes.length + (n < 9 ? 2 : 3) <= size);
  if (version === 0) throw new RangeError("The text is too long for a QR code.");
  const grid = drawFixed(version);
  drawCodewords(grid, makeCodewords(bytes, version));
  const masked = MASKS.map((_, number) => applyMask(grid, number));
  const penalties = masked.map(penalty);
  return masked[penalties.indexOf(Math.min(...penalties))] ?? [];
}

/** Return a path that draws the dark modules, one unit each. @param {boolean[][]} modules */
export const qrPath = (modules) => modules.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
