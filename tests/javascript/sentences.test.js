// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { aheadFrom, mergesFor } from "../../bpeviz/browser/comparer/rivals_chart.js";
import {
  aheadSentence,
  equalSentence,
  sameSentence,
  sizeNote,
  verdict,
  verdictOfAll,
} from "../../bpeviz/browser/comparer/sentences.js";
import { randomNumbers } from "./examples.js";

const NAMES = ["Yours", "GPT-2"];

/** @import { Pair } from "../../bpeviz/browser/comparer/agreement.js" */
/** @import { Sentence } from "../../bpeviz/browser/comparer/sentences.js" */

/** @param {Sentence} sentence */
const read = (sentence) =>
  sentence
    .map((part) => (typeof part === "number" ? NAMES[part] : typeof part === "string" ? part : part.bold))
    .join("");

/**
 * The sentence about who is ahead.
 * @param {number[]} first
 * @param {number[]} second
 */
const said = (first, second) => read(aheadSentence([first, second], aheadFrom([first, second])));

test("the verdict names the side with fewer tokens first, and the sizes of the one with more", () => {
  assert.equal(
    read(verdict([1923, 1521], [732, 50257], false)),
    "GPT-2 needs 1,521 tokens for this text, Yours 1,923: 26\u00a0% more, with 732 entries against 50,257.",
  );
  assert.equal(
    read(verdict([5, 11], [300, 290], false)),
    "Yours needs 5 tokens for this text, GPT-2 11: 120\u00a0% more, with 290 entries against 300.",
  );
  assert.equal(
    read(verdict([1, 12], [556, 556], false)),
    "Yours needs 1 token for this text, GPT-2 12: 1,100\u00a0% more, with 556 entries each.",
  );
});

test("of three and more, the one with the fewest tokens comes first, with what the others need", () => {
  const said = (/** @type {number[]} */ tokens) =>
    verdictOfAll(tokens)
      .map((part) => (typeof part === "object" ? part.bold : typeof part === "number" ? "LR3"[part] : part))
      .join("");
  assert.equal(
    said([1923, 1521, 1480]),
    "3 needs the fewest for this text, 1,480 tokens: R 3\u00a0% more, L 30\u00a0% more.",
  );
  assert.equal(said([1000, 999, 999]), "R and 3 need the fewest for this text, 999 tokens: L 1 more.");
  assert.equal(said([7, 7, 7]), "All need 7 tokens for this text.");
  assert.equal(said([0, 1, 2]), "L needs the fewest for this text, 0 tokens: R 1 more, 3 2 more.");
});

test("the figures of tokens are in bold", () => {
  const bold = verdict([3, 4], [9, 8], false).filter((part) => typeof part === "object");
  assert.deepEqual(bold, [{ bold: "3" }, { bold: "4" }]);
});

test("less than half a percent is a number of tokens", () => {
  assert.match(read(verdict([1000, 999], [9, 8], false)), /, Yours 1,000: 1 more, /);
});

test("a side that drops the whole text has no percentage", () => {
  assert.equal(
    read(verdict([0, 5], [9, 8], false)),
    "Yours needs 0 tokens for this text, GPT-2 5: 5 more, with 8 entries against 9.",
  );
});

test("as many tokens, cut in the same way or not", () => {
  assert.equal(
    read(verdict([7, 7], [732, 50257], false)),
    "Both need 7 tokens for this text, with 732 entries against 50,257.",
  );
  assert.equal(
    read(verdict([1, 1], [556, 556], true)),
    "Both need 1 token for this text and cut it the same way, with 556 entries each.",
  );
});

test("a note says that sizes can't be equal, but only if the person asked for equal ones", () => {
  assert.match(read(sizeNote([30, 257], true)), /^No equal size here\. /);
  assert.deepEqual(sizeNote([30, 257], false), []);
  assert.deepEqual(sizeNote([257, 257], true), []);
});

test("with how many merges the right side does the same", () => {
  assert.equal(
    read(equalSentence(300, 1120, 50000, 9)),
    "With 1,120 merges GPT-2 needs as few tokens as Yours with 300.",
  );
  assert.equal(
    read(equalSentence(300, 1, 50000, 9)),
    "With 1 merge GPT-2 needs as few tokens as Yours with 300.",
  );
  assert.equal(
    read(equalSentence(300, null, 50000, 9)),
    "GPT-2 needs more tokens even with all its 50,000 merges: 9.",
  );
  assert.equal(read(equalSentence(6, null, 1, 9)), "GPT-2 needs more tokens even with its only merge: 9.");
  assert.equal(read(equalSentence(6, null, 0, 9)), "GPT-2 needs more tokens and has no merges: 9.");
});

