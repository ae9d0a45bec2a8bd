/**
 * QR codes (ISO/IEC 18004), for links: bytes, error correction level M, versions 1 to 10, mask by the
 * standard's penalties. Pure but for `qr`, which draws one.
 */

import { svg } from "./pieces.js";

/** By version: bytes of correction in each block, and the blocks' data bytes. Table 9 of the standard, level M. @type {[number, number[]][]} */
const BLOCKS = [
  [10, [16]], [16, [28]], [26, [44]], [18, [32, 32]], [24, [43, 43]], [16, [27, 27, 27, 27]], [18, [31, 31, 31, 31]],
  [22, [38, 38, 39, 39]], [22, [36, 36, 36, 37, 37]], [26, [43, 43, 43, 43, 44]],
];

/** Centres of the alignment patterns, by version. @type {number[][]} */
const ALIGNED = [[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];

const EXPONENTS = new Uint8Array(512);
const LOGARITHMS = new Uint8Array(256);
for (let power = 0, value = 1; power < 255; power++) {
  EXPONENTS[power] = EXPONENTS[power + 255] = value;
  LOGARITHMS[value] = power;
  value = (value << 1) ^ (value & 128 ? 0x11d : 0);
}

/** @param {number} one @param {number} other */
const times = (one, other) => (one && other ? EXPONENTS[LOGARITHMS[one] + LOGARITHMS[other]] : 0);

/** The Reed-Solomon bytes of a block. @param {number[]} data @param {number} count */
function correction(data, count) {
  let generator = [1];
  for (let power = 0; power < count; power++) {
    const product = new Array(generator.length + 1).fill(0);
    generator.forEach((factor, index) => {
      product[index] ^= factor;
      product[index + 1] ^= times(factor, EXPONENTS[power]);
    });
    generator = product;
  }
  const rest = [...data, ...new Array(count).fill(0)];
  for (let index = 0; index < data.length; index++) {
    const lead = rest[index];
    generator.forEach((factor, offset) => (rest[index + offset] ^= times(factor, lead)));
  }
  return rest.slice(data.length);
}

/** All bytes of the symbol, interleaved. @param {Uint8Array} bytes @param {number} version */
function codewords(bytes, version) {
  const [count, lengths] = BLOCKS[version - 1];
  const capacity = lengths.reduce((sum, length) => sum + length, 0);
  /** @type {number[]} */
  const bits = [];
  const push = (/** @type {number} */ value, /** @type {number} */ length) => {
    for (let bit = length - 1; bit >= 0; bit--) bits.push((value >> bit) & 1);
  };
  push(4, 4);
  push(bytes.length, version < 10 ? 8 : 16);
  bytes.forEach((byte) => push(byte, 8));
  push(0, Math.min(4, capacity * 8 - bits.length));
  while (bits.length % 8) bits.push(0);
  /** @type {number[]} */
  const data = [];
  for (let at = 0; at < bits.length; at += 8) data.push(parseInt(bits.slice(at, at + 8).join(""), 2));
  for (let pad = 0; data.length < capacity; pad++) data.push(pad % 2 ? 0x11 : 0xec);
  let start = 0;
  const blocks = lengths.map((length) => data.slice(start, (start += length)));
  const checks = blocks.map((block) => correction(block, count));
  const mixed = [];
  for (let at = 0; at < Math.max(...lengths); at++) for (const block of blocks) if (at < block.length) mixed.push(block[at]);
  for (let at = 0; at < count; at++) for (const check of checks) mixed.push(check[at]);
  return mixed;
}

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

/** A number with its check bits (BCH). @param {number} value @param {number} bits of the check @param {number} generator */
function checked(value, bits, generator) {
  let rest = value << bits;
  for (let bit = 31 - Math.clz32(rest); bit >= bits; bit--) if ((rest >> bit) & 1) rest ^= generator << (bit - bits);
  return (value << bits) | rest;
}

/**
 * The modules of a text's code, true for dark. Throws `RangeError` if it is longer than 213 bytes.
 * @param {string} text @returns {boolean[][]}
 */
export function modules(text) {
  const bytes = new TextEncoder().encode(text);
  const version = BLOCKS.findIndex(([, lengths], index) => lengths.reduce((sum, length) => sum + length, 0) >= bytes.length + (index < 9 ? 2 : 3)) + 1;
  if (version === 0) throw new RangeError("too long for a code");
  const size = 17 + 4 * version;
  /** @type {(boolean|null)[][]} */
  const fixed = Array.from({ length: size }, () => new Array(size).fill(null));
  const set = (/** @type {number} */ y, /** @type {number} */ x, /** @type {boolean} */ on) => {
    if (y >= 0 && x >= 0 && y < size && x < size) fixed[y][x] = on;
  };
  for (const [top, left] of [[0, 0], [0, size - 7], [size - 7, 0]]) {
    for (let y = -1; y < 8; y++) {
      for (let x = -1; x < 8; x++) {
        const ring = Math.max(Math.abs(y - 3), Math.abs(x - 3));
        set(top + y, left + x, ring !== 2 && ring !== 4);
      }
    }
  }
  for (const y of ALIGNED[version - 1]) {
    for (const x of ALIGNED[version - 1]) {
      if (fixed[y][x] !== null) continue;
      for (let dy = -2; dy <= 2; dy++) for (let dx = -2; dx <= 2; dx++) set(y + dy, x + dx, Math.max(Math.abs(dy), Math.abs(dx)) !== 1);
    }
  }
  for (let at = 8; at < size - 8; at++) {
    fixed[6][at] ??= at % 2 === 0;
    fixed[at][6] ??= at % 2 === 0;
  }
  if (version >= 7) {
    const word = checked(version, 12, 0x1f25);
    for (let bit = 0; bit < 18; bit++) {
      const on = ((word >> bit) & 1) === 1;
      set(Math.floor(bit / 3), size - 11 + (bit % 3), on);
      set(size - 11 + (bit % 3), Math.floor(bit / 3), on);
    }
  }
  // Kept free for the format, which depends on the mask.
  for (let at = 0; at < 9; at++) {
    fixed[8][at] ??= false;
    fixed[at][8] ??= false;
    if (at < 8) {
      fixed[8][size - 1 - at] ??= false;
      fixed[size - 1 - at][8] ??= false;
    }
  }
  fixed[size - 8][8] = true;
  const words = codewords(bytes, version);
  const made = MASKS.map((mask, number) => filled(fixed, words, mask, number));
  return made.reduce((best, one) => (penalty(one) < penalty(best) ? one : best));
}

/** @param {(boolean|null)[][]} fixed @param {number[]} words @param {(row: number, column: number) => boolean} mask @param {number} number @returns {boolean[][]} */
function filled(fixed, words, mask, number) {
  const size = fixed.length;
  const cells = fixed.map((row) => [...row]);
  let at = 0;
  let up = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5; // the timing pattern has this column
    for (let step = 0; step < size; step++) {
      const y = up ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (fixed[y][x] !== null) continue;
        const on = at < words.length * 8 && ((words[at >> 3] >> (7 - (at & 7))) & 1) === 1;
        cells[y][x] = on !== mask(y, x);
        at += 1;
      }
    }
    up = !up;
  }
  const format = checked(number, 10, 0x537) ^ 0x5412; // level M is 00
  for (let bit = 0; bit < 15; bit++) {
    const on = ((format >> bit) & 1) === 1;
    cells[bit < 6 ? bit : bit < 8 ? bit + 1 : size - 15 + bit][8] = on;
    cells[8][bit < 8 ? size - 1 - bit : bit < 9 ? 7 : 14 - bit] = on;
  }
  cells[size - 8][8] = true;
  return /** @type {boolean[][]} */ (cells);
}

