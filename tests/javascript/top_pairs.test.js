// @ts-check
// The bars of every step, and the sentence that says why the next merge is chosen.
import assert from "node:assert/strict";
import { test } from "node:test";
import { columnsOf } from "../../bpeviz/browser/player/pair_chart.js";
import { TopPairs } from "../../bpeviz/browser/player/top_pairs.js";
import { shorten } from "../../bpeviz/browser/shared/characters.js";
import { inWords, run } from "./examples.js";

/** @import { PairPack } from "../../bpeviz/browser/player/top_pairs.js" */

const [A, B, C, D, AA, AB] = [97, 98, 99, 100, 256, 257];

/**
 * The pack of lists of at most three pairs, as tests/unit/core/test_top_pairs.py has the changes.
 * @param {Partial<PairPack>} [more]
 * @returns {PairPack}
 */
const pack = (more = {}) => ({
  number: 1,
  most: 3,
  vetoed: [],
  // aa 4, ab 2, bd 1 | aaa 2, ab 2, bd 1 | aaab 2, bd 1 | nothing
  num_dropped: [0, 1, 2, 2],
  dropped: [0, 0, 1, 0, 1],
  num_added: [3, 1, 1, 0],
  places: [0, 1, 2, 0, 0],
  lefts: [A, A, B, AA, AA],
  rights: [A, B, D, A, AB],
  counts: [4, 2, 1, 2, 2],
  ...more,
});

/** @param {{ left: number, right: number, count: number }[]} pairs */
const plain = (pairs) => pairs.map(({ left, right, count }) => [left, right, count]);

test("every list follows from the changes", () => {
  const top = new TopPairs(pack());
  assert.deepEqual(
    [0, 1, 2, 3].map((step) => plain(top.at(step))),
    [
      [
        [A, A, 4],
        [A, B, 2],
        [B, D, 1],
      ],
      [
        [AA, A, 2],
        [A, B, 2],
        [B, D, 1],
      ],
      [
        [AA, AB, 2],
        [B, D, 1],
      ],
      [],
    ],
  );
});

/**
 * @param {TopPairs} top
 * @param {ReturnType<typeof run>} of
 * @param {number} step
 */
const roles = (top, of, step) => top.bars(of, step).map(({ role }) => role);

test("the next merge, its ties and the others", () => {
  const top = new TopPairs(pack());
  assert.deepEqual(roles(top, run(), 0), ["next", "other", "other"]);
  assert.deepEqual(roles(top, run(), 1), ["tied", "next", "other"]);
  assert.deepEqual(roles(top, run(), 3), []);
});

test("nothing ties with a merge that the person chose", () => {
  assert.deepEqual(roles(new TopPairs(pack()), { ...run(), chosen: [1] }, 1), ["other", "next", "other"]);
});

test("a vetoed pair is vetoed from its step on", () => {
  const top = new TopPairs(pack({ vetoed: [[AA, A, 1]] }));
  assert.deepEqual(roles(top, run(), 0), ["next", "other", "other"]);
  assert.deepEqual(roles(top, run(), 1), ["vetoed", "next", "other"]);
});

test("a rare pair that is merged next takes the place of the last", () => {
  const rare = { ...run(), lefts: Int32Array.of(C, A, AA), rights: Int32Array.of(D, B, AB) };
  const bars = new TopPairs(pack()).bars({ ...rare, counts: Float64Array.of(1, 2, 2) }, 0);
  assert.deepEqual(plain(bars), [
    [A, A, 4],
    [A, B, 2],
    [C, D, 1],
  ]);
});

test("the most frequent pair is ahead of the second, by so many", () => {
  assert.equal(
    inWords(new TopPairs(pack()).why(run(), 0), run()),
    "Most frequent: 4 times, 2 more than a + b.",
  );
});

test("a tie is decided by the recipe's rule", () => {
  const tied = { ...run(), tied: Int32Array.of(1, 2, 1) };
  assert.deepEqual(new TopPairs(pack()).why(tied, 1), ["2 pairs tie. This trainer takes the first."]);
});

test("a vetoed pair may be as frequent: the sentence says that it leaves those out", () => {
  const tied = { ...run(), vetoed_from: 1, tied: Int32Array.of(2, 3, 1) };
  assert.match(inWords(new TopPairs(pack()).why(tied, 0), run()), /^2 pairs tie\. /);
  assert.match(inWords(new TopPairs(pack()).why(tied, 1), run()), /^3 pairs tie, apart from vetoed ones\. /);
});

test("a chosen merge is compared with the first pair that the person neither chose nor vetoed", () => {
  const chosen = { ...run(), chosen: [0, 1] };
  const equal = "You chose it. The most frequent other pair is aa + a, 2 times.";
  assert.equal(inWords(new TopPairs(pack()).why(chosen, 1), run()), equal);
  const vetoed = new TopPairs(pack({ vetoed: [[AA, A, 0]] }));
  assert.equal(
    inWords(vetoed.why(chosen, 1), run()),
    "You chose it. The most frequent other pair is b + d, once.",
  );
  const other = { ...chosen, lefts: Int32Array.of(A, A, AA), rights: Int32Array.of(B, B, AB) };
  assert.equal(
    inWords(vetoed.why({ ...other, counts: Float64Array.of(2, 2, 2) }, 0), run()),
    "You chose it. The most frequent pair was a + a, 4 times: 2 more.",
  );
});

test("the only pair left, and after the last merge", () => {
  const top = new TopPairs(pack({ vetoed: [[B, D, 2]] }));
  assert.equal(inWords(top.why(run(), 2), run()), "Chosen because it is the only pair left to merge.");
  assert.equal(
    inWords(top.why({ ...run(), chosen: [2] }, 2), run()),
    "You chose it. No other pair was left to merge.",
  );
  assert.equal(
    inWords(top.why({ ...run(), chosen: [2], chooser: "the notebook" }, 2), run()),
    "The notebook chose it. No other pair was left to merge.",
  );
  assert.equal(inWords(top.why(run(), 3), run()), "No pair occurs twice. Go back to see earlier choices.");
  assert.equal(inWords(top.why({ ...run(), num_merges: 0 }, 0), run()), "This run makes no merge.");
});

test("where no pair occurs twice there are no bars after the last merge, and where some do there are", () => {
  const onceMore = pack({ num_added: [3, 1, 1, 1], places: [0, 1, 2, 0, 0, 0], lefts: [A, A, B, AA, AA, C] });
  const left = { rights: [A, B, D, A, AB, D], counts: [4, 2, 1, 2, 2, 1] };
  const once = new TopPairs({ ...onceMore, ...left });
  assert.equal(once.at(3).length, 1);
  assert.deepEqual(once.bars(run(), 3), []);
  const twice = new TopPairs({ ...onceMore, ...left, counts: [4, 2, 1, 2, 2, 2] });
  assert.equal(twice.bars(run(), 3).length, 1);
  assert.equal(inWords(twice.why(run(), 3), run()), "All merges are done. Go back to see earlier choices.");
  assert.equal(once.bars({ ...run(), num_merges: 4 }, 3).length, 1); // pairs that occur once are merged, too
});

test("a long label loses its middle; a wide character counts twice", () => {
  assert.equal(shorten("abcdefghijk", 11), "abcdefghijk");
  assert.equal(shorten("abcdefghijkl", 11), "abcde…hijkl");
  assert.deepEqual(["ab", "灯台", "é", "🙂", "␣a"].map(columnsOf), [2, 4, 1, 2, 2]);
});
