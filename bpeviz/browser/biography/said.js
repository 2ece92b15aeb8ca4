// @ts-check
// What the biography of a word says: after how many merges it shows each tokenizer, and what they do to the word.

import { counted, decimals } from "../shared/numbers.js";

/** @import { Known } from "../encoder/cells.js" */
/** @import { GrownNode, GrownTree, LostPair } from "./tree.js" */

/**
 * A word in one tokenizer: its trees, and the ranks of the merges that change them, ascending.
 * @typedef {{ title: string, merges: number, long: boolean, known: Known, trees: GrownTree[],
 *   changes: number[] }} Growth
 */
/**
 * How many merges are made. `last` is how many the player on the page has; null without a player.
 * @typedef {{ merges: number, growths: Growth[], last: number | null }} Shown
 */

/**
 * After how many merges the trees show the word, as the player says it.
 * @param {Shown} shown
 */
export function afterMerges({ merges, growths, last }) {
  if (merges === 0) return "Before any merge";
  const most = Math.max(...growths.map((growth) => growth.merges));
  const after = merges >= most ? "After all merges" : `After ${counted(merges, "merge")}`;
  if (last === null || merges <= last) return last === null ? after : `After ${counted(merges, "merge")}`;
  const longer = growths.filter((growth) => growth.merges > last).map(({ title }) => title);
  return `${after} of ${longer.join(" and ")}`; // further than the player goes
}

/**
 * Which merges the trees show, and why these.
 * @param {Shown} shown
 */
export function matchedBy({ merges, growths, last }) {
  if (growths.length < 2) return "";
  const ended = growths.filter((growth) => growth.merges < merges);
  const ends = ended
    .map((growth) => `${growth.title} has only ${counted(growth.merges, "merge")}.`)
    .join(" ");
  return ends || `All trees show equally many merges${last === null ? "." : ": as many as the player."}`;
}

/**
 * How many of its merges a tokenizer has made.
 * @param {Growth} growth
 * @param {number} merges
 */
export function partMade(growth, merges) {
  const all = counted(growth.merges, "merge");
  return merges >= growth.merges ? `all ${all}` : `${decimals(merges)} of ${all}`;
}

/**
 * What the latest merge that changes the word did to it, which one comes next, or what the word ends as.
 * @param {Growth} growth
 * @param {number} merges
 */
export function changesTold({ long, known, trees, changes }, merges) {
  if (long) return "this word is too long to draw.";
  if (!changes.length) return endsAs(trees);
  const latest = latestChange(changes, merges);
  if (latest < 0) return `its first change is merge ${decimals(changes[0] + 1)}.`;
  const told = tellChange({ known, trees }, latest, latest + 1 === merges);
  const next = changes.find((rank) => rank >= merges);
  const end = endsAs(trees);
  told.push(
    next === undefined
      ? end[0].toUpperCase() + end.slice(1)
      : `Its next change is merge ${decimals(next + 1)}.`,
  );
  return told.join(" ");
}

/**
 * The rank of the last merge so far that changes the word; -1 before the first.
 * @param {number[]} changes
 * @param {number} merges
 */
export const latestChange = (changes, merges) => changes.findLast((rank) => rank < merges) ?? -1;

/**
 * @param {{ known: Known, trees: GrownTree[] }} growth
 * @param {number} latest
 * @param {boolean} justNow
 */
function tellChange({ known, trees }, latest, justNow) {
  const nodes = trees.flatMap((tree) => tree.nodes.filter(({ since }) => since === latest));
  const lost = trees.flatMap((tree) => tree.lost.filter(({ since }) => since === latest));
  const labels = [...new Set(nodes.map(({ id }) => known(id).label))].join(", ");
  const change = `merge ${decimals(latest + 1)} makes ${labels}.`;
  return [justNow ? change : `last change: ${change}`, ...lost.map((pair) => lostSentence(pair, known))];
}

/**
 * @param {LostPair} pair
 * @param {Known} known
 */
export function lostSentence(pair, known) {
  const [left, right, taken, made] = [pair.left, pair.right, pair.taken, pair.for].map(
    (id) => known(id).label,
  );
  return `${made} takes ${taken}: ${left} + ${right} (merge ${decimals(pair.rank + 1)}) can’t join.`;
}

/** @param {GrownTree[]} trees */
function endsAs(trees) {
  const left = trees.reduce((sum, { nodes }) => sum + nodes.length - 2 * mergedNodes(nodes), 0);
  return left === 1 ? "it becomes one token." : `it ends as ${decimals(left)} tokens.`;
}

/** @param {GrownNode[]} nodes */
const mergedNodes = (nodes) => nodes.filter(({ halves }) => halves.length).length;
