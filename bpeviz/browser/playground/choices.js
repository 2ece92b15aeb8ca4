// @ts-check
// A person's own merges and vetoes: see bpeviz/training/choice.py.

/** @import { Fork } from "../shared/types" */

/**
 * The choices of a fork of a fork: the earlier ones, then the new one, which replaces a merge chosen at the same rank.
 * @param {Fork[]} choices
 * @param {Fork} added
 */
export const continuedWith = (choices, added) => [
  ...choices.filter(({ rank, action }) => rank < added.rank || (rank === added.rank && action === "veto")),
  added,
];
