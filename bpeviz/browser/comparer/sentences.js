// @ts-check
// What the comparison says in sentences. A sentence is a list of words, in which numbers stand for the names of the
// sides; the figures that matter most are in bold.

import { create } from "../shared/elements.js";
import { counted, decimals } from "../shared/numbers.js";

/** @import { Pair } from "./agreement.js" */

/** @typedef {(string | number | { bold: string })[]} Sentence */

const LETTERS = ["L", "R", "3", "4", "5", "6"];

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
  sentence.map((part) => {
    if (typeof part === "number") return sideName(part, names[part]);
    return typeof part === "string" ? part : create("b", "", part.bold);
  });

/**
 * Who needs fewer tokens, and how many more the other needs.
 * @param {Pair<number>} tokens
 * @param {Pair<number>} sizes of the vocabularies
 * @param {boolean} same whether both have the same boundaries
 * @returns {Sentence}
 */
export function verdict(tokens, sizes, same) {
  const [first, second] = tokens;
  if (first === second) {
    const cut = same ? " and cut it the same way" : "";
    return ["Both need ", { bold: counted(first, "token") }, ` for this text${cut}, ${entries(sizes, 0)}.`];
  }
  const more = first > second ? 0 : 1;
  const fewer = 1 - more;
  return [
    fewer,
    " needs ",
    { bold: decimals(tokens[fewer]) },
    ` ${tokens[fewer] === 1 ? "token" : "tokens"} for this text, `,
    more,
    " ",
    { bold: decimals(tokens[more]) },
    `: ${moreThan(tokens[fewer], tokens[more])}, ${entries(sizes, more)}.`,
  ];
}

/**
 * Who of three and more needs the fewest tokens, and how many more each of the others needs.
 * @param {number[]} tokens
 * @returns {Sentence}
 */
export function verdictOfAll(tokens) {
  const order = [...tokens.keys()].sort((a, b) => tokens[a] - tokens[b]);
  const fewest = tokens[order[0]];
  const best = order.filter((side) => tokens[side] === fewest);
  const total = { bold: counted(fewest, "token") };
  if (best.length === tokens.length) return ["All need ", total, " for this text."];
  const rest = order.slice(best.length).map((side) => [side, ` ${moreThan(fewest, tokens[side])}`]);
  return [
    ...best.flatMap((side, i) => [i ? " and " : "", side]),
    best.length > 1 ? " need the fewest for this text, " : " needs the fewest for this text, ",
    total,
    ": ",
    ...rest.flatMap((part, i) => [i ? ", " : "", ...part]),
    ".",
  ];
}

/**
 * @param {number} fewest
 * @param {number} tokens
 */
function moreThan(fewest, tokens) {
  const share = fewest ? Math.round((100 * (tokens - fewest)) / fewest) : 0;
  return share ? `${decimals(share)}\u00a0% more` : `${decimals(tokens - fewest)} more`;
}

/**
 * The sizes of both vocabularies, that of one side first.
 * @param {Pair<number>} sizes
 * @param {number} side
 */
function entries(sizes, side) {
  if (sizes[0] === sizes[1]) return `with ${decimals(sizes[0])} entries each`;
  return `with ${decimals(sizes[side])} entries against ${decimals(sizes[1 - side])}`;
}

/**
 * Why two sides that are to have equal vocabulary sizes don't; nothing if they have.
 * @param {Pair<number>} sizes
 * @param {boolean} locked
 * @returns {Sentence}
 */
export const sizeNote = (sizes, locked) =>
  locked && sizes[0] !== sizes[1] ? ["No equal size here. Move a slider."] : [];

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
 * Who has fewer tokens with the same number of merges, and from where on.
 * @param {Pair<ArrayLike<number>>} totals
 * @param {number | null} from the number of merges from which on one side has fewer at each; null for none
 * @returns {Sentence}
 */
export function aheadSentence([first, second], from) {
  if (from === null || Math.min(first.length, second.length) < 2) return [];
  const fewer = first[from] < second[from] ? 0 : 1;
  if (from === 0) return [" With the same number of merges, ", fewer, " needs fewer tokens."];
  const start = from === 1 ? "the first merge" : `merge ${decimals(from)}`;
  return [` From ${start} on, `, fewer, " needs fewer tokens with the same number of merges."];
}
