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

/** @param {(string | 0 | 1)[]} sentence */
const read = (sentence) => sentence.map((part) => (typeof part === "number" ? NAMES[part] : part)).join("");

test("the verdict names the side with fewer tokens last", () => {
  assert.equal(read(verdict([2312, 2952], false)), "GPT-2 needs 2,952 tokens, Yours 2,312: 22\u00a0% fewer.");
  assert.equal(read(verdict([11, 5], false)), "Yours needs 11 tokens, GPT-2 5: 55\u00a0% fewer.");
});

test("less than half a percent is a number of tokens", () => {
  assert.equal(read(verdict([1000, 999], false)), "Yours needs 1,000 tokens, GPT-2 999: 1 fewer.");
});

test("as many tokens, cut in the same way or not", () => {
  assert.equal(read(verdict([7, 7], false)), "Both need 7 tokens.");
  assert.equal(read(verdict([1, 1], true)), "Both need 1 token and cut the text the same way.");
});

test("equal sizes, and whose vocabulary ends there", () => {
  assert.equal(read(sizeNote([300, 300], [556, 50257], true)), "Both vocabularies have 300 entries.");
  assert.equal(
    read(sizeNote([556, 556], [556, 50257], true)),
    "Both vocabularies have 556 entries: all that Yours has.",
  );
  assert.equal(
    read(sizeNote([556, 556], [556, 556], false)),
    "Both vocabularies have all their 556 entries.",
  );
});

test("sizes that differ, by choice and because one side can't have the other's", () => {
  assert.match(read(sizeNote([556, 50257], [556, 50257], false)), /^The sizes differ\. /);
  assert.match(read(sizeNote([30, 257], [556, 50257], true)), /can't have equal size/);
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
