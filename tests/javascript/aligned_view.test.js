// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { cellsDiffer } from "../../bpeviz/browser/comparer/aligned_view.js";
import { randomNumbers } from "./examples.js";

/**
 * What a range of bytes shows: its cells, and of each the tokens of both sides, by where they begin and end.
 * @param {number[]} codes after each byte
 * @param {number} from
 * @param {number} to
 */
function cells(codes, from, to) {
  const ends = (/** @type {number} */ i, /** @type {number} */ side) =>
    i < 0 || i >= codes.length - 1 || Boolean(codes[i] & side);
  const found = [];
  let start = 0;
  for (let i = 0; i < codes.length; i++) {
    if (!ends(i, 3)) continue;
    if (i >= from && start < to) {
      const tokens = [1, 2].map((side) => {
        let [first, last] = [start, i];
        while (!ends(first - 1, side)) first--;
        while (!ends(last, side)) last++;
        return [first, last];
      });
      found.push([start, i + 1, codes[start - 1], tokens]);
    }
    start = i + 1;
  }
  return found;
}

test("blocks are drawn again if a token in them changes, also one that reaches into them", () => {
  const random = randomNumbers(11);
  let kept = 0;
  for (let round = 0; round < 3000; round++) {
    const numbers = Array.from({ length: 1 + random(30) }, () => random(8));
    const before = Uint8Array.from({ length: 8 }, () => Math.max(0, random(6) - 2));
    const now = before.slice();
    now[random(8)] = Math.max(0, random(6) - 2);
    const from = random(numbers.length);
    const to = from + 1 + random(numbers.length - from);
    const of = (/** @type {Uint8Array} */ codes) =>
      cells(
        numbers.map((number) => codes[number]),
        from,
        to,
      );
    const differ = cellsDiffer({ numbers, all: 3 }, before, now, from, to);
    if (!differ) assert.deepEqual(of(now), of(before));
    if (!differ) kept++;
  }
  assert.ok(kept > 500);
});
