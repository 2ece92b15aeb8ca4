// @ts-check
// The pair that a person guesses by a click on a token of the text.
import assert from "node:assert/strict";
import { test } from "node:test";
import { following, howToGuess, pairFrom } from "../../bpeviz/browser/player/pair_guess.js";
import { NEVER, tokenAround, WALL } from "../../bpeviz/browser/shared/gap_ranks.js";
import { TokenIds } from "../../bpeviz/browser/shared/token_ids.js";
import { run } from "./examples.js";

/** @import { TextView } from "../../bpeviz/browser/shared/text_view.js" */

// aa a b d aa a b a c, with a wall after the d
const gaps = Int32Array.from([0, NEVER, NEVER, NEVER, WALL, 0, NEVER, NEVER, NEVER, NEVER, WALL]);
const view = /** @type {TextView} */ ({ gaps, tokenAt: (offset) => tokenAround(gaps, 1, offset) });
const ids = new TokenIds({ ...run(), gaps });

test("a token and the next one are the guess", () => {
  assert.deepEqual(pairFrom(view, ids, tokenAround(gaps, 1, 0)), { left: 256, right: 97 });
  assert.deepEqual(pairFrom(view, ids, tokenAround(gaps, 1, 2)), { left: 97, right: 98 });
});

test("no guess goes across a wall or the end of the text", () => {
  const [atWall, last] = [4, 10].map((offset) => tokenAround(gaps, 1, offset));
  assert.equal(following(view, atWall), null);
  assert.equal(pairFrom(view, ids, atWall), null);
  assert.equal(pairFrom(view, ids, last), null);
});

test("a person without a mouse reads to tap", () => {
  assert.equal(howToGuess(false), "Tap a token: it and the next one are your guess.");
  assert.equal(howToGuess(true), "Click a token: it and the next one are your guess.");
});
