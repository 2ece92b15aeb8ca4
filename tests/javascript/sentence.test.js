// @ts-check
// The sentence above the text at every step of the textbook example: aa, then ab, then aaab.
import assert from "node:assert/strict";
import { test } from "node:test";
import { sentenceAt } from "../../bpeviz/browser/player/sentence.js";
import { inWords, run } from "./examples.js";

/**
 * @param {ReturnType<typeof run>} of
 * @param {number} step
 */
const said = (of, step) =>
  Object.values(sentenceAt(of, step))
    .map((phrase) => inWords(phrase, of))
    .join("");

test("merges count from 1: the one that is done and the next one", () => {
  const overlap = " Some overlap, as in a + a + a. The merge can replace 2.";
  const first = "Next: merge 1 joins a + a, seen 4 times.";
  assert.equal(said(run(), 0), first + overlap);
  const second = "Next: merge 2 joins a + b, seen 2 times.";
  assert.equal(said(run(), 1), `Done: merge 1 made aa. ${second}`);
  assert.equal(said(run(), 3), "Done: merge 3 made aaab. Every pair is unique.");
  assert.equal(said({ ...run(), guess: true }, 3), "Done: merge 3 made aaab. Which pair is next?");
});

test("a pair seen once, and a tie", () => {
  const rare = { ...run(), counts: Float64Array.of(4, 2, 1), totals: Float64Array.of(11, 9, 7, 6) };
  assert.equal(said(rare, 2), "Done: merge 2 made ab. Next: merge 3 joins aa + ab, seen once.");
  const tied = { ...run(), tied: Int32Array.of(1, 2, 1) };
  assert.equal(
    said(tied, 1),
    "Done: merge 1 made aa. Next: merge 2 joins a + b, seen 2 times, one of 2 tied pairs.",
  );
});

test("a merge that the person chose", () => {
  const chosen = "You chose it, not the recipe.";
  assert.equal(sentenceAt({ ...run(), chosen: [1] }, 1).why.join(""), ` ${chosen}`);
  assert.equal(
    sentenceAt({ ...run(), chosen: [1], chooser: "the notebook" }, 1).why.join(""),
    " The notebook chose it, not the recipe.",
  );
});

test("without a merge the reason to stop is all there is to say", () => {
  assert.equal(said({ ...run(), num_merges: 0 }, 0), "Every pair is unique.");
});

test("a merge that a person or a rank chose is not called a tie", () => {
  const tied = { ...run(), tied: Int32Array.of(1, 2, 1) };
  assert.match(said({ ...tied, chosen: [1] }, 1), /seen 2 times\. You chose it, not the recipe\.$/);
  assert.match(
    said({ ...tied, order: "GPT-2 merges by rank." }, 1),
    /seen 2 times\. GPT-2 merges by rank\.$/,
  );
});
