// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { tokenAround, upperBound } from "../../bpeviz/browser/shared/gap_ranks.js";
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

test("upper bound: how many numbers are not above x", () => {
  assert.deepEqual(
    [0, 1, 2, 3, 9].map((x) => upperBound([1, 2, 2, 5], x)),
    [0, 1, 3, 3, 4],
  );
  assert.equal(upperBound([], 1), 0);
});
