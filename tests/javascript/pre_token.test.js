// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { windowAround } from "../../bpeviz/browser/encoder/bench.js";
import { NO_MERGE, PreToken, readStep } from "../../bpeviz/browser/encoder/pre_token.js";

// aaab with the merges aa (rank 0), ab (1), aaab (2): a a a b -> aa a b -> aa ab -> aaab
const [A, B, AA, AB, AAAB] = [97, 98, 256, 257, 258];
const STEPS = [
  readStep([0, AA, A, A, 0, 1, 2, NO_MERGE, NO_MERGE]),
  readStep([1, AB, A, B, 2, 3, 4, 2, NO_MERGE]),
  readStep([2, AAAB, AA, AB, 0, 2, 4, NO_MERGE, NO_MERGE]),
];
const preToken = () => new PreToken({ symbols: [A, A, A, B], ranks: [0, 0, 1], steps: STEPS });

/** @param {PreToken} token */
const ids = (token) => token.tokens().map(({ id }) => id);

test("aaab: merge by merge, forward and back", () => {
  const token = preToken();
  const states = [[A, A, A, B], [AA, A, B], [AA, AB], [AAAB]];
  for (const made of [0, 1, 2, 3, 2, 1, 0, 3, 0]) {
    token.go(made);
    assert.deepEqual(ids(token), states[made]);
    assert.equal(token.made, made);
  }
});

test("aaab: each pair has its rank, also after merges are taken back", () => {
  const token = preToken();
  token.go(2);
  assert.deepEqual(token.tokens(), [
    { id: AA, start: 0, rank: 2 },
    { id: AB, start: 2, rank: NO_MERGE },
  ]);
  token.go(0);
  assert.deepEqual(
    token.tokens().map(({ rank }) => rank),
    [0, 0, 1, NO_MERGE],
  );
});

test("a window about one of many keeps within them", () => {
  assert.deepEqual(windowAround(3, 1, 40), { from: 0, to: 3 });
  assert.deepEqual(windowAround(100, 0, 40), { from: 0, to: 40 });
  assert.deepEqual(windowAround(100, 50, 40), { from: 30, to: 70 });
  assert.deepEqual(windowAround(100, 99, 40), { from: 60, to: 100 });
});
