// @ts-check
// The trainer on examples that can be checked by hand. tests/parity/test_browser_trainer.py compares it with Python's.
import assert from "node:assert/strict";
import { test } from "node:test";
import { continuedWith } from "../../bpeviz/browser/playground/choices.js";
import { usableSettings } from "../../bpeviz/browser/playground/rules_form.js";
import { NEVER, SKIPPED, WALL } from "../../bpeviz/browser/shared/gap_ranks.js";
import { readPack, writePack } from "../../bpeviz/browser/shared/pack.js";
import { CUSTOM } from "../../bpeviz/browser/trainer/rules.js";
import { packsOf } from "../../bpeviz/browser/trainer/trained_pack.js";
import { randomNumbers } from "./examples.js";

/** @import { Fork, Run } from "../../bpeviz/browser/shared/types" */
/** @import { Recipe, Settings, Tie, TrainerTable } from "../../bpeviz/browser/trainer/rules.js" */

/** @type {Recipe} */
const MINBPE = {
  name: "minbpe-basic",
  reproduces: "minbpe",
  base: "bytes-by-value",
  base_words: "256 bytes",
  split: "none",
  tie: "first-seen",
  tie_sentence: "the one seen first",
  special_tokens_at: "last",
  min_frequency: 1,
  special_tokens: [],
  merges_alike: false,
  counts_repeats: true,
  max_token_length: null,
  length_unit: "characters",
  cuts_at_special_tokens: false,
};
const WORDS = {
  ...MINBPE,
  name: "words",
  base: "word-characters",
  split: "spaces",
  tie: /** @type {Tie} */ ("greatest-tokens"),
};
/** @type {Settings} */
const SETTINGS = {
  recipe: "minbpe-basic",
  split: "",
  custom_pattern: "",
  num_merges: 3,
  vocab_size: null,
  min_frequency: 1,
  special_tokens: null,
  max_token_length: null,
  choices: [],
};
/** @type {TrainerTable} */
const TABLE = {
  recipes: { "minbpe-basic": MINBPE, words: WORDS },
  splits: { none: null, spaces: "[^ \\r\\n]+|[ \\r\\n]+", letters: "\\p{L}+|[^\\p{L}\\s]+|\\s+(?!\\S)|\\s" },
  classes: {
    L: "\\u{61}-\\u{7a}",
    s: "\\u{20}",
    isspace: "\\u{20}",
    unprintable: "\\u{0}-\\u{1f}",
    marks: "\\u{301}",
  },
  older: {},
  byte_order: Array.from({ length: 256 }, (_, value) => value),
  sentences: {
    merges: "Reached {merges}.",
    size: "Reached {size} tokens.",
    empty: "Empty.",
    rare: "Too rare: {times}, not {fewest}.",
    vetoed: "Vetoed.",
    long: "None: any two are over {limit}.",
    whole: "None: whole.",
    too_rare: "Too rare",
    no_pair: "None",
    nothing: "No {other}pair occurs{often}",
    so_nothing: ", so nothing is merged.",
    lost_choice: "Lost.",
    small: "{size} is below {first}.",
    unreadable: "Unreadable: {why}.",
    empty_match: "Empty match.",
    uncovered: "Uncovered.",
  },
  shown_pairs: 2,
  settings: SETTINGS,
  limits: {
    bytes: 1e6,
    typed: 1e4,
    merges: 2e4,
    setting: 1e6,
    special_tokens: 20,
    first_size: 1000,
    pattern: 500,
    split_seconds: 2,
  },
};

/**
 * The run of a text, as the player gets it.
 * @param {string} text
 * @param {Partial<Settings>} settings
 * @returns {Run & { beside: Uint8Array }}
 */
function trained(text, settings = {}) {
  return readPack(
    packsOf(TABLE, { text, settings: { ...SETTINGS, ...settings }, number: 1, start: 0 }).player,
  );
}

/** @param {Run} run */
const merges = ({ ids, labels, counts }) => Array.from(ids, (id, i) => `${labels[id]} ${counts[i]}`);

