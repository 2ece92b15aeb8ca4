// @ts-check
// The tokenizer of a run as files of other libraries, as bpeviz/formats writes them: tokens of bytes only.

import { Lexicon } from "../player/lexicon.js";

/** @import { Run } from "../shared/types" */
/** @import { Rules } from "../trainer/rules.js" */

/**
 * What Python writes for these files: a tokenizer.json with one special token, without tokens; how each split pattern is
 * written there; and the character of each byte.
 * @typedef {{ model: Record<string, unknown>, added_tokens: Record<string, unknown>[], [field: string]: unknown }} TokenizerJson
 * @typedef {{ tokenizer_json: TokenizerJson, pre_tokenizers: Record<string, unknown>, byte_characters: string }} Formats
 */
/** The tokens with their ids, special ones too, ids ascending; and the halves of each merge. */
/** @typedef {{ ids: [token: string, id: number][], merges: [left: string, right: string][], special: [token: string, id: number][] }} Spelled */

const END_OF_TEXT = "<|endoftext|>";
const MERGES_HEADING = "#version";
const OF_CHARACTERS =
  "this recipe makes tokens of characters. The program bpeviz saves them for their libraries.";

/**
 * The tokenizer.json of a run. Throws an Error that says why there is none.
 * @param {Run} run
 * @param {Rules} rules
 * @param {Formats} formats
 */
export function tokenizerJson(
  run,
  rules,
  { tokenizer_json: empty, pre_tokenizers: splits, byte_characters: letters },
) {
  const { ids, merges, special } = spelledIn(run, rules, letters);
  if (!(rules.split in splits))
    throw new Error("the file can't hold a split pattern in this browser's syntax.");
  const file = {
    ...empty,
    added_tokens: special.map(([content, id]) => ({ ...empty.added_tokens[0], id, content })),
    pre_tokenizer: splits[rules.split],
    model: { ...empty.model, vocab: Object.fromEntries(ids), merges },
  };
  return JSON.stringify(file, null, 1);
}

/**
 * The vocab.json and merges.txt of a run. Throws an Error that says why there are none.
 * @param {Run} run
 * @param {Rules} rules
 * @param {Formats} formats
 */
export function gpt2Files(run, rules, { byte_characters: letters }) {
  const { ids, merges, special } = spelledIn(run, rules, letters);
  if (rules.split !== "gpt2")
    throw new Error(`its split pattern is ${rules.split}, and the files name none.`);
  const other = special.find(([token]) => token !== END_OF_TEXT);
  if (other)
    throw new Error(`its special token ${other[0]} would not be known for one: the files name none.`);
  const ends = special.length > 0 && merges.some(([left, right]) => left + right === END_OF_TEXT);
  if (ends || merges.some(([left]) => left.startsWith(MERGES_HEADING))) {
    throw new Error("a merge makes what the files need for something else. Save a tokenizer.json.");
  }
  const entries = ids.map(([token, id]) => `${JSON.stringify(token)}: ${id}`);
  const lines = [`${MERGES_HEADING}: 0.2`, ...merges.map((pair) => pair.join(" "))];
  return { vocab: `{${entries.join(", ")}}`, merges: `${lines.join("\n")}\n` };
}

/**
 * @param {Run} run
 * @param {Rules} rules
 * @param {string} letters the character of each byte
 * @returns {Spelled}
 */
function spelledIn(run, { recipe, specialTokens }, letters) {
  if (!recipe.base.includes("bytes")) throw new Error(OF_CHARACTERS);
  const lexicon = new Lexicon(run);
  /** @param {number} id */
  const spell = (id) => Array.from(lexicon.spelling(id), (byte) => letters[byte.charCodeAt(0)]).join("");
  const base = Object.values(run.base_ids);
  const learned = new Set([...base, ...run.ids]);
  /** @type {Map<string, number>} */
  const ids = new Map();
  for (const id of learned) {
    if (ids.has(spell(id)))
      throw new Error(`two of its tokens spell ${run.labels[id]}, and the file has one id for each.`);
    ids.set(spell(id), id);
  }
  const end = Math.max(-1, ...base) + 1;
  const first = { first: 0, "after-base": end, last: Math.max(end - 1, ...run.ids) + 1 }[
    recipe.special_tokens_at
  ];
  const special = specialTokens.map((token, i) => /** @type {[string, number]} */ ([token, first + i]));
  for (const [token, id] of special) {
    const taken = ids.has(token) || learned.has(id) || [...letters].includes(token);
    const same = ids.get(token) === id && /^[\0-\x7f]*$/.test(token);
    if (taken && !same)
      throw new Error(`its special token ${token} has the spelling or the id of another token.`);
    ids.set(token, id);
  }
  const merges = Array.from(run.ids, (_, rank) => [run.lefts[rank], run.rights[rank]]);
  const once = new Map(merges.map((pair) => [pair.join(" "), pair]));
  return {
    ids: [...ids].sort(([, one], [, other]) => one - other),
    merges: Array.from(once.values(), ([left, right]) => [spell(left), spell(right)]),
    special,
  };
}
