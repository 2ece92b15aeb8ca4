// @ts-check
// The life of every pair of a small training, against counting the tokens of each step.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Lexicon } from "../../bpeviz/browser/player/lexicon.js";
import { overlapsOf, saysOf } from "../../bpeviz/browser/player/pair_card.js";
import { PairLife } from "../../bpeviz/browser/player/pair_life.js";
import { NEVER, tokenAround } from "../../bpeviz/browser/shared/gap_ranks.js";
import { TokenIds } from "../../bpeviz/browser/shared/token_ids.js";
import { inWords, run } from "./examples.js";

/** @import { Run } from "../../bpeviz/browser/shared/types" */

/**
 * How often each pair occurs after so many merges, by its ids.
 * @param {Run} of
 * @param {number} step
 */
function counted(of, step) {
  const ids = new TokenIds(of);
  /** @type {Record<string, number>} */
  const counts = {};
  for (let start = 0; start < of.text.length; ) {
    const token = tokenAround(of.gaps, step, start);
    start = token.end;
    if (start < of.text.length && of.gaps[start - 1] <= NEVER) {
      const pair = `${ids.of(token)} ${ids.of(tokenAround(of.gaps, step, start))}`;
      counts[pair] = (counts[pair] ?? 0) + 1;
    }
  }
  return counts;
}

test("every pair is counted at every step", () => {
  const of = run();
  const lexicon = new Lexicon(of);
  const steps = [0, 1, 2, 3].map((step) => counted(of, step));
  for (const pair of new Set(steps.flatMap(Object.keys))) {
    const [left, right] = pair.split(" ").map(Number);
    const life = new PairLife(lexicon, [left, right]);
    assert.deepEqual(
      [...life.counts],
      steps.map((counts) => counts[pair] ?? 0),
      pair,
    );
  }
});

test("a pair is merged, used up, alive or never there", () => {
  const lexicon = new Lexicon(run());
  /** @param {[number, number]} pair */
  const lived = (pair) => {
    const { born, ended, fate } = new PairLife(lexicon, pair);
    return [born, ended, fate];
  };
  assert.deepEqual(lived([97, 98]), [0, 2, "merged"]); // a + b
  assert.deepEqual(lived([256, 97]), [1, 2, "used up"]); // aa + a
  assert.deepEqual(lived([100, 258]), [3, null, "alive"]); // d + aaab
  assert.deepEqual(lived([99, 99]), [-1, 0, "unborn"]);
});

test("the card says it, in the past once it is over", () => {
  const of = run();
  const lexicon = new Lexicon(of);
  /**
   * @param {[number, number]} pair
   * @param {number} step
   */
  const said = (pair, step) => {
    const life = new PairLife(lexicon, pair);
    return inWords(saysOf(life, step, life.countIn(step, { from: 0, to: 5 })), of);
  };
  assert.equal(
    said([97, 98], 1),
    "2 times now, 1 of them in view. Merge 2 joins it: ab. It is there from the start.",
  );
  assert.equal(
    said([256, 97], 3),
    "No longer there. Merge 2 used up its tokens: it made ab. Its count rose at merge 1, which made aa.",
  );
  assert.equal(
    said([100, 258], 0),
    "Not there yet. No merge of this run joins it. Its count rose at merge 3, which made aaab.",
  );
  assert.equal(said([99, 99], 0), "It never occurs in this run.");
});

test("a token beside itself is counted more often than a merge replaces it", () => {
  const life = new PairLife(new Lexicon(run()), [97, 97]);
  assert.deepEqual(life.rows(0), [[3, 2]]); // aaa, twice
  assert.deepEqual(overlapsOf(life.rows(0), "a"), ["[a a] a  counted 2, replaced 1; in 2 places"]);
  assert.deepEqual(overlapsOf([[2, 5]], "a"), []); // nothing overlaps
});