test("the example of docs/architecture.md", () => {
  const run = trained("aaabdaaabac");
  assert.deepEqual(merges(run), ["aa 4", "aaa 2", "aaab 2"]);
  assert.deepEqual([...run.tied], [1, 2, 1]);
  assert.deepEqual([...run.totals], [11, 9, 7, 5]);
  assert.deepEqual([...run.vocab_sizes], [256, 257, 258, 259]);
  assert.deepEqual([...run.gaps], [0, 1, 2, NEVER, NEVER, 0, 1, 2, NEVER, NEVER, WALL]);
  assert.equal(run.stop_reason, "Reached 3 merges.");
});

test("the bars of its pairs at every step", () => {
  const { pairs } = packsOf(TABLE, { text: "aaabdaaabac", settings: SETTINGS, number: 7, start: 0 });
  /** @type {{ number: number, counts: Int32Array, num_added: Uint8Array, num_dropped: Uint8Array }} */
  const { number, counts, num_added: came, num_dropped: fell } = readPack(pairs);
  assert.equal(number, 7);
  // aa 4, ab 2; then aa+a 2, ab 2, and so on
  assert.deepEqual([...counts.slice(0, 3)], [4, 2, 2]);
  assert.deepEqual([came[0], fell[0]], [2, 0]);
  assert.equal(came.length, 4);
});

test("words of characters: a space belongs to no token, and a word's last character is marked", () => {
  const run = trained("low low", { recipe: "words", num_merges: 1 });
  assert.deepEqual(merges(run), ["ow</w> 2"]);
  assert.deepEqual([...run.gaps], [NEVER, 0, WALL, SKIPPED, NEVER, 0, WALL]);
  assert.deepEqual(Object.keys(run.base_ids).length, 3);
});

test("a class of characters is spelled out, inside brackets, outside of them and as all others", () => {
  const run = trained("ab  c!d", { split: "letters", num_merges: 0 });
  assert.deepEqual([...run.gaps], [NEVER, WALL, WALL, WALL, WALL, WALL, WALL]);
});

test("a pattern of the person's own cuts the text, or says why it can't", () => {
  /** @param {string} pattern */
  const by = (pattern) => trained("ab c", { split: "custom", custom_pattern: pattern, num_merges: 0 });
  assert.deepEqual([...by("[a-z]+|\\s").gaps], [NEVER, WALL, WALL, WALL]);
  assert.throws(() => by("("), /^Error: Unreadable: /);
  assert.throws(() => by("a*"), /Empty match\./);
  assert.throws(() => by("[a-z]+"), /Uncovered\./);
});

test("a person's own merge comes at its rank, with the run without it beside", () => {
  /** @type {Fork} */
  const choice = { rank: 0, pair: [98, 100], action: "merge" };
  const run = trained("aaabdaaabac", { choices: [choice] });
  assert.deepEqual(merges(run), ["bd 1", "aa 4", "aaa 2"]);
  assert.deepEqual([run.chosen, run.forks, run.vetoed_from], [[0], [choice], null]);
  assert.deepEqual(merges(readPack(run.beside)), ["aa 4", "aaa 2", "aaab 2"]);
  const vetoed = trained("aaabdaaabac", { choices: [{ rank: 0, pair: [97, 97], action: "veto" }] });
  assert.equal(merges(vetoed)[0], "ab 2");
  assert.equal(vetoed.tied[0], 1);
});

test("a pair that is vetoed twice is one vetoed pair among those that tie", () => {
  /** @type {Fork} */
  const veto = { rank: 0, pair: [99, 100], action: "veto" };
  for (const choices of [[veto], [veto, veto], [veto, { ...veto, rank: 1 }]]) {
    assert.deepEqual([...trained("abxcdyefz", { choices }).tied.slice(0, 2)], [7, 6]);
  }
});

test("a choice that can't be followed is a sentence", () => {
  assert.throws(() => trained("ab", { choices: [{ rank: 0, pair: [1, 2], action: "merge" }] }), /Lost\./);
  assert.throws(() => trained("ab", { choices: [{ rank: 2, pair: [97, 98], action: "veto" }] }), /Lost\./);
  assert.throws(() => trained("ab", { vocab_size: 12 }), /12 is below 256\./);
});

