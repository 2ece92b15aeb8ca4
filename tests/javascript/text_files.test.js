// @ts-check
// Files as a text. tests/browser/player/test_playground.py drops files of Python's own kinds.
import assert from "node:assert/strict";
import { test } from "node:test";
import { characterTotal } from "../../bpeviz/browser/playground/text_field.js";
import { joinedText } from "../../bpeviz/browser/playground/text_files.js";

const KINDS = {
  beginning: 4096,
  kinds: [
    { pattern: "\\x1f\\x8b", what: "compressed by gzip", remedy: "Unpack it." },
    { pattern: "PK\\x03\\x04.*?word/", what: "a document of Word (docx)", remedy: "Save its text." },
  ],
  unmarked: { what: "UTF-16 without the mark", remedy: "Convert it." },
};
const utf8 = (/** @type {string} */ text) => new TextEncoder().encode(text);
/** @param {string} text @param {boolean} [bigEndian] */
function utf16(text, bigEndian = false) {
  const view = new DataView(new ArrayBuffer(2 * text.length));
  for (let i = 0; i < text.length; i++) view.setUint16(2 * i, text.charCodeAt(i), !bigEndian);
  return new Uint8Array(view.buffer);
}
/** @param {...Uint8Array} files */
const joined = (...files) =>
  joinedText(
    files.map((data, i) => ({ name: `${i + 1}.txt`, data })),
    KINDS,
  );

test("several files are one text, each but the last ends with a newline", () => {
  assert.deepEqual(joined(utf8("aaa")), { name: "1.txt", text: "aaa" });
  assert.deepEqual(joined(utf8("aaa"), utf8("bbb\n"), utf8("")), { name: "3 files", text: "aaa\nbbb\n" });
  assert.equal(joined(utf8("a\r\n"), utf8("b")).text, "a\r\nb");
});

test("UTF-8 and UTF-16 with a mark are read, without the mark", () => {
  for (const data of [utf8("\ufeffthe é 🙂"), utf16("\ufeffthe é 🙂"), utf16("\ufeffthe é 🙂", true)])
    assert.equal(joined(data).text, "the é 🙂");
  assert.equal(joined(utf8("日本語"), utf16("\ufeffé")).text, "日本語\né");
});

test("what is no text is refused by its kind, whichever file it is", () => {
  const refused = /** @type {[Uint8Array, RegExp][]} */ ([
    [new Uint8Array([0x1f, 0x8b, 8, 0]), /2\.txt is compressed by gzip\. Unpack it\./],
    [utf8("PK\x03\x04\n\n word/document.xml"), /2\.txt is a document of Word \(docx\)\. Save its text\./],
    [utf16("the cat in the hat\n".repeat(5)), /2\.txt is UTF-16 without the mark\. Convert it\./],
    [utf16("the cat in the hat\n".repeat(5), true), /2\.txt is UTF-16 without the mark/],
    [utf16("\ufeff\ud800"), /2\.txt is not UTF-16\. Save it as plain text in UTF-8\./],
    [new Uint8Array([0xff, 0xfe, 0, 0, 97, 0, 0, 0]), /2\.txt is UTF-32\. Save it/],
    [new Uint8Array([97, 0xff]), /2\.txt is not UTF-8\. Save it/],
  ]);
  for (const [data, says] of refused) assert.throws(() => joined(utf8("a"), data), says);
  assert.throws(() => joined(utf8("")), /1\.txt is empty\. Choose a file with text\./);
});

test("a face is one character", () => {
  assert.equal(characterTotal("🙂".repeat(7)), 7);
  assert.equal(characterTotal("e\u0301日"), 3);
});
