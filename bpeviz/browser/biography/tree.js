// @ts-check
// The tree of one pre-token: its letters, the tokens that merges make of them, and the merges that never came because
// a neighbour took one of their two tokens.

import { NO_MERGE, PreToken } from "../encoder/pre_token.js";

/** @import { Step } from "../encoder/pre_token.js" */

/**
 * A token over the symbols `from` up to `to`, made by the merge of `rank` (-1 for a letter) out of two nodes by their
 * place in the list. `level` is its height. It shows once the merge of rank `since` is made.
 * @typedef {{ id: number, from: number, to: number, rank: number, since: number, level: number,
 *   halves: number[] }} GrownNode
 */
/**
 * A pair that could have merged at symbol `at`, by the merge of `rank`, until the merge of rank `by` took its token
 * `taken` for the new token `for`.
 * @typedef {{ at: number, left: number, right: number, rank: number, by: number, since: number, taken: number,
 *   for: number }} LostPair
 */
/** @typedef {{ nodes: GrownNode[], lost: LostPair[] }} GrownTree */

/**
 * A merge whose token has a half of a later merge comes with that one: it would not happen with fewer merges.
 * @param {{ symbols: number[], ranks: number[], steps: Step[] }} kind
 * @returns {GrownTree}
 */
export function growTree(kind) {
  const preToken = new PreToken(kind);
  /** @type {GrownNode[]} */
  const nodes = kind.symbols.map((id, i) => ({
    id,
    from: i,
    to: i + 1,
    rank: -1,
    since: -1,
    level: 0,
    halves: [],
  }));
  const nodeAt = kind.symbols.map((_, i) => i); // by the first symbol of each current token
  /** @type {LostPair[]} */
  const lost = [];
  for (const step of kind.steps) {
    const halves = [nodeAt[step.start], nodeAt[step.middle]];
    const since = Math.max(step.rank, ...halves.map((half) => nodes[half].since));
    lost.push(...pairsLost(preToken, step, since));
    const level = 1 + Math.max(...halves.map((half) => nodes[half].level));
    nodeAt[step.start] = nodes.length;
    nodes.push({ id: step.id, from: step.start, to: step.end, rank: step.rank, since, level, halves });
    preToken.go(preToken.made + 1);
  }
  return { nodes, lost };
}

/**
 * @param {PreToken} preToken before the step
 * @param {Step} step
 * @param {number} since
 * @returns {LostPair[]}
 */
function pairsLost(preToken, step, since) {
  const { ids, ranks, preceding } = preToken;
  const { start, middle, end } = step;
  const before = preceding[start];
  const by = { by: step.rank, since, for: step.id };
  const lost = [];
  if (before >= 0 && ranks[before] !== NO_MERGE) {
    const pair = { at: start, left: ids[before], right: ids[start], rank: ranks[before], taken: ids[start] };
    lost.push({ ...pair, ...by });
  }
  if (end < ids.length && ranks[middle] !== NO_MERGE) {
    const pair = { at: end, left: ids[middle], right: ids[end], rank: ranks[middle], taken: ids[middle] };
    lost.push({ ...pair, ...by });
  }
  return lost;
}

/**
 * The ranks at which any of the trees changes, ascending.
 * @param {GrownTree[]} trees
 */
export function changesOf(trees) {
  const ranks = trees.flatMap(({ nodes }) => nodes.map(({ since }) => since).filter((rank) => rank >= 0));
  return [...new Set(ranks)].sort((a, b) => a - b);
}
