// @ts-check
// Cuts a text into pre-tokens, which no merge crosses. Browsers know different versions of Unicode, so the classes of
// characters in the regular expressions are spelled out, as Python's are: every browser cuts as Python does.

import { CUSTOM, fill } from "./rules.js";

/** @import { Rules, TrainerTable } from "./rules.js" */

const SPECIAL = /[\\^$.*+?()[\]{}|/]/g;

/**
 * A function that cuts a text into pre-tokens.
 * @param {Rules} rules
 * @returns {(text: string) => string[]}
 */
export function splitterOf({ table, split, settings, recipe, specialTokens }) {
  const cut =
    split === CUSTOM ? byCustom(settings.custom_pattern, table) : byNamed(table.splits[split], table);
  const cuts = recipe.cuts_at_special_tokens ? specialTokens.filter(Boolean) : [];
  if (!cuts.length) return cut;
  const longestFirst = cuts.sort((a, b) => b.length - a.length).map((each) => each.replace(SPECIAL, "\\$&"));
  const special = new RegExp(`(${longestFirst.join("|")})`, "u");
  return (text) => text.split(special).flatMap((part, i) => (i % 2 ? [part] : cut(part)));
}

/**
 * @param {string | null} pattern
 * @param {TrainerTable} table
 * @returns {(text: string) => string[]}
 */
function byNamed(pattern, { classes }) {
  if (pattern === null) return (text) => (text ? [text] : []);
  const search = new RegExp(spelledOut(pattern, classes), "gu");
  return (text) => text.match(search) ?? [];
}

/**
 * By a person's own pattern. Throws an Error with a sentence if it can't be read, or doesn't cover a text.
 * @param {string} pattern
 * @param {TrainerTable} table
 * @returns {(text: string) => string[]}
 */
function byCustom(pattern, { sentences }) {
  /** @type {RegExp} */
  let search;
  try {
    search = new RegExp(pattern, "gv");
  } catch (error) {
    throw new Error(fill(sentences.unreadable, { why: error instanceof Error ? error.message : "" }));
  }
  return (text) => {
    /** @type {string[]} */
    const found = text.match(search) ?? [];
    if (found.includes("")) throw new Error(sentences.empty_match);
    if (found.join("") !== text) throw new Error(sentences.uncovered);
    return found;
  };
}

/**
 * A regular expression with its classes spelled out: "[^\s\p{N}]" is "[^\u{9}-\u{d}…\u{30}-\u{39}…]".
 * @param {string} pattern
 * @param {Record<string, string>} classes
 */
function spelledOut(pattern, classes) {
  return pattern.replace(/\[[^\]]*\]|\\p\{\w+\}|\\[sS]/g, (found) => {
    if (found === "\\S") return `[^${classes.s}]`;
    const inside = found.replace(/\\p\{(\w+)\}|\\s/g, (_, name = "s") => classes[name]);
    return found.startsWith("[") ? inside : `[${inside}]`;
  });
}