test("why training stops, and why nothing is merged", () => {
  assert.equal(trained("aab", { num_merges: 9 }).stop_reason, "None: whole.");
  assert.equal(trained("abab", { num_merges: 9, min_frequency: 2 }).stop_reason, "Too rare: once, not 2.");
  assert.equal(
    trained("abc", { min_frequency: 2 }).stop_reason,
    "No pair occurs 2 times, so nothing is merged.",
  );
  assert.equal(
    trained("abc", { max_token_length: 1 }).stop_reason,
    "Any two are over 1 characters, so nothing is merged.",
  );
  assert.equal(trained("abab", { vocab_size: 257 }).stop_reason, "Reached 257 tokens.");
});

test("many merges of a long text are those of counting again each time", () => {
  const random = randomNumbers(5);
  const text = Array.from({ length: 4000 }, () => "abcde"[random(5)]).join("");
  const run = trained(text, { num_merges: 900 });
  let ids = [...text].map((letter) => letter.charCodeAt(0));
  for (let rank = 0; rank < run.num_merges; rank++) {
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (let i = 1; i < ids.length; i++) {
      const pair = `${ids[i - 1]} ${ids[i]}`;
      counts.set(pair, (counts.get(pair) ?? 0) + 1);
    }
    const most = Math.max(...counts.values());
    const [[best]] = [...counts].filter(([, count]) => count === most); // the first that occurs
    assert.equal(`${run.lefts[rank]} ${run.rights[rank]}`, best, `merge ${rank}`);
    assert.equal(run.counts[rank], most);
    const merged = [];
    for (const id of ids) {
      if (`${merged.at(-1)} ${id}` === best && merged.at(-1) !== run.ids[rank])
        merged[merged.length - 1] = run.ids[rank];
      else merged.push(id);
    }
    ids = merged;
    assert.equal(run.totals[rank + 1], ids.length);
  }
});

test("a pack that JavaScript writes is read as it was", () => {
  const arrays = { a: Uint8Array.from([1, 2, 3]), b: Int32Array.from([-1]), c: Float64Array.from([0.5]) };
  /** @type {typeof arrays & { title: string }} */
  const read = readPack(writePack({ title: "é" }, arrays));
  assert.deepEqual([read.title, read.a, read.b, read.c], ["é", arrays.a, arrays.b, arrays.c]);
});

test("a new choice takes the place of a merge at its rank and of later ones; vetoes there stay", () => {
  /** @type {(rank: number, action: Fork["action"]) => Fork} */
  const choice = (rank, action) => ({ rank, pair: [rank, 1], action });
  const before = [choice(1, "merge"), choice(3, "veto"), choice(3, "merge"), choice(5, "veto")];
  assert.deepEqual(continuedWith(before, choice(3, "merge")), [before[0], before[1], choice(3, "merge")]);
});

test("settings of an earlier visit: what can't be used becomes the first", () => {
  assert.deepEqual(usableSettings(TABLE, {}), SETTINGS);
  const odd = /** @type {Partial<Settings>} */ (
    /** @type {unknown} */ ({
      recipe: "__proto__",
      split: "toString",
      num_merges: 1e9,
      min_frequency: -1,
      special_tokens: "ab",
    })
  );
  assert.deepEqual(usableSettings(TABLE, odd), { ...SETTINGS, num_merges: 20_000 });
  const nested = JSON.parse("[".repeat(5_000) + "]".repeat(5_000)); // String() of it throws
  for (const value of [{ toString: 1 }, nested, 7, null, ["words"]]) {
    const given = /** @type {any} */ ({ recipe: value, split: value, special_tokens: [value] });
    assert.deepEqual(usableSettings(TABLE, given), { ...SETTINGS, special_tokens: [] });
    const own = usableSettings(TABLE, /** @type {any} */ ({ split: CUSTOM, custom_pattern: value }));
    assert.deepEqual(own, { ...SETTINGS, split: CUSTOM, custom_pattern: "\\S+|\\s+" });
  }
  const usable = usableSettings(TABLE, {
    recipe: "words",
    special_tokens: ["<s>", "", "<s>"],
    vocab_size: 300,
  });
  assert.deepEqual([usable.recipe, usable.special_tokens, usable.vocab_size], ["words", ["<s>"], 300]);
});
