// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { Lexicon } from "../../bpeviz/browser/player/lexicon.js";
import { mergesTable } from "../../bpeviz/browser/player/merges_file.js";
import { countToken } from "../../bpeviz/browser/player/run_details.js";
import { WALL } from "../../bpeviz/browser/shared/gap_ranks.js";
import { TokenIds } from "../../bpeviz/browser/shared/token_ids.js";
import { bytes, run } from "./examples.js";

test("aaabdaaabac: aaab is made of aa and ab, and aa of a and a", () => {
  const lexicon = new Lexicon(run());
  const token = lexicon.token(run(), 5, 9);
  assert.deepEqual([token.id, token.latest], [258, 2]);
  const [left, right] = lexicon.parts(token);
  assert.deepEqual([left.id, left.start, left.end, right.id, right.start, right.end], [256, 5, 7, 257, 7, 9]);
  assert.deepEqual(
    lexicon.parts(left).map(({ id, latest }) => [id, latest]),
    [
      [97, -1],
      [97, -1],
    ],
  );
});

test("aaabdaaabac: aa stands in two places from merge 0 until merge 2 takes it", () => {
  const lexicon = new Lexicon(run());
  const places = lexicon.places(lexicon.spelled(256));
  assert.deepEqual(
    [places.starts, places.ends, places.made, places.joined],
    [
      [0, 5],
      [2, 7],
      [0, 0],
      [2, 2],
    ],
  );
  assert.deepEqual(
    [0, 1, 2, 3].map((step) => places.count(step, 5).total),
    [0, 2, 2, 0],
  );
  assert.deepEqual(places.count(1, 5), { total: 2, before: 1, here: true });
  assert.equal(places.nth(2, 1), 1);
});

test("aaabdaaabac: a stands in seven places, after all merges in one", () => {
  const lexicon = new Lexicon(run());
  const places = lexicon.places(lexicon.spelled(97));
  assert.deepEqual(places.starts, [0, 1, 2, 5, 6, 7, 9]);
  assert.deepEqual(
    [0, 1, 2, 3].map((step) => places.count(step, 0).total),
    [7, 3, 1, 1],
  );
});

test("the count of a token in the text is that of its places", () => {
  const example = run();
  const lexicon = new Lexicon(example);
  for (const [start, end] of [
    [0, 1],
    [0, 2],
    [2, 4],
    [0, 4],
    [4, 5],
  ]) {
    const token = lexicon.token(example, start, end);
    for (const step of [0, 1, 2, 3]) {
      assert.equal(countToken(example, token, step, false), lexicon.places(token).count(step, 0).total);
    }
  }
});

test("a query is read as text, as hexadecimal bytes and as an id", () => {
  const lexicon = new Lexicon(run());
  assert.deepEqual(lexicon.exact("aa"), [[256, "text"]]);
  assert.deepEqual(lexicon.exact("61 62"), [[257, "bytes"]]);
  assert.deepEqual(lexicon.exact("0x6161"), [[256, "bytes"]]);
  assert.deepEqual(lexicon.exact("258"), [[258, "id"]]);
  assert.deepEqual(lexicon.exact("no"), []);
});

test("suggestions: what is spelled so, then what begins so, then what contains it", () => {
  assert.deepEqual(new Lexicon(run()).search("ab"), [
    [257, "text"],
    [258, ""],
  ]);
  assert.deepEqual(
    new Lexicon(run()).search("a").map(([id]) => id),
    [97, 256, 257, 258],
  );
});

test("a recipe that marks word ends has two b: one ends a word", () => {
  const text = bytes("bb");
  const source = { text, gaps: Int32Array.from([0, WALL]), ids: [1], base_ids: { 62: 7, "623c2f773e": 8 } };
  const ids = new TokenIds(source);
  assert.equal(ids.of({ start: 0, end: 1, latest: -1 }), 7);
  assert.equal(ids.of({ start: 1, end: 2, latest: -1 }), 8);
  assert.equal(ids.of({ start: 0, end: 2, latest: 0 }), 1);
  const special = new TokenIds({ ...source, special_ids: { 6262: 9 } });
  assert.equal(special.of({ start: 0, end: 2, latest: -1 }), 9);
  assert.equal(new TokenIds({ ...source, base_ids: {} }).of({ start: 0, end: 1, latest: -1 }), undefined);
});

test("the table of merges: one row each, tokens as JSON strings", () => {
  const rows = mergesTable(run()).split("\r\n");
  assert.equal(rows.length, 5);
  assert.equal(rows[1], '0,97,97,256,"""a""","""a""","""aa""",61 61,4,1,9');
  assert.equal(rows[3], '2,256,257,258,"""aa""","""ab""","""aaab""",61 61 61 62,2,1,5');
  assert.equal(rows[4], "");
});

test("the mark of a word's end is in the table of merges", () => {
  const example = { ...run(), base_ids: { 61: 97, "623c2f773e": 98 }, num_merges: 1 };
  example.ids = Int32Array.from([256]);
  example.rights = Int32Array.from([98]);
  const [, row] = mergesTable(example).split("\r\n");
  assert.equal(row, '0,97,98,256,"""a""","""b</w>""","""ab</w>""",61 62 3C 2F 77 3E,4,1,9');
});

test("a token that is no whole character is written as bytes", () => {
  const example = { ...run(), base_ids: { c3: 97, a9: 98 }, labels: {}, num_merges: 1 };
  example.ids = Int32Array.from([256]);
  example.rights = Int32Array.from([98]);
  const [, row] = mergesTable(example).split("\r\n");
  assert.equal(row, '0,97,98,256,"<C3>","<A9>","""é""",C3 A9,4,1,9');
});
