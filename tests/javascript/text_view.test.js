// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { NEVER, WALL } from "../../bpeviz/browser/shared/gap_ranks.js";
import { blockStarts } from "../../bpeviz/browser/shared/text_view.js";
import { bytes, randomNumbers } from "./examples.js";

/**
 * Gap ranks of a text in one pre-token in which no merge was made.
 * @param {Uint8Array} text
 */
const open = (text) => new Int32Array(text.length).fill(NEVER);

test("a block is a line, with its line end", () => {
  const text = bytes("ab\n\nc");
  assert.deepEqual([...blockStarts(text, open(text))], [0, 3, 4, 5]);
  const ended = bytes("ab\n");
  assert.deepEqual([...blockStarts(ended, open(ended))], [0, 3]);
});

test("no text has no block: only the end", () => {
  assert.deepEqual([...blockStarts(new Uint8Array(), new Int32Array())], [0, 0]);
});

test("a long line is cut after 1200 bytes, also within a token", () => {
  const text = bytes("a".repeat(3000));
  const gaps = new Int32Array(3000); // one token of merge 0 ...
  gaps[999] = WALL; // ... but for walls after 1000 and 1100 bytes
  gaps[1099] = WALL;
  assert.deepEqual([...blockStarts(text, gaps)], [0, 1200, 2400, 3000]);
  const walls = new Int32Array(3000).fill(NEVER);
  assert.deepEqual([...blockStarts(text, walls)], [0, 1200, 2400, 3000]);
});

test("a character is never cut: after a and 399 times 灯 come 1198 bytes, and 1201 are too many", () => {
  const text = bytes(`a${"灯".repeat(800)}`);
  const starts = blockStarts(text, open(text));
  for (const start of starts) assert.notEqual((text[start] ?? 0) & 0xc0, 0x80);
  assert.deepEqual([...starts], [0, 1198, 2398, 2401]);
});

/**
 * Where blocks begin, byte by byte.
 * @param {Uint8Array} text
 * @param {Int32Array} gaps
 */
function startsByteByByte(text, gaps) {
  const starts = [0];
  let start = 0;
  let end = 0; // the last good place to cut a long line
  for (let i = 0; i < text.length; i++) {
    const next = i + 1;
    const inCharacter = next < text.length && (text[next] & 0xc0) === 0x80;
    if (!inCharacter && (gaps[i] >= NEVER || next - start >= 1200)) end = next;
    if (text[i] === 10) end = next;
    else if (next - start < 1200 || end <= start) continue;
    start = end;
    if (start < text.length) starts.push(start);
  }
  return [...starts, text.length];
}

test("random lines, short and long, begin where a look at each byte finds them", () => {
  const random = randomNumbers(5);
  for (let round = 0; round < 60; round++) {
    const lineOf = 200 + random(3000);
    const openOf = [1, 50, 2000][round % 3];
    const text = Uint8Array.from({ length: random(6000) }, () =>
      random(lineOf) === 0 ? 10 : random(3) ? 97 : 0x81,
    );
    const gaps = Int32Array.from(text, () => (random(openOf) ? 5 : NEVER));
    assert.deepEqual([...blockStarts(text, gaps)], startsByteByByte(text, gaps));
  }
});
