// @ts-check
// The cases are those that tests/unit/analysis/test_agreement_cases.py checks bpeviz/analysis/compare.py with.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  agreement,
  cutsOf,
  disagreements,
  longestStretches,
} from "../../bpeviz/browser/comparer/agreement.js";
import { NEVER, SKIPPED, WALL } from "../../bpeviz/browser/shared/gap_ranks.js";
import { bytes, randomNumbers, rankPairs } from "./examples.js";

/** @import { Pair } from "../../bpeviz/browser/comparer/agreement.js" */

/**
 * @typedef {{ name: string, text: string, gaps: Pair<(number | string)[]>, merges: Pair<number>, shared: number,
 *   only: number[], precision: number, recall: number, f1: number,
 *   disagreements: { start: number, end: number, count: number }[] }} Case
 */

/** @type {Record<string, number>} */
const NAMED = { NEVER, SKIPPED, WALL };

/** @param {(number | string)[]} gaps */
const ranks = (gaps) => Int32Array.from(gaps, (rank) => (typeof rank === "number" ? rank : NAMED[rank]));

/** @type {{ cases: Case[] }} */
const { cases } = JSON.parse(
  readFileSync(new URL("../support/agreement_cases.json", import.meta.url), "utf8"),
);

for (const { name, text, gaps, merges, disagreements: expected, ...figures } of cases) {
  test(name, () => {
    const pairs = rankPairs(ranks(gaps[0]), ranks(gaps[1]));
    const codesOfPairs = pairs.codes(merges);
    const { name: _, ...found } = { name, ...agreement(pairs.total(codesOfPairs)) };
    assert.deepEqual(found, figures);
    const codes = pairs.perByte(codesOfPairs);
    const longest = longestStretches(disagreements(codes), bytes(text), codes, 20);
    const told = longest.map((places) => ({ start: places[0][0], end: places[0][1], count: places.length }));
    assert.deepEqual(told, expected);
  });
}

test("where each side cuts a stretch: aaab whole here, aa and ab there", () => {
  const pairs = rankPairs(ranks([0, 2, 1, "WALL"]), ranks([1, "NEVER", 0, "WALL"]));
  const codes = pairs.perByte(pairs.codes([3, 2]));
  assert.deepEqual(cutsOf(codes, 0, [0, 4]), [4]);
  assert.deepEqual(cutsOf(codes, 1, [0, 4]), [2, 4]);
});

test("longest stretches: the longest first, then the first; no more than asked for", () => {
  // ab|c|de|fg: nobody shares the boundary inside ab, de and fg
  const codes = Uint8Array.from([1, 3, 3, 2, 3, 1, 3]);
  const all = disagreements(codes);
  assert.deepEqual(all, [
    [0, 2],
    [3, 5],
    [5, 7],
  ]);
  assert.deepEqual(longestStretches(all, bytes("abcdefg"), codes, 2), [[[0, 2]], [[3, 5]]]);
  assert.equal(longestStretches(all, bytes("abcdeab"), codes, 20).length, 2);
});

test("longest stretches of random codes are those of a look at every pair of stretches", () => {
  const random = randomNumbers(3);
  for (let round = 0; round < 200; round++) {
    const codes = Uint8Array.from({ length: 1 + random(40) }, () => random(4));
    const text = Uint8Array.from(codes, () => random(2));
    const all = disagreements(codes);
    const same = (/** @type {number[]} */ a, /** @type {number[]} */ b) =>
      text.slice(...a).join() === text.slice(...b).join() &&
      codes.slice(...a).join() === codes.slice(...b).join();
    const groups = all
      .filter((one, i) => !all.slice(0, i).some((other) => same(one, other)))
      .sort((a, b) => b[1] - b[0] - (a[1] - a[0]))
      .map((one) => all.filter((other) => same(one, other)));
    assert.deepEqual(longestStretches(all, text, codes, 3), groups.slice(0, 3));
  }
});
