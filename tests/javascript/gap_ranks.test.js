// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  NEVER,
  SKIPPED,
  tokenAround,
  tokenTotals,
  upperBound,
  WALL,
} from "../../bpeviz/ui/components/shared/gap_ranks.js";
import { GAPS } from "./examples.js";

test("aaabdaaabac: the third a is a token, then in ab, then in aaab", () => {
  assert.deepEqual(tokenAround(GAPS, 0, 2), { start: 2, end: 3, latest: -1 });
  assert.deepEqual(tokenAround(GAPS, 1, 2), { start: 2, end: 3, latest: -1 });
  assert.deepEqual(tokenAround(GAPS, 2, 2), { start: 2, end: 4, latest: 1 });
  assert.deepEqual(tokenAround(GAPS, 3, 2), { start: 0, end: 4, latest: 2 });
});

test("aaabdaaabac: the same token from each of its bytes, up to the last", () => {
  for (const offset of [5, 6, 7, 8]) {
    assert.deepEqual(tokenAround(GAPS, 3, offset), { start: 5, end: 9, latest: 2 });
  }
  assert.deepEqual(tokenAround(GAPS, 3, 10), { start: 10, end: 11, latest: -1 });
});

test("aaabdaaabac: 11 tokens, then 9, 7 and 5", () => {
  assert.deepEqual([...tokenTotals(GAPS, 3)], [11, 9, 7, 5]);
  assert.deepEqual([...tokenTotals(GAPS, 0)], [11]);
});

test("gaps between no two bytes count as tokens while they are open", () => {
  const gaps = Int32Array.of(0, WALL);
  assert.deepEqual([...tokenTotals(gaps, 1, Int32Array.of(NEVER, 0))], [4, 2]);
});

test("dropped bytes and bytes inside base symbols are no tokens", () => {
  // é and a space that is dropped, then a b that are joined: é · ab
  const gaps = Int32Array.from([-1, WALL, SKIPPED, 0, WALL]);
  assert.deepEqual([...tokenTotals(gaps, 1)], [3, 2]);
  assert.deepEqual([...tokenTotals(new Int32Array(), 1)], [0, 0]);
});

test("upper bound: how many numbers are not above x", () => {
  assert.deepEqual(
    [0, 1, 2, 3, 9].map((x) => upperBound([1, 2, 2, 5], x)),
    [0, 1, 3, 3, 4],
  );
  assert.equal(upperBound([], 1), 0);
});
