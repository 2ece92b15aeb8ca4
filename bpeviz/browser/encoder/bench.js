// @ts-check
// The bench: the tokens of one word in large, and between each two the number of the merge that joins them.

import { create, find } from "../shared/elements.js";
import { decimals } from "../shared/numbers.js";
import { withId } from "../shared/token_row.js";
import { directionOfTokens, showWithin, tokenCell } from "./cells.js";
import { NO_MERGE } from "./pre_token.js";

/** @import { Known } from "./cells.js" */
/** @import { CurrentToken, Step } from "./pre_token.js" */

/**
 * A distinct pre-token. Its first and last state are drawn only once.
 * @typedef {object} Kind
 * @property {string} text
 * @property {boolean} line_end
 * @property {boolean} special
 * @property {boolean} whole
 * @property {string} becomes what a library makes of it before any merge; empty if that is the text itself
 * @property {string} skipped
 * @property {number[]} symbols
 * @property {number[]} ranks
 * @property {Step[]} steps
 * @property {string[]} why it is not one token, in sentences, the verdict first
 * @property {DocumentFragment} [first]
 * @property {DocumentFragment} [final]
 */
/**
 * The pre-token at work, the tokens there are now, and the step to come.
 * @typedef {{ kind: Kind, now: CurrentToken[], next: Step | undefined, known: Known }} AtWork
 */

const BENCH_TOKENS = 40; // of more tokens, those far from the merge are left out

export class Bench {
  /** @param {ParentNode} root */
  constructor(root) {
    this.tokens = find(root, ".bench .tokens");
    this.say = find(root, ".bench .say");
    this.which = find(root, ".bench .which");
  }

  /**
   * `now` are the tokens of the pre-token, `next` the step to come and `last` the one just made, if any.
   * @param {AtWork & { last: Step | undefined }} shown
   */
  show({ kind, now, last, next, known }) {
    this.which.replaceChildren("The merges of ", create("b", "", kind.text));
    this.say.replaceChildren(...sentence({ kind, now, next, known }));
    const chosen = next ? now.findIndex(({ start }) => start === next.start) : -1;
    const made = last ? now.findIndex(({ start }) => start === last.start) : -1;
    const { from, to } = windowAround(now.length, Math.max(0, chosen >= 0 ? chosen : made), BENCH_TOKENS);
    const shown = document.createDocumentFragment();
    if (kind.skipped) shown.append(create("span", "elsewhere", `${kind.skipped} dropped`));
    if (kind.becomes)
      shown.append(create("span", "elsewhere", `changed to ${kind.becomes} before any merge`));
    if (from > 0) shown.append(create("span", "elsewhere", `… ${decimals(from)} before`));
    for (let i = from; i < to; i++) {
      const cell = tokenCell(known(now[i].id));
      cell.classList.toggle("new", i === made);
      cell.classList.toggle("left", i === chosen);
      cell.classList.toggle("right", chosen >= 0 && i === chosen + 1);
      shown.append(withId(cell, `id ${now[i].id}`));
      if (i + 1 < to) shown.append(joint(now[i].rank, i === chosen));
    }
    if (to < now.length) shown.append(create("span", "elsewhere", `${decimals(now.length - to)} after …`));
    this.tokens.dir = directionOfTokens(now.map(({ id }) => known(id)));
    this.tokens.replaceChildren(shown);
    const about = this.tokens.querySelector(".tok.right, .tok.new");
    if (about) showWithin(this.tokens, about);
  }
}

/**
 * The element between two tokens.
 * @param {number} rank
 * @param {boolean} chosen
 */
function joint(rank, chosen) {
  const between = create("span", chosen ? "joint chosen" : rank === NO_MERGE ? "joint none" : "joint");
  if (rank === NO_MERGE) {
    between.title = "No merge joins these two";
    between.append("—");
  } else {
    between.append(create("small", "", "merge "), create("b", "", decimals(rank + 1)));
  }
  return between;
}

/**
 * A sentence about what happens next, and why.
 * @param {AtWork} shown
 * @returns {(string | HTMLElement)[]}
 */
function sentence({ kind, now, next, known }) {
  /** @param {number} id */
  const name = (id) => create("b", "", known(id).label);
  if (kind.special) return ["A special token: taken whole, never cut, never merged."];
  if (kind.whole) return ["The vocabulary lists this word as one token. No merge makes it."];
  if (now.length === 0) return ["This tokenizer drops it: there is no token."];
  if (now.length === 1) {
    const what = kind.steps.length ? "One token is left: " : "A single base symbol, with nothing to merge: ";
    return [what, name(now[0].id), `, id ${now[0].id}.`];
  }
  if (!next) return [`No merge joins any two neighbours: ${decimals(now.length)} tokens are left.`];
  const { rank, id } = next;
  const ranks = now.slice(0, -1).map((token) => token.rank);
  const mergeable = ranks.filter((other) => other !== NO_MERGE).length;
  const sameRank = ranks.filter((other) => other === rank).length;
  const chosen = now.findIndex(({ start }) => start === next.start);
  const number = decimals(rank + 1);
  const why =
    mergeable === 1
      ? `Only one pair can merge. Merge ${number} joins `
      : `Of ${decimals(mergeable)} pairs that can merge, merge ${number} came first. It joins `;
  const first =
    sameRank > 1
      ? ` This pair occurs ${decimals(sameRank)} times. The first in the text is merged first.`
      : "";
  return [why, name(now[chosen].id), " + ", name(now[chosen + 1].id), " to ", name(id), `.${first}`];
}

/**
 * A window of at most so many of a number of things, around one of them.
 * @param {number} count
 * @param {number} about
 * @param {number} most
 */
export function windowAround(count, about, most) {
  const from = Math.max(0, Math.min(about - Math.floor(most / 2), count - most));
  return { from, to: Math.min(count, from + most) };
}
