// @ts-check
// Cuts a text into pre-tokens, which no merge crosses. Browsers know different versions of Unicode, so the classes of
// characters in the regular expressions are spelled out, as Python's are: every browser cuts as Python does.

/** @import { Rules } from "./rules.js" */

const SPECIAL = /[\\^$.*+?()[\]{}|/]/g;

/**
 * A function that cuts a text into pre-tokens.
 * @param {Rules} rules
 * @returns {(text: string) => string[]}
 */
export function splitterOf({ table, split, recipe, specialTokens }) {
  const pattern = table.splits[split];
  const search = pattern === null ? null : new RegExp(spelledOut(pattern, table.classes), "gu");
  /** @param {string} text */
  const cut = (text) => (search ? (text.match(search) ?? []) : text ? [text] : []);
  const cuts = recipe.cuts_at_special_tokens ? specialTokens.filter(Boolean) : [];
  if (!cuts.length) return cut;
  const longestFirst = cuts.sort((a, b) => b.length - a.length).map((each) => each.replace(SPECIAL, "\\$&"));
  const special = new RegExp(`(${longestFirst.join("|")})`, "u");
  return (text) => text.split(special).flatMap((part, i) => (i % 2 ? [part] : cut(part)));
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
