// What a link from a stranger, or an earlier visit, may bring.

import assert from "node:assert/strict";
import { test } from "node:test";
import { keptIn } from "../../bpeviz/browser/playground/kept.js";

test("without a text there is nothing", () => {
  for (const json of ["null", "1", "[]", "{}", '{"text": 1}', '{"text": ""}', '{"text": {"toString": 1}}'])
    assert.equal(keptIn(json), null);
});

test("a name that is no text, or too long, and settings that are no object", () => {
  assert.deepEqual(keptIn('{"text": "a", "name": {"toString": 1}, "settings": 7}'), {
    text: "a",
    name: "",
    settings: {},
  });
  assert.equal(keptIn(JSON.stringify({ text: "a", name: "🙂".repeat(300) }))?.name, "🙂".repeat(200));
});
