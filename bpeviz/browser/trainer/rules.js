// @ts-check
// The rules of one training: what a person chose, put into a recipe. What recipes, split patterns and kinds of characters
// there are comes from Python: see bpeviz/browser/trainer_table.py.

import { times } from "../shared/numbers.js";

/** @import { Fork } from "../shared/types" */

/** @typedef {"first-seen" | "smallest-ids" | "greatest-tokens" | "shortest-token"} Tie */
/**
 * A recipe, as bpeviz/training/recipes.py explains it.
 * @typedef {object} Recipe
 * @property {string} name
 * @property {string} reproduces
 * @property {string} base
 * @property {string} base_words
 * @property {string} split
 * @property {Tie} tie
 * @property {string} tie_sentence
 * @property {"first" | "after-base" | "last"} special_tokens_at
 * @property {number} min_frequency
 * @property {string[]} special_tokens
 * @property {boolean} merges_alike
 * @property {boolean} counts_repeats
 * @property {number | null} max_token_length
 * @property {"characters" | "bytes"} length_unit
 * @property {boolean} cuts_at_special_tokens
 */
/**
 * What Python writes for the trainer. A class of characters is what stands between the brackets of a regular expression.
 * @typedef {object} TrainerTable
 * @property {Record<string, Recipe>} recipes
 * @property {Record<string, string | null>} splits by name; null if the whole text is one pre-token
 * @property {Record<string, string>} classes
 * @property {Record<string, string>} older those that differ in the older Unicode of GPT-2's libraries
 * @property {number[]} byte_order the bytes by their characters in GPT-2's files
 * @property {Record<string, string>} sentences
 * @property {number} shown_pairs
 * @property {Settings} settings those to begin with
 * @property {{ bytes: number, typed: number, merges: number, setting: number, special_tokens: number, first_size: number,
 *   pattern: number, split_seconds: number }} limits
 */
/**
 * What a person chooses. `split` is empty for the recipe's own, and CUSTOM for `custom_pattern`; null stands for the
 * recipe's own too, or for no limit.
 * @typedef {object} Settings
 * @property {string} recipe
 * @property {string} split
 * @property {string} custom_pattern a regular expression of the browser, with the flag v
 * @property {number} num_merges
 * @property {number | null} vocab_size
 * @property {number} min_frequency
 * @property {string[] | null} special_tokens
 * @property {number | null} max_token_length
 * @property {Fork[]} choices
 */
/**
 * @typedef {object} Rules
 * @property {TrainerTable} table
 * @property {Recipe} recipe
 * @property {Settings} settings
 * @property {string} split the name of the split pattern
 * @property {string[]} specialTokens
 * @property {number} fewest how often a pair must occur
 * @property {{ longest: number, unit: "characters" | "bytes" } | null} limit of a token's length
 */

export const CUSTOM = "custom"; // as in bpeviz/text/split_patterns.py

/**
 * @param {TrainerTable} table
 * @param {Settings} settings
 * @returns {Rules}
 */
export function rulesOf(table, settings) {
  const recipe = table.recipes[settings.recipe];
  const longest = settings.max_token_length ?? recipe.max_token_length;
  const unit = recipe.length_unit;
  return {
    table,
    recipe,
    settings,
    split: settings.split || recipe.split,
    specialTokens: settings.special_tokens ?? recipe.special_tokens,
    fewest: Math.max(1, settings.min_frequency),
    // tokenizers takes fewer bytes than the number, but two single bytes whatever the number
    limit: longest === null ? null : { longest: unit === "bytes" ? Math.max(longest - 1, 2) : longest, unit },
  };
}

/**
 * A sentence of Python's with values in it.
 * @param {string} sentence such as "Reached the requested {merges}."
 * @param {Record<string, string>} values
 */
export const fill = (sentence, values) => sentence.replace(/\{(\w+)\}/g, (_, name) => values[name]);

/**
 * Why a run makes no merge, by the reason for which its training stopped.
 * @param {Rules} rules
 * @param {string} reason
 */
export function nothingMerged({ table: { sentences }, settings }, reason) {
  if (![sentences.too_rare, sentences.no_pair].some((start) => reason.startsWith(start))) return reason;
  const [, why] = reason.split(": ");
  if (why?.startsWith("any two")) return `A${why.slice(1, -1)}${sentences.so_nothing}`;
  const other = settings.choices.length ? "other " : "";
  const often = settings.min_frequency > 1 ? ` ${times(settings.min_frequency)}` : "";
  return fill(sentences.nothing, { other, often }) + sentences.so_nothing;
}