/** How hard a code is to read, by section 7.8.3 of the standard. @param {boolean[][]} cells */
function penalty(cells) {
  const size = cells.length;
  let sum = 0;
  const columns = cells.map((_, x) => cells.map((row) => row[x]));
  for (const line of [...cells, ...columns]) {
    const text = line.map(Number).join("");
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) sum += run.length - 2;
    for (let at = 0; at + 11 <= size; at++) if (["10111010000", "00001011101"].includes(text.slice(at, at + 11))) sum += 40;
  }
  for (let y = 0; y + 1 < size; y++) {
    for (let x = 0; x + 1 < size; x++) if (cells[y][x] === cells[y][x + 1] && cells[y][x] === cells[y + 1][x] && cells[y][x] === cells[y + 1][x + 1]) sum += 3;
  }
  const share = cells.flat().filter(Boolean).length / (size * size);
  return sum + Math.floor(Math.abs(share * 100 - 50) / 5) * 10;
}

/** A text's code as an image. @param {string} text */
export function qr(text) {
  const cells = modules(text);
  const size = cells.length + 8;
  const d = cells.flatMap((row, y) => row.map((on, x) => (on ? `M${x + 4} ${y + 4}h1v1h-1z` : ""))).join("");
  return svg(
    "svg",
    { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": "QR code of the link", "shape-rendering": "crispEdges" },
    svg("rect", { width: size, height: size, fill: "#fff" }),
    svg("path", { d, fill: "#000" }),
  );
}
