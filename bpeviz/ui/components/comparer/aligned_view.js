// @ts-check
// One text with the boundaries of two tokenizers: a cell ends where either of them cuts, and its start shows which
// one cuts there.

import { NEVER, SKIPPED } from "../shared/gap_ranks.js";
import { TextView } from "../shared/text_view.js";
import { agreement, BOTH, ONLY_FIRST, ONLY_SECOND } from "./agreement.js";
import { RankPairs } from "./rank_pairs.js";

/** @import { Pair } from "./agreement.js" */

const MOST_FOLLOWED = 4096; // how far we follow a token

/** @type {Record<number, string>} */
const BOUNDARY_CLASSES = { [ONLY_FIRST]: "at-first", [ONLY_SECOND]: "at-second", [BOTH]: "at-both" };

export class AlignedView extends TextView {
  /** @param {ParentNode} root */
  constructor(root) {
    super(root);
    this.pairs = new RankPairs(new Uint16Array(), [new Int32Array(), new Int32Array()], new Int32Array());
    /** @type {Uint8Array} */
    this.codes = new Uint8Array(); // who has a boundary in the gaps of each pair
    this.union = new Int32Array();
    this.figures = agreement([0, 0, 0, 0]);
    this.tinted = false;
    /** @type {((b: number) => boolean) | null} */
    this.changed = null; // which blocks a move of a slider changes
    /** @type {{ start: number, end: number } | null} */
    this.found = null; // the stretch to mark
  }

  /**
   * @param {Uint8Array} text
   * @param {RankPairs} pairs the gap ranks of both
   * @param {Pair<number>} merges how many of each
   */
  open(text, pairs, merges) {
    this.pairs = pairs;
    this.union = new Int32Array(text.length);
    this.found = null;
    this.align(merges);
    this.load({ text, gaps: this.union }, 0);
  }

  /** @param {Pair<number>} merges */
  show(merges) {
    const { codes: before, starts, pairs } = this;
    this.align(merges);
    this.changed = (b) => cellsDiffer(pairs.numbers, before, this.codes, starts[b], starts[b + 1]);
    this.draw(0, true);
    this.changed = null;
  }

  /**
   * @override
   * @param {(b: number) => boolean} redraw
   */
  drawView(redraw) {
    return super.drawView((b) => redraw(b) && (!this.changed || this.changed(b)));
  }

  /**
   * Merge both sides' gap ranks for drawing: a gap is open if it is open in either.
   * @param {Pair<number>} merges
   */
  align(merges) {
    const { union, pairs } = this;
    const { numbers } = pairs;
    const [first, second] = pairs.ranks;
    this.codes = pairs.codes(merges);
    this.figures = agreement(pairs.total(this.codes));
    const unionOf = Int32Array.from(this.codes, (code, i) => {
      if (code) return NEVER;
      return first[i] === SKIPPED && second[i] === SKIPPED ? SKIPPED : -1;
    });
    for (let i = 0; i < union.length; i++) union[i] = unionOf[numbers[i]];
    // The end of the text is a boundary, unless both drop the last byte.
    const last = union.length - 1;
    if (union[last] === -1) union[last] = NEVER;
  }

  /**
   * @override
   * @param {HTMLElement} cell
   * @param {number} start
   */
  decorate(cell, start) {
    const code = start === 0 ? BOTH : this.codes[this.pairs.numbers[start - 1]];
    if (code) cell.classList.add(BOUNDARY_CLASSES[code]);
    if (this.found && start >= this.found.start && start < this.found.end) cell.classList.add("found");
  }
}

/**
 * Whether cells in a range of bytes differ between two cuts of the text; for very long tokens always true. A cell can
 * reach over the ends of the range.
 * @param {ArrayLike<number>} numbers for each byte the number of its pair
 * @param {Uint8Array} before who had a boundary in the gaps of each pair
 * @param {Uint8Array} now who has
 * @param {number} from
 * @param {number} to
 */
export function cellsDiffer(numbers, before, now, from, to) {
  for (let i = from; i < to; i++) if (before[numbers[i]] !== now[numbers[i]]) return true;
  for (const [start, by] of [
    [from - 1, -1],
    [to - 1, 1],
  ]) {
    for (let i = start; i >= 0 && i < numbers.length; i += by) {
      if (before[numbers[i]] !== now[numbers[i]] || Math.abs(i - start) > MOST_FOLLOWED) return true;
      if (now[numbers[i]]) break;
    }
  }
  return false;
}
