// @ts-check
// One text with the boundaries of two tokenizers: a cell ends where either of them cuts, and its start shows which
// one cuts there.

import { NEVER, SKIPPED } from "../shared/gap_ranks.js";
import { TextView } from "../shared/text_view.js";
import { agreement, BOTH, boundaryCodes, ONLY_FIRST, ONLY_SECOND } from "./agreement.js";

/** @import { Pair } from "./agreement.js" */

/** @type {Record<number, string>} */
const BOUNDARY_CLASSES = { [ONLY_FIRST]: "at-first", [ONLY_SECOND]: "at-second", [BOTH]: "at-both" };

export class AlignedView extends TextView {
  /** @param {ParentNode} root */
  constructor(root) {
    super(root);
    /** @type {Pair<Int32Array>} */
    this.ofSides = [new Int32Array(), new Int32Array()];
    /** @type {Uint8Array} */
    this.codes = new Uint8Array(); // who has a boundary after each byte
    this.union = new Int32Array();
    this.figures = agreement(this.codes);
    /** @type {{ start: number, end: number } | null} */
    this.found = null; // the stretch to mark
  }

  /**
   * @param {Uint8Array} text
   * @param {Pair<Int32Array>} gaps the gap ranks of both
   * @param {Pair<number>} merges how many of each
   */
  open(text, gaps, merges) {
    this.ofSides = gaps;
    this.codes = new Uint8Array(text.length);
    this.union = new Int32Array(text.length);
    this.found = null;
    this.align(merges);
    this.load({ text, gaps: this.union }, 0);
  }

  /** @param {Pair<number>} merges */
  show(merges) {
    this.align(merges);
    this.draw(0, true);
  }

  /**
   * Merge both sides' gap ranks for drawing: a gap is open if it is open in either.
   * @param {Pair<number>} merges
   */
  align(merges) {
    const { codes, union } = this;
    const [first, second] = this.ofSides;
    boundaryCodes(this.ofSides, merges, codes);
    this.figures = agreement(codes);
    const last = codes.length - 1;
    for (let i = 0; i < codes.length; i++) {
      const dropped = first[i] === SKIPPED && second[i] === SKIPPED;
      // The end of the text is a boundary, unless both drop the last byte.
      const open = i < last ? codes[i] !== 0 : !dropped;
      union[i] = open ? NEVER : dropped ? SKIPPED : -1;
    }
  }

  /**
   * @override
   * @param {HTMLElement} cell
   * @param {number} start
   */
  decorate(cell, start) {
    const code = start === 0 ? BOTH : this.codes[start - 1];
    if (code) cell.classList.add(BOUNDARY_CLASSES[code]);
    if (this.found && start >= this.found.start && start < this.found.end) cell.classList.add("found");
  }
}
