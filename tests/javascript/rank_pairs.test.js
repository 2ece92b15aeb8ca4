// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { agreement, BOTH, ONLY_FIRST, ONLY_SECOND } from "../../bpeviz/browser/comparer/agreement.js";
import { NEVER, SKIPPED, WALL } from "../../bpeviz/browser/shared/gap_ranks.js";
import { GAPS, randomNumbers, rankPairs } from "./examples.js";

const none = new Int32Array();

test("aaabdaaabac: 11 tokens, then 9, 7 and 5", () => {
  assert.deepEqual([...rankPairs(GAPS, GAPS).tokenTotals(0, 3, none)], [11, 9, 7, 5]);
  assert.deepEqual([...rankPairs(GAPS, GAPS).tokenTotals(1, 0, none)], [11]);
});

test("gaps between no two bytes count as tokens while they are open", () => {
  const gaps = Int32Array.of(0, WALL);
  assert.deepEqual([...rankPairs(gaps, GAPS).tokenTotals(0, 1, Int32Array.of(NEVER, 0))], [4, 2]);
});

test("dropped bytes and bytes inside base symbols are no tokens", () => {
  // é and a space that is dropped, then a b that are joined: é · ab
  const gaps = Int32Array.from([-1, WALL, SKIPPED, 0, WALL]);
  assert.deepEqual([...rankPairs(GAPS.subarray(0, 5), gaps).tokenTotals(1, 1, none)], [3, 2]);
  assert.deepEqual([...rankPairs(none, none).tokenTotals(0, 1, none)], [0, 0]);
});

test("random gap ranks, cut anywhere: figures, codes and totals are those of a look at each byte", () => {
  const random = randomNumbers(7);
  const MOST = 6;
  const values = [-1, 0, 1, 2, 3, 4, 5, NEVER, SKIPPED, WALL];
  for (let round = 0; round < 300; round++) {
    const length = random(30);
    const draw = () => Int32Array.from({ length }, () => values[random(values.length)]);
    const sides = /** @type {[Int32Array, Int32Array]} */ ([draw(), draw()]);
    const hidden = Int32Array.from({ length: random(3) }, () => random(MOST));
    const merges = /** @type {[number, number]} */ ([random(MOST + 1), random(MOST + 1)]);
    const pairs = rankPairs(...sides);
    for (const side of [0, 1]) assert.deepEqual(pairs.gaps(side), sides[side]);

    const isOpen = (/** @type {number} */ rank, /** @type {number} */ k) => rank !== SKIPPED && rank >= k;
    const codes = Array.from({ length }, (_, i) => {
      if (i === length - 1) return BOTH;
      const [first, second] = sides.map((gaps, side) => isOpen(gaps[i], merges[side]));
      return (first ? ONLY_FIRST : 0) + (second ? ONLY_SECOND : 0);
    });
    const found = pairs.codes(merges);
    assert.deepEqual([...pairs.perByte(found)], codes);
    const count = (/** @type {number} */ code) => codes.slice(0, -1).filter((each) => each === code).length;
    assert.deepEqual(
      agreement(pairs.total(found)),
      agreement([count(0), count(ONLY_FIRST), count(ONLY_SECOND), count(BOTH)]),
    );
    for (const side of [0, 1]) {
      const totals = Array.from(
        { length: MOST + 1 },
        (_, k) => [...sides[side], ...hidden].filter((rank) => isOpen(rank, k)).length,
      );
      assert.deepEqual([...pairs.tokenTotals(side, MOST, hidden)], totals);
    }
  }
});

test("others add their bits to the codes, and change no figure of the two sides", () => {
  const random = randomNumbers(5);
  const ends = Uint8Array.from(GAPS, () => random(4));
  const alone = rankPairs(GAPS, GAPS);
  const pairs = rankPairs(GAPS, GAPS, ends, 2);
  assert.equal(pairs.sides, 4);
  assert.equal(pairs.all, 0b1111);
  const codes = pairs.codes([1, 3]);
  const perByte = Array.from(pairs.numbers, (number) => codes[number]);
  assert.deepEqual(
    perByte.map((code) => code >> 2),
    [...ends],
  );
  assert.deepEqual(
    perByte.map((code) => code & BOTH),
    Array.from(alone.numbers, (number) => alone.codes([1, 3])[number]),
  );
  assert.deepEqual(pairs.total(codes), alone.total(alone.codes([1, 3])));
  assert.deepEqual(pairs.perByte(codes), alone.perByte(alone.codes([1, 3])));
});
