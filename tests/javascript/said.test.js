// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  afterMerges,
  changesTold,
  latestChange,
  matchedBy,
  partMade,
} from "../../bpeviz/browser/biography/said.js";
import { changesOf, growTree } from "../../bpeviz/browser/biography/tree.js";
import { NO_MERGE, readStep } from "../../bpeviz/browser/encoder/pre_token.js";

const LABELS = ["t", "h", "e", "th", "the"];

/**
 * "the", made by the merges of two ranks.
 * @param {string} title
 * @param {number} merges
 * @param {[number, number]} ranks
 */
function growth(title, merges, [th, the]) {
  const trees = [
    growTree({
      symbols: [0, 1, 2],
      ranks: [th, NO_MERGE],
      steps: [
        readStep([th, 3, 0, 1, 0, 1, 2, NO_MERGE, the]),
        readStep([the, 4, 3, 2, 0, 2, 3, NO_MERGE, NO_MERGE]),
      ],
    }),
  ];
  /** @param {number} id */
  const known = (id) => ({ id, bytes: new Uint8Array(), hue: 0, label: LABELS[id], base: id < 3 });
  return { title, merges, long: false, known, trees, changes: changesOf(trees) };
}

const OWN = growth("Run A", 476, [4, 116]);
const GPT2 = growth("GPT-2", 50_000, [10, 900]);
const growths = [OWN, GPT2];

test("it names the player's step, not the last merge that changed the word", () => {
  const shown = { merges: 300, growths, last: 476 };
  assert.equal(afterMerges(shown), "After 300 merges");
  assert.equal(changesTold(OWN, 300), "last change: merge 117 makes the. It becomes one token.");
  assert.equal(changesTold(GPT2, 300), "last change: merge 11 makes th. Its next change is merge 901.");
  assert.deepEqual(
    growths.map((each) => partMade(each, 300)),
    ["300 of 476 merges", "300 of 50,000 merges"],
  );
  assert.equal(matchedBy(shown), "All trees show equally many merges: as many as the player.");
});

test("at the player's last step GPT-2 has made as many, and goes further only by itself", () => {
  assert.equal(afterMerges({ merges: 476, growths, last: 476 }), "After 476 merges");
  assert.equal(afterMerges({ merges: 901, growths, last: 476 }), "After 901 merges of GPT-2");
  assert.equal(afterMerges({ merges: 50_000, growths, last: 476 }), "After all merges of GPT-2");
  assert.equal(matchedBy({ merges: 901, growths, last: 476 }), "Run A has only 476 merges.");
  assert.equal(partMade(OWN, 901), "all 476 merges");
});

test("without a player, and before the first change", () => {
  assert.equal(afterMerges({ merges: 50_000, growths, last: null }), "After all merges");
  assert.equal(afterMerges({ merges: 1, growths, last: null }), "After 1 merge");
  assert.equal(afterMerges({ merges: 0, growths, last: 476 }), "Before any merge");
  assert.equal(changesTold(OWN, 0), "its first change is merge 5.");
  assert.equal(changesTold(OWN, 5), "merge 5 makes th. Its next change is merge 117.");
  assert.equal(matchedBy({ merges: 5, growths: [GPT2], last: null }), "");
  assert.deepEqual(
    [0, 4, 5, 117].map((merges) => latestChange(OWN.changes, merges)),
    [-1, -1, 4, 116],
  );
});
