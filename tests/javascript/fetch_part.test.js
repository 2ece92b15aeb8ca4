// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { untilLoaded } from "../../bpeviz/browser/app_page/fetch_part.js";

/** @param {number} failures */
async function loadedAfter(failures) {
  /** @type {(string | number)[]} */
  const seen = [];
  const load = async (/** @type {string} */ again) => {
    seen.push(again);
    if (failures-- > 0) throw new TypeError("Failed to fetch dynamically imported module");
    return "the part";
  };
  const wait = async (/** @type {number} */ milliseconds) => void seen.push(milliseconds);
  return [await untilLoaded(load, wait), ...seen];
}

test("a part that comes is asked for once", async () => {
  assert.deepEqual(await loadedAfter(0), ["the part", ""]);
});

test("one that doesn't is asked for again after 1, 2 and 4 s, at other addresses", async () => {
  const tries = ["the part", "", 1_000, "?again=1", 2_000, "?again=2", 4_000, "?again=3"];
  assert.deepEqual(await loadedAfter(1), tries.slice(0, 4));
  assert.deepEqual(await loadedAfter(3), tries);
  assert.deepEqual((await loadedAfter(5)).slice(8), [30_000, "?again=4", 30_000, "?again=5"]);
});
