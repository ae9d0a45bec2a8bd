import assert from "node:assert/strict";
import { test } from "node:test";
import { modules } from "../../../clients/web/static/qr.js";

test("the size grows with the text, to version 10", () => {
  assert.equal(modules("x").length, 21);
  assert.equal(modules("https://chess.example/r/abcdefgh").length, 29);
  assert.equal(modules("x".repeat(213)).length, 57);
  assert.throws(() => modules("x".repeat(214)), RangeError);
});

test("a code is read as the text it was made from", () => {
  for (const text of ["HELLO", "http://127.0.0.1:8080/r/djbbbtqz", "https://fourfold.example/r/" + "é".repeat(40), "y".repeat(200)]) {
    assert.equal(readBack(modules(text)), text);
  }
});

/** A reader of undamaged codes, after ISO/IEC 18004 section 12: the format's mask, the zigzag, the blocks put in order. */
function readBack(cells) {
  const size = cells.length;
  const version = (size - 17) / 4;
  let format = 0;
  for (let bit = 14; bit >= 0; bit--) format = (format << 1) | Number(cells[8][bit < 8 ? size - 1 - bit : bit < 9 ? 7 : 14 - bit]);
  let again = 0;
  for (let bit = 14; bit >= 0; bit--) again = (again << 1) | Number(cells[bit < 6 ? bit : bit < 8 ? bit + 1 : size - 15 + bit][8]);
  assert.equal(again, format);
  format ^= 0b101010000010010;
  assert.equal(format >> 13, 0b00); // level M
  const mask = (format >> 10) & 7;
  const masked = [
    (i, j) => (i + j) % 2, (i) => i % 2, (_, j) => j % 3, (i, j) => (i + j) % 3, (i, j) => ((i >> 1) + Math.floor(j / 3)) % 2,
    (i, j) => ((i * j) % 2) + ((i * j) % 3), (i, j) => (((i * j) % 2) + ((i * j) % 3)) % 2, (i, j) => (((i + j) % 2) + ((i * j) % 3)) % 2,
  ][mask];
  const centres = [[], [], [18], [22], [26], [30], [34], [22, 38], [24, 42], [26, 46], [28, 50]][version];
  const aligned = version > 1 ? [6, ...centres] : [];
  const last = aligned[aligned.length - 1];
  const isFunction = (i, j) =>
    i === 6 || j === 6 || (i < 9 && (j < 9 || j >= size - 8)) || (i >= size - 8 && j < 9) ||
    (version >= 7 && ((i < 6 && j >= size - 11) || (j < 6 && i >= size - 11))) ||
    aligned.some((y) => aligned.some((x) => !((y === 6 && (x === 6 || x === last)) || (x === 6 && y === last)) && Math.abs(i - y) < 3 && Math.abs(j - x) < 3));
  const bits = [];
  let up = true;
  for (let right = size - 1; right > 0; right -= 2, up = !up) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step++) {
      const i = up ? size - 1 - step : step;
      for (const j of [right, right - 1]) if (!isFunction(i, j)) bits.push(Number(cells[i][j]) ^ Number(masked(i, j) === 0));
    }
  }
  const words = [];
  for (let at = 0; at + 8 <= bits.length; at += 8) words.push(parseInt(bits.slice(at, at + 8).join(""), 2));
  const lengths = { 1: [16], 2: [28], 3: [44], 4: [32, 32], 5: [43, 43], 6: [27, 27, 27, 27], 7: [31, 31, 31, 31], 8: [38, 38, 39, 39], 9: [36, 36, 36, 37, 37], 10: [43, 43, 43, 43, 44] }[version];
  const blocks = lengths.map(() => []);
  let at = 0;
  for (let row = 0; row < Math.max(...lengths); row++) lengths.forEach((length, block) => row < length && blocks[block].push(words[at++]));
  const stream = blocks.flat().map((word) => word.toString(2).padStart(8, "0")).join("");
  const counted = version < 10 ? 8 : 16;
  assert.equal(stream.slice(0, 4), "0100");
  const length = parseInt(stream.slice(4, 4 + counted), 2);
  const bytes = Array.from({ length }, (_, index) => parseInt(stream.slice(4 + counted + 8 * index, 12 + counted + 8 * index), 2));
  return new TextDecoder().decode(Uint8Array.from(bytes));
}