test("who needs fewer tokens with the same number of merges, and from where on", () => {
  assert.equal(
    said([9, 7, 5], [9, 8, 6, 2]),
    " From the first merge on, Yours needs fewer tokens with the same number of merges.",
  );
  assert.equal(
    said([9, 8, 6], [9, 9, 5]),
    " From merge 2 on, GPT-2 needs fewer tokens with the same number of merges.",
  );
  assert.equal(said([8, 7], [9, 8]), " With the same number of merges, Yours needs fewer tokens.");
  assert.equal(said([9, 7], [9, 7]), "");
  assert.equal(said([9], [8, 7]), "");
});

test("from where on one side is ahead begins anew where both need equally many", () => {
  const end = " on, Yours needs fewer tokens with the same number of merges.";
  assert.equal(said([9, 7, 7, 5], [9, 8, 7, 6]), ` From merge 3${end}`);
});

/** Totals of a random tokenizer: no merge makes more tokens. @param {(most: number) => number} random */
const randomTotals = (random) => {
  const totals = [9 + random(4)];
  for (let k = random(12); k > 0; k--) {
    totals.push(Math.max(1, (totals.at(-1) ?? 0) - random(3)));
  }
  return totals;
};

test("every sentence of the first line and of the curve is true of random tokenizers", () => {
  const random = randomNumbers(7);
  for (let i = 0; i < 3000; i++) {
    const totals = /** @type {Pair<number[]>} */ ([randomTotals(random), randomTotals(random)]);
    const shared = Math.min(totals[0].length, totals[1].length);
    const merges = totals.map((each) => random(each.length));
    const whole = (/** @type {string} */ digits) => Number(digits.replaceAll(",", ""));
    const named = (/** @type {string} */ name) => NAMES.indexOf(name);

    const tokens = /** @type {Pair<number>} */ (totals.map((each, side) => each[merges[side]]));
    const first = read(verdict(tokens, [300, 301], false));
    const both = /^Both need (\d+) tokens? /.exec(first);
    const one =
      /^(.+) needs ([\d,]+) tokens? for this text, (.+) ([\d,]+): (?:([\d,]+)\u00a0%|([\d,]+)) more/.exec(
        first,
      );
    if (both) assert.deepEqual(tokens, [Number(both[1]), Number(both[1])]);
    else {
      assert.ok(one, first);
      const [fewer, more] = [Number(one[2]), Number(one[4])];
      assert.ok(fewer < more && tokens[named(one[1])] === fewer && tokens[named(one[3])] === more, first);
      if (one[5]) assert.equal(whole(one[5]), Math.round((100 * (more - fewer)) / fewer));
      else assert.equal(whole(one[6]), more - fewer);
    }

    const ahead = said(...totals);
    const claim = / From (?:merge (\d+)|the first merge) on, (.+) needs fewer/.exec(ahead);
    const always = /With the same number of merges, (.+) needs fewer/.exec(ahead);
    const from = claim ? Number(claim[1] ?? 1) : 0;
    const side = named(claim?.[2] ?? always?.[1] ?? "");
    const isAhead = (/** @type {number} */ k, /** @type {number} */ who) =>
      totals[who][k] < totals[1 - who][k];
    if (ahead) {
      for (let k = from; k < shared; k++) assert.ok(isAhead(k, side), `${ahead} ${totals}`);
      if (from) assert.ok(!isAhead(from - 1, side), `${ahead} ${totals}`);
    } else assert.ok(shared < 2 || totals[0][shared - 1] === totals[1][shared - 1]);

    const target = totals[0][merges[0]];
    const found = totals[1].findIndex((each) => each <= target);
    const equal = read(
      equalSentence(
        merges[0],
        mergesFor(Float64Array.from(totals[1]), target),
        totals[1].length - 1,
        totals[1].at(-1) ?? 0,
      ),
    );
    const reached = /^With (\d+) merges? .* needs as few tokens as .* with (\d+)\.$/.exec(equal);
    if (reached) assert.deepEqual([Number(reached[1]), Number(reached[2])], [found, merges[0]]);
    else
      assert.ok(found === 0 ? equal === "" : found === -1 && equal.includes(`: ${totals[1].at(-1)}.`), equal);
  }
});

test("no merges of the right side say nothing", () => {
  assert.equal(read(equalSentence(50000, 0, 500, 1)), "");
});

test("the same side twice, and two that never differ", () => {
  const totals = [9, 7, 5];
  assert.equal(read(sameSentence([totals, totals], ["GPT-2", "GPT-2"]) ?? []), "Both sides are GPT-2.");
  assert.equal(
    read(sameSentence([totals, totals], NAMES) ?? []),
    "Both need as many tokens with the same number of merges.",
  );
  assert.equal(sameSentence([totals, [9, 7, 4]], NAMES), null);
  assert.equal(sameSentence([totals, [9, 7]], NAMES), null);
});
