// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  directionOf,
  directionOfBytes,
  isWhole,
  nameOfUnseen,
  shownToken,
} from "../../bpeviz/browser/shared/characters.js";
import { bytes } from "./examples.js";

test("what shows nothing gets a sign or its number", () => {
  assert.equal(nameOfUnseen("a b"), "a␣b");
  assert.equal(nameOfUnseen("\n\t\r"), "⏎⇥␍");
  assert.equal(nameOfUnseen("\u0000"), "U+0000");
  assert.equal(nameOfUnseen("\u00a0"), "U+00A0");
  assert.equal(nameOfUnseen("\ufeff"), "U+FEFF");
  assert.equal(nameOfUnseen("\u{e000}"), "\u{e000}");
});

test("a joiner alone has its number; a mark at the start stands on a circle, one after its letter does not", () => {
  assert.equal(nameOfUnseen("\u200d"), "U+200D");
  assert.equal(nameOfUnseen("\u0301"), "◌\u0301");
  assert.equal(nameOfUnseen("e\u0301"), "e\u0301");
});

test("a token that cuts a character is shown in bytes", () => {
  const text = bytes("é灯"); // C3 A9, E7 81 AF
  assert.equal(isWhole(text, 0, 2), true);
  assert.equal(isWhole(text, 0, 1), false);
  assert.equal(isWhole(text, 3, 5), false);
  assert.equal(shownToken(text, 0, 2), "é");
  assert.equal(shownToken(text, 0, 1), "C3");
  assert.equal(shownToken(text, 1, 3), "A9 E7");
  assert.equal(shownToken(text, 2, 5), "灯");
});

test("of a long token 120 bytes are shown, and no half of a character", () => {
  assert.equal(shownToken(bytes("a".repeat(120)), 0, 120), "a".repeat(120));
  assert.equal(shownToken(bytes("a".repeat(121)), 0, 121), `${"a".repeat(120)}…`);
  const text = bytes(`${"a".repeat(119)}灯`);
  assert.equal(shownToken(text, 0, text.length), `${"a".repeat(119)}…`);
});

test("a byte-order mark is part of its token", () => {
  assert.equal(shownToken(bytes("\ufeffa"), 0, 4), "U+FEFFa");
});

test("the first letter decides the direction; without a letter there is none", () => {
  assert.equal(directionOf("12 abc שלום"), "ltr");
  assert.equal(directionOf("12 שלום abc"), "rtl");
  assert.equal(directionOf("مرحبا"), "rtl");
  assert.equal(directionOf("12 ..."), null);
});

test("half a letter has no direction, whatever its bytes look like; the whole letters beside it decide", () => {
  const text = bytes("של"); // D7 A9, D7 9C
  assert.equal(directionOfBytes(text.subarray(0, 1)), null);
  assert.equal(directionOfBytes(text.subarray(1, 4)), "rtl");
  assert.equal(directionOfBytes(bytes("D7")), "ltr");
});
