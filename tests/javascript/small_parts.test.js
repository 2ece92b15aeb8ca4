// @ts-check
// What needs no more than a case or two.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileName } from "../../bpeviz/browser/player/exports.js";
import { cardPlace } from "../../bpeviz/browser/player/token_card.js";
import { forAnyViewer } from "../../bpeviz/browser/shared/chart_file.js";
import { isPressed } from "../../bpeviz/browser/shared/keyboard.js";
import { counted, decimals } from "../../bpeviz/browser/shared/numbers.js";
import { tokenHue } from "../../bpeviz/browser/shared/token_hue.js";
import { bytes } from "./examples.js";

test("numbers have commas, and digits after the point where asked for", () => {
  assert.equal(decimals(1234567), "1,234,567");
  assert.equal(decimals(0.5, 2), "0.50");
  assert.deepEqual(
    [0, 1, 1000].map((n) => counted(n, "merge")),
    ["0 merges", "1 merge", "1,000 merges"],
  );
});

// As bpeviz.text.token_text.token_hue gives them.
test("the hue of a token is the one that Python computes", () => {
  assert.deepEqual(
    ["a", "aaab", " the", "灯", "x".repeat(5000), ""].map((token) => tokenHue(bytes(token))),
    [197, 251, 311, 258, 93, 253],
  );
  assert.equal(tokenHue(bytes("daaabd"), 1, 5), 251);
});

test("a named key or a letter is pressed without shift, unless the binding has it; caps lock is no matter", () => {
  assert.equal(isPressed({ key: "n" }, { key: "N", shiftKey: false }), true);
  assert.equal(isPressed({ key: "n" }, { key: "N", shiftKey: true }), false);
  assert.equal(isPressed({ key: "ArrowRight" }, { key: "ArrowRight", shiftKey: true }), false);
  assert.equal(isPressed({ key: "ArrowRight", shift: true }, { key: "ArrowRight", shiftKey: true }), true);
  assert.equal(isPressed({ key: " " }, { key: " ", shiftKey: true }), false);
});

test("a sign is pressed with shift or without, as the keyboard has it", () => {
  for (const shiftKey of [false, true]) assert.equal(isPressed({ key: "?" }, { key: "?", shiftKey }), true);
  assert.equal(isPressed({ key: "." }, { key: ",", shiftKey: false }), false);
});

test("a file is named by what it shows and the step", () => {
  assert.equal(fileName("Bytes per token", 12, "svg"), "bpeviz-bytes-per-token-12.svg");
  assert.equal(fileName("Häufigste Paare!", 0, "png"), "bpeviz-häufigste-paare-0.png");
  assert.equal(fileName("...", 3, "html"), "bpeviz-chart-3.html");
});

test("colours and references are written as any program reads them", () => {
  assert.equal(forAnyViewer("color(srgb 1 0.5 0 / 0.25)"), "rgba(255, 128, 0, 0.25)");
  assert.equal(forAnyViewer("color(srgb 0 0 1)"), "rgba(0, 0, 255, 1)");
  assert.equal(forAnyViewer('url("http://localhost:8501/encode#clip-1")'), "url(#clip-1)");
});

test("the card of a token is below it, above it, or where there is more room; always in the window", () => {
  const card = { width: 400, height: 300 };
  /**
   * @param {number} left
   * @param {number} top
   * @param {number} height
   */
  const place = (left, top, height) => cardPlace({ left, top, bottom: top + 20 }, card, 1000, height);
  assert.deepEqual(place(100, 100, 800), { left: 100, top: 128, height: 664 });
  assert.deepEqual(place(900, 600, 800), { left: 592, top: 292, height: 584 });
  assert.deepEqual(place(0, 100, 400), { left: 8, top: 128, height: 264 });
  assert.deepEqual(place(0, 250, 400), { left: 8, top: 8, height: 234 });
});
