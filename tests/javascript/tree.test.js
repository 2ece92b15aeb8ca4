// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { changesOf, growTree } from "../../bpeviz/browser/biography/tree.js";
import { NO_MERGE, readStep } from "../../bpeviz/browser/encoder/pre_token.js";

// GPT-2's hotel: o + t (57), e + l (161), h + ot (8684); t + e (404) and h + o (8617) lose a token to o + t, and
// ot + e (1002) loses e to e + l.
const [H, O, T, E, L, OT, EL, HOT] = [71, 78, 83, 68, 75, 313, 417, 8940];
const HOTEL = {
  symbols: [H, O, T, E, L],
  ranks: [8617, 57, 404, 161],
  steps: [
    readStep([57, OT, O, T, 1, 2, 3, 8684, 1002]),
    readStep([161, EL, E, L, 3, 4, 5, NO_MERGE, NO_MERGE]),
    readStep([8684, HOT, H, OT, 0, 1, 3, NO_MERGE, NO_MERGE]),
  ],
};

test("hotel: five letters, then ot, el and hot, each of two before it and above both", () => {
  const { nodes } = growTree(HOTEL);
  assert.deepEqual(
    nodes.slice(5).map(({ id, from, to, rank, level, halves }) => [id, from, to, rank, level, halves]),
    [
      [OT, 1, 3, 57, 1, [1, 2]],
      [EL, 3, 5, 161, 1, [3, 4]],
      [HOT, 0, 3, 8684, 2, [0, 5]],
    ],
  );
  assert.deepEqual(
    nodes.slice(0, 5).map(({ id, level, since }) => [id, level, since]),
    [H, O, T, E, L].map((id) => [id, 0, -1]),
  );
});

test("hotel: the pairs that lost a token to a neighbour, with the merge that took it", () => {
  const { lost } = growTree(HOTEL);
  assert.deepEqual(
    lost.map(({ at, left, right, rank, by, taken }) => [at, left, right, rank, by, taken]),
    [
      [1, H, O, 8617, 57, O],
      [3, T, E, 404, 57, T],
      [3, OT, E, 1002, 161, E],
    ],
  );
});

test("a token whose half has a higher rank shows with that half: fewer merges would not make it", () => {
  const [A, B, C, AB, ABC] = [97, 98, 99, 300, 256];
  const { nodes } = growTree({
    symbols: [A, B, C],
    ranks: [44, NO_MERGE],
    steps: [
      readStep([44, AB, A, B, 0, 1, 2, NO_MERGE, 0]),
      readStep([0, ABC, AB, C, 0, 2, 3, NO_MERGE, NO_MERGE]),
    ],
  });
  assert.deepEqual(
    nodes.slice(3).map(({ rank, since }) => [rank, since]),
    [
      [44, 44],
      [0, 44],
    ],
  );
});

test("the scrubber stops where any tree changes", () => {
  const other = { ...HOTEL, steps: HOTEL.steps.slice(0, 1) };
  assert.deepEqual(changesOf([growTree(HOTEL), growTree(other)]), [57, 161, 8684]);
  assert.deepEqual(changesOf([growTree({ symbols: [H], ranks: [], steps: [] })]), []);
});
