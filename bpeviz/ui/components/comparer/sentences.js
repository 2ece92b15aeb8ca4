// @ts-check
// What the comparison says in sentences. A sentence is a list of words, in which 0 and 1 stand for the names of the
// sides.

import { create } from "../shared/elements.js";
import { counted, decimals } from "../shared/numbers.js";

/** @import { Pair } from "./agreement.js" */

/** @typedef {(string | 0 | 1)[]} Sentence */

const LETTERS = ["L", "R"];

/**
 * The name of a side with its letter, shape and colour.
 * @param {number} side
 * @param {string} name
 */
export function sideName(side, name) {
  const chip = create("span", `chip of-${side}`);
  const letter = create("span", "letter", LETTERS[side]);
  letter.ariaHidden = "true";
  const shown = create("span", "name", name);
  shown.title = name;
  chip.append(letter, shown);
  return chip;
}

/**
 * @param {Sentence} sentence
 * @param {string[]} names
 */
export const written = (sentence, names) =>
  sentence.map((part) => (typeof part === "number" ? sideName(part, names[part]) : part));

/**
 * Who needs fewer tokens.
 * @param {Pair<number>} tokens
 * @param {boolean} same whether both have the same boundaries
 * @returns {Sentence}
 */
export function verdict(tokens, same) {
  const [first, second] = tokens;
  if (first === second) {
    return [`Both need ${counted(first, "token")}${same ? " and cut the text the same way." : "."}`];
  }
  const more = first > second ? 0 : 1;
  const fewer = more ? 0 : 1;
  const saved = tokens[more] - tokens[fewer];
  const share = Math.round((100 * saved) / tokens[more]);
  return [
    more,
    ` needs ${counted(tokens[more], "token")}, `,
    fewer,
    ` ${decimals(tokens[fewer])}: ${share ? `${share}\u00a0%` : decimals(saved)} fewer.`,
  ];
}

/**
 * What the vocabulary sizes say about the comparison.
 * @param {Pair<number>} sizes now
 * @param {Pair<number>} largest with all merges
 * @param {boolean} locked
 * @returns {Sentence}
 */
export function sizeNote(sizes, largest, locked) {
  const [size] = sizes;
  const smaller = largest[0] <= largest[1] ? 0 : 1;
  if (size !== sizes[1]) {
    return locked
      ? ["The two can't have equal size here. Move a slider."]
      : ["The sizes differ. The larger vocabulary usually needs fewer tokens."];
  }
  if (size < largest[smaller]) return [`Both vocabularies have ${decimals(size)} entries.`];
  if (largest[0] === largest[1]) return [`Both vocabularies have all their ${decimals(size)} entries.`];
  return [`Both vocabularies have ${decimals(size)} entries: all that `, smaller, " has."];
}

/**
 * What to say of two sides with the same tokens at every number of merges; null if they differ.
 * @param {Pair<ArrayLike<number>>} totals
 * @param {string[]} names
 * @returns {Sentence | null}
 */
export function sameSentence([first, second], names) {
  if (first.length !== second.length) return null;
  for (let k = 0; k < first.length; k++) if (first[k] !== second[k]) return null;
  if (names[0] === names[1]) return [`Both sides are ${names[0]}.`];
  return ["Both need as many tokens with the same number of merges."];
}

/**
 * With how many merges the right side needs as few tokens as the left side has now; nothing if it needs none.
 * @param {number} done merges of the left side
 * @param {number | null} equal of the right side; null if it never does
 * @param {number} all merges of the right side
 * @param {number} least tokens with all these
 * @returns {Sentence}
 */
export function equalSentence(done, equal, all, least) {
  if (equal === 0) return [];
  if (equal !== null) {
    return [
      "With ",
      counted(equal, "merge"),
      " ",
      1,
      " needs as few tokens as ",
      0,
      ` with ${decimals(done)}.`,
    ];
  }
  if (all === 0) return [1, ` needs more tokens and has no merges: ${decimals(least)}.`];
  const merges = all === 1 ? "its only merge" : `all its ${decimals(all)} merges`;
  return [1, ` needs more tokens even with ${merges}: ${decimals(least)}.`];
}

/**
 * Who has fewer tokens with the same number of merges.
 * @param {Pair<ArrayLike<number>>} totals
 * @param {number | null} crossing the number of merges at which the lines cross last
 * @returns {Sentence}
 */
export function crossingSentence([first, second], crossing) {
  const last = Math.min(first.length, second.length) - 1;
  if (last < 1 || first[last] === second[last]) return [];
  const fewer = first[last] < second[last] ? 0 : 1;
  if (crossing === null) return [" With the same number of merges, ", fewer, " needs fewer tokens."];
  return [
    ` From merge ${decimals(crossing)} on, `,
    fewer,
    " needs fewer tokens with the same number of merges.",
  ];
}
