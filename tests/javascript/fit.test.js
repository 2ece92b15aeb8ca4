// @ts-check
// The size of the type in which a text fits its box.

import assert from "node:assert/strict";
import { test } from "node:test";

import { lettersOf, sizeFor } from "../../bpeviz/browser/player/fit.js";

/** @param {string} text */
const letters = (text) => lettersOf(new TextEncoder().encode(text));

test("the letters of each line and of the longest word; a byte of another script takes the room of three", () => {
  assert.deepEqual(letters("low lower\nhé"), { lines: [10, 7], longest: 7 });
  assert.deepEqual(letters(""), { lines: [0], longest: 0 });
  assert.deepEqual(letters("x".repeat(4001)), { lines: [], longest: 0 });
});

test("eleven letters have the largest type, a text of a page the least, or 90 letters in a row", () => {
  assert.equal(sizeFor(letters("aaabdaaabac"), 846, 480), 48);
  const page = letters("word ".repeat(1000));
  assert.equal(sizeFor(page, 340, 600), 14);
  assert.equal(Math.floor(1240 / (sizeFor(page, 1240, 600) * 0.602)), 90);
});

test("a word stays in one row if it can", () => {
  assert.ok(sizeFor(letters("aaabdaaabac"), 300, 480) * 0.602 * 11 < 300);
  assert.equal(sizeFor(letters("x".repeat(300)), 300, 200), 14);
});

test("a text that grows letter by letter shrinks its type without a jump, and always fits", () => {
  for (const [width, height] of [
    [846, 480],
    [340, 380],
    [1240, 760],
  ]) {
    let before = 48;
    let text = "";
    while (text.length < 3000) {
      text += text.length % 7 ? "x" : " ";
      const size = sizeFor(letters(text), width, height);
      assert.ok(size <= before && before - size <= 8, `${text.length}: ${before} -> ${size}`);
      before = size;
    }
    assert.ok(before < 24);
  }
});
