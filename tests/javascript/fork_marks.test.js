// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { forkSays, forkShare } from "../../bpeviz/browser/player/fork_marks.js";

test("a fork is marked before its merge, inside the scrubber", () => {
  assert.deepEqual(
    [0, 5, 10].map((rank) => forkShare(rank, 10)),
    [0, 0.5, 1],
  );
  assert.equal(forkShare(0, 0), 0);
  assert.equal(forkShare(12, 10), 1);
});

test("a fork says what the person chose, and a veto from which merge on", () => {
  const labels = { 7: "ou", 9: "se" };
  /** @param {"merge" | "veto"} action */
  const says = (action) =>
    forkSays({ rank: 1089, pair: [7, 9], action }, labels).replace(/[\u2068\u2069]/g, "");
  assert.equal(says("merge"), "You chose merge 1,090");
  assert.equal(says("veto"), "From merge 1,090 on you never merge ou + se");
});
