// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  binary,
  bytesOf,
  bytesOfHex,
  countCharacters,
  hexBytes,
  hexOf,
  isContinuation,
  sameBytes,
} from "../../bpeviz/browser/shared/bytes.js";
import { bytes } from "./examples.js";

test("same bytes: equal arrays are, others and none are not", () => {
  assert.equal(sameBytes(bytes("aab"), bytes("aab")), true);
  assert.equal(sameBytes(bytes("aab"), bytes("aaa")), false);
  assert.equal(sameBytes(bytes("aa"), bytes("aab")), false);
  assert.equal(sameBytes(null, bytes("")), false);
});

test("every byte is one character of a binary string, and comes back", () => {
  const all = Uint8Array.from({ length: 256 }, (_, i) => i);
  assert.equal(binary(all).length, 256);
  assert.deepEqual(bytesOf(binary(all)), all);
});

test("hexadecimal: two capital digits a byte, read back in either case", () => {
  assert.equal(hexBytes([10, 255, 0]), "0A FF 00");
  assert.deepEqual(bytesOfHex("0aFF00"), Uint8Array.from([10, 255, 0]));
  assert.deepEqual(bytesOfHex(""), new Uint8Array());
  assert.equal(hexOf(bytesOfHex("0aFF00")), "0aff00");
});

test("a character goes on in the second and third byte of 灯, not after the end of the text", () => {
  assert.deepEqual([...bytes("灯a"), undefined].map(isContinuation), [false, true, true, false, false]);
  assert.equal(countCharacters(binary(bytes("灯a"))), 2);
});
