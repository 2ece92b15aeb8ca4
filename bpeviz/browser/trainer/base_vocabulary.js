// @ts-check
// The base vocabulary: the symbols that pre-tokens are spelled in before the first merge, bytes or characters. Bytes are
// strings of one character a byte: they can be keys, and their order is that of the alphabet. As in
// bpeviz/core/base_vocabulary.py.

import { binary } from "../shared/bytes.js";

/** @import { Rules } from "./rules.js" */

/**
 * A pre-token in symbols: the bytes before the first that belong to no token, the symbols, and how many bytes of text each
 * stands for.
 * @typedef {{ skipped: number, symbols: string[], widths: number[] }} Spelled
 */
/**
 * The symbols by their ids, from `firstId` on, and what each is in a text; the ids of special tokens that are one symbol in
 * the text; and the pre-tokens in symbols, one after the other.
 * @typedef {object} Base
 * @property {number} firstId
 * @property {string[]} tokens the bytes of each symbol
 * @property {Map<string, number>} whole
 * @property {Int32Array} ids
 * @property {Int32Array} widths
 * @property {Int32Array} lengths how many symbols each pre-token has
 * @property {Int32Array} skipped
 */

const encoder = new TextEncoder();
const END_OF_WORD = "</w>";
const BYTES = Array.from({ length: 256 }, (_, value) => String.fromCharCode(value));
/** What recipes of characters write for a space. @type {Record<string, string>} */
const SPACES = { "latin1-characters": "Ġ", "occurring-characters": "▁" };

/** @param {string} text */
export const utf8 = (text) => binary(encoder.encode(text));

/**
 * @param {Rules} rules
 * @param {string[]} preTokens the distinct ones
 * @returns {Base}
 */
export function baseOf(rules, preTokens) {
  const { recipe, specialTokens } = rules;
  const first = recipe.special_tokens_at === "first" ? specialTokens.length : 0;
  const firstWhole = recipe.special_tokens_at === "first" ? 0 : BYTES.length;
  const whole = new Map(
    recipe.cuts_at_special_tokens ? specialTokens.map((token, i) => [token, firstWhole + i]) : [],
  );
  const space = utf8(SPACES[recipe.base] ?? " ");
  const spelled = preTokens.map(spellerOf(rules, space));
  const symbols = symbolsById(rules, spelled, space);
  const idOf = new Map(symbols.map((symbol, i) => [symbol, first + i]));
  /** @type {number[]} */
  const ids = [];
  /** @type {number[]} */
  const widths = [];
  const lengths = spelled.map(({ symbols: own, widths: wide }, i) => {
    const special = whole.get(preTokens[i]);
    if (special !== undefined) {
      ids.push(special);
      widths.push(own.length); // of bytes
      return 1;
    }
    for (const symbol of own) ids.push(/** @type {number} */ (idOf.get(symbol)));
    for (const width of wide) widths.push(width);
    return own.length;
  });
  return {
    firstId: first,
    tokens: symbols.map((symbol) => (symbol === space ? " " : symbol)),
    whole,
    ids: Int32Array.from(ids),
    widths: Int32Array.from(widths),
    lengths: Int32Array.from(lengths),
    skipped: Int32Array.from(spelled, ({ skipped }) => skipped),
  };
}

/**
 * The symbols of a base vocabulary in the order of their ids.
 * @param {Rules} rules
 * @param {Spelled[]} spelled
 * @param {string} space
 */
function symbolsById({ recipe, table }, spelled, space) {
  const inOrder = table.byte_order.map((value) => BYTES[value]);
  const occurring = new Set(spelled.flatMap(({ symbols }) => symbols));
  switch (recipe.base) {
    case "bytes-by-value":
      return BYTES;
    case "bytes-by-gpt2-character":
      return inOrder;
    case "occurring-bytes":
      return inOrder.filter((byte) => occurring.has(byte));
    case "latin1-characters": {
      const first = BYTES.map(utf8);
      for (const each of first) occurring.delete(each);
      return [...first, ...[...occurring.add(space)].sort()];
    }
    default:
      return [...occurring].sort();
  }
}

/**
 * A function that spells a pre-token.
 * @param {Rules} rules
 * @param {string} space the symbol for one
 * @returns {(preToken: string) => Spelled}
 */
function spellerOf({ recipe, split, table }, space) {
  if (recipe.base.includes("bytes")) {
    return (preToken) => {
      const symbols = [...utf8(preToken)];
      return { skipped: 0, symbols, widths: symbols.map(() => 1) };
    };
  }
  const dropped = new RegExp(`^[${droppedBy(recipe.base, split, table.classes)}]*$`, "u");
  const dropsFirst = recipe.base === "latin1-characters" && table.splits[split] === null;
  const wordEnd = recipe.base === "word-characters" ? END_OF_WORD : "";
  return (preToken) => {
    if (dropped.test(preToken)) return { skipped: utf8(preToken).length, symbols: [], widths: [] };
    const skipped = dropsFirst && preToken.startsWith(" ") ? 1 : 0;
    const characters = Array.from(preToken.slice(skipped), utf8);
    const symbols = characters.map((character) => (character === " " ? space : character));
    if (symbols.length) symbols[symbols.length - 1] += wordEnd;
    return { skipped, symbols, widths: characters.map(({ length }) => length) };
  };
}

/**
 * A pre-token of nothing but these characters belongs to no token.
 * @param {string} base
 * @param {string} split
 * @param {Record<string, string>} classes
 */
function droppedBy(base, split, classes) {
  if (base === "occurring-characters") return "\\n\\0\\x1f";
  if (base === "word-characters") return split === "spaces" ? " \\r\\n" : classes.isspace;
  return ""; // no pre-token is empty
}
