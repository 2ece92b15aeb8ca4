// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { resultsOf } from "../../bpeviz/browser/text_box/text_box.js";

/** @import { Sent } from "../../bpeviz/browser/text_box/text_box.js" */

const ROWS = [{ name: "GPT-2", total: 1, tokens: ["636174"], missing: "" }];

/** @type {Sent} */
const SENT = {
  session: 1,
  text: "cat",
  most: 30,
  largest: 60,
  retrained: 10,
  busy: false,
  cost: "English",
  problem: "",
  rows: ROWS,
};

/** @param {string} value */
function said(value) {
  const results = resultsOf(SENT, value);
  return results && [results.rows, results.cost];
}

test("the rows are those of the text that Python has counted; of another short text they are on their way", () => {
  assert.deepEqual(said("cat"), [ROWS, "English"]);
  assert.equal(said("cats"), null);
  assert.equal(said("a".repeat(30)), null);
});

test("a text too long to be counted while a person types has no rows, and says what to do", () => {
  const says = "Too long to show while you type. Press “Watch it”.";
  assert.deepEqual(said("a".repeat(31)), [[], says]);
  assert.deepEqual(said("é".repeat(16)), [[], says]); // 32 bytes
});

test("a text that the page does not take has no rows; the field says how long it is", () => {
  assert.deepEqual(said("a".repeat(61)), [[], ""]);
});
