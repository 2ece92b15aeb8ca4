// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  crossingSentence,
  equalSentence,
  sameSentence,
  sizeNote,
  verdict,
} from "../../bpeviz/ui/components/comparer/sentences.js";

const NAMES = ["Yours", "GPT-2"];

/** @import { Sentence } from "../../bpeviz/ui/components/comparer/sentences.js" */

/** @param {Sentence} sentence */
const read = (sentence) =>
  sentence
    .map((part) => (typeof part === "number" ? NAMES[part] : typeof part === "string" ? part : part.bold))
    .join("");

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
    read(
      crossingSentence(
        [
          [9, 7, 5],
          [9, 8, 6, 2],
        ],
        null,
      ),
    ),
    " With the same number of merges, Yours needs fewer tokens.",
  );
  assert.equal(
    read(
      crossingSentence(
        [
          [9, 8, 6],
          [9, 9, 5],
        ],
        2,
      ),
    ),
    " From merge 2 on, GPT-2 needs fewer tokens with the same number of merges.",
  );
  assert.deepEqual(
    crossingSentence(
      [
        [9, 7],
        [9, 7],
      ],
      null,
    ),
    [],
  );
  assert.deepEqual(crossingSentence([[9], [8, 7]], null), []);
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
