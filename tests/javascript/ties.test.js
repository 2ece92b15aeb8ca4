// @ts-check
// The values that decide a tie, by the rule of each recipe; and the way from tie to tie.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Lexicon } from "../../bpeviz/browser/player/lexicon.js";
import { mergeAt, stepAt } from "../../bpeviz/browser/player/scrubber.js";
import { nearestTie, tieValues } from "../../bpeviz/browser/player/ties.js";
import { inWords, run } from "./examples.js";

/** @import { Run } from "../../bpeviz/browser/shared/types" */

const RIVAL = { left: 256, right: 97 }; // aa + a, at step 1, where a + b is merged

/**
 * @param {Run["tie"]} tie
 * @param {{ left: number, right: number }} [rival]
 * @param {Partial<Run>} [more]
 */
function decided(tie, rival = RIVAL, more = {}) {
  const of = { ...run(), tie, ...more };
  return inWords(tieValues(new Lexicon(of), 1, rival), of);
}

test("the smallest ids come first", () => {
  assert.equal(decided("smallest-ids"), "a + b (97, 98) before aa + a (256, 97)");
});

test("the last in the alphabet", () => {
  assert.equal(decided("greatest-tokens"), "a + b comes after aa + a");
});

test("the shortest token, or of equal length the first in the alphabet", () => {
  const values = "a + b (2 characters) before aa + a (3 characters)";
  assert.equal(decided("shortest-token"), values);
  const equal = decided("shortest-token", { left: 97, right: 99 });
  assert.equal(equal, "a + b before a + c, both of 2 characters");
});

test("the pair seen first: bytes count from 1", () => {
  // aa a b d aa a b a c: a + b stands at byte 3, b + d at byte 4
  const values = "a + b (byte 3) before b + d (byte 4)";
  assert.equal(decided("first-seen", { left: 98, right: 100 }), values);
});

test("a part of the corpus does not show which pair was seen first", () => {
  assert.equal(decided("first-seen", { left: 98, right: 100 }, { text_bytes: 12 }), "");
});

test("there are no values if the text lacks the pair, or the rule compares none", () => {
  assert.equal(decided("first-seen", { left: 99, right: 99 }), "");
  assert.equal(decided(null), "");
});

test("ties are found after a step and before it", () => {
  const of = { ...run(), tied: Int32Array.of(2, 1, 3) };
  assert.deepEqual(
    [0, 1, 2, 3].map((step) => [nearestTie(of, step, 1), nearestTie(of, step, -1)]),
    [
      [2, null],
      [2, 0],
      [null, 0],
      [null, 2],
    ],
  );
});

test("the scrubber names a merge from 1, its pair and its tie", () => {
  const of = { ...run(), tied: Int32Array.of(1, 1200, 1) };
  const plain = [0, 1].map((rank) => mergeAt(of, rank).replace(/[\u2068\u2069]/g, ""));
  assert.deepEqual(plain, ["merge 1: a + a", "merge 2: a + b, tie of 1,200"]);
});

test("a click on the scrubber goes to the step before the merge that is there; only its end to the last step", () => {
  assert.deepEqual(
    [-3, 0, 49, 50, 149, 198, 199, 230].map((x) => stepAt(x, 200, 4)),
    [0, 0, 0, 1, 2, 3, 4, 4],
  );
  assert.equal(stepAt(10, 200, 0), 0);
});
