// @ts-check
// One text with the tokens of several tokenizers. A cell ends where any of them cuts, and every row of a line has the
// same cells: so the letters of all rows stand under each other, and all rows break at the same place. The classes of
// a cell say what it is in the token of its row; the style sheet moves each row to its place.

import { sameBytes } from "../shared/bytes.js";
import { create, find, findAll } from "../shared/elements.js";
import { NEVER, SKIPPED } from "../shared/gap_ranks.js";
import { TextView } from "../shared/text_view.js";
import { tokenHue } from "../shared/token_hue.js";
import { agreement } from "./agreement.js";
import { RankPairs } from "./rank_pairs.js";

/** @import { Cell } from "../shared/types" */
/** @import { Pair } from "./agreement.js" */
/** @import { RowTokens } from "./row_tokens.js" */

const MOST_FOLLOWED = 4096; // how far we follow a token

// The name of an invisible character, and in pixels: a letter of it, the room beside it, the least width of a byte.
const CODE_POINT = /U\+[0-9A-F]{4}/;
const NAME_LETTER = 5.2;
const NAME_EDGES = 4;
const LEAST_OF_BYTE = 9;

const LINE_END = /^\r?\n$/;

export class AlignedView extends TextView {
  /** @param {ParentNode} root */
  constructor(root) {
    super(root);
    this.pairs = new RankPairs(new Uint16Array(), [new Int32Array(), new Int32Array()], new Int32Array());
    /** @type {Uint8Array} */
    this.codes = new Uint8Array(); // who has a boundary in the gaps of each pair
    this.union = new Int32Array();
    this.figures = agreement([0, 0, 0, 0]);
    this.tinted = false; // `paint` colours the cells, in each row its own way
    /** @type {RowTokens | null} */
    this.rows = null;
    this.idOf = () => undefined; // a cell has an id in each row: see `number`
    /** @type {((b: number) => boolean) | null} */
    this.changed = null; // which blocks a move of a slider changes
    /** @type {{ start: number, end: number } | null} */
    this.found = null; // the stretch to mark
  }

  /**
   * @param {Uint8Array} text
   * @param {RankPairs} pairs the gap ranks of both
   * @param {Pair<number>} merges how many of each
   * @param {RowTokens} rows
   */
  open(text, pairs, merges, rows) {
    this.rows = rows;
    const place = this.count && sameBytes(text, this.text) ? this.placeNow() : null;
    this.pairs = pairs;
    this.scroller.style.setProperty("--rows", String(pairs.sides));
    this.union = new Int32Array(text.length);
    this.found = null;
    this.align(merges);
    this.load({ text, gaps: this.union }, 0);
    if (place) this.place(...place); // other tokenizers on the same text
  }

  /** @param {Pair<number>} merges */
  show(merges) {
    const { codes: before, cuts, starts, pairs } = this;
    this.align(merges);
    this.changed = (b) => cellsDiffer(pairs, before, this.codes, starts[b], cuts[b + 1]);
    this.draw(0, true);
    this.changed = null;
  }

  /**
   * @override
   * @param {(b: number) => boolean} redraw
   * @param {number} [reach]
   */
  drawView(redraw, reach) {
    return super.drawView((b) => redraw(b) && (!this.changed || this.changed(b)), reach);
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
   * A line without letters takes less room.
   * @override
   * @param {number} b
   */
  newBlock(b) {
    const element = super.newBlock(b);
    const line = this.decoder.decode(this.text.subarray(this.cuts[b], this.cuts[b + 1]));
    element.classList.toggle("blank", LINE_END.test(line) && !this.goesOn(b));
    return element;
  }

  /**
   * All rows break at the same places.
   * @override
   * @param {HTMLElement} block
   */
  lineOf(block) {
    return find(block, ".of-0");
  }

  /**
   * @override
   * @param {HTMLElement} element
   * @param {number} start
   * @param {number} end
   */
  fill(element, start, end) {
    const first = create("div", "tokens of-0");
    super.fill(first, start, end);
    const cells = partsOf(first);
    element.replaceChildren(first);
    const rows = [cells];
    for (let side = 1; side < this.pairs.sides; side++) {
      const row = /** @type {HTMLElement} */ (first.cloneNode(true));
      row.className = `tokens of-${side}`;
      row.ariaHidden = "true"; // screen readers read the text once; the tip has the tokens of all
      rows[side] = partsOf(row);
      for (const [i, cell] of rows[side].entries()) {
        cell.token = cells[i].token;
        this.paint(cell, side);
      }
      element.append(row);
    }
    for (const cell of cells) this.paint(cell, 0);
    if (this.showsIds) for (const i of cells.keys()) this.number(rows.map((row) => row[i]));
    this.countTokens(element, start, end);
  }

  /**
   * Write at the end of each row how many of its tokens begin there. It is not text of the page: a copy and a
   * screen reader have the text alone.
   * @param {HTMLElement} element
   * @param {number} start
   * @param {number} end
   */
  countTokens(element, start, end) {
    for (const [side, row] of [...element.children].entries()) {
      let tokens = 0;
      for (let i = start; i < end; i++) if (this.codeAt(i) & (1 << side)) tokens++;
      /** @type {HTMLElement} */ (row).dataset.tokens = String(tokens);
    }
  }

  /**
   * Give a cell the look of the token that it is, or is a part of, in a side's row.
   * @param {Cell} cell
   * @param {number} side
   */
  paint(cell, side) {
    const [start, end] = this.tokenOf(side, cell.token.start);
    cell.style.setProperty("--hue", String(tokenHue(this.text, start, end)));
    if (start < cell.token.start) cell.classList.add("rest");
    if (end > cell.token.end) cell.classList.add("goes-on");
  }

  /**
   * Write ids under the cells of one place, where a token of their row begins. All get the same room.
   * @param {Cell[]} cells
   */
  number(cells) {
    let letters = 0;
    for (const [row, cell] of cells.entries()) {
      if (cell.classList.contains("rest")) continue;
      const id = String(this.rows?.id(row, cell.token.start) ?? "");
      if (id) cell.dataset.id = id;
      letters = Math.max(letters, id.length);
    }
    for (const cell of cells) {
      cell.classList.add("numbered");
      cell.style.setProperty("--digits", String(letters));
    }
  }

  /**
   * The token of a side that holds a byte: where it begins and ends.
   * @param {number} side
   * @param {number} offset
   * @returns {[start: number, end: number]}
   */
  tokenOf(side, offset) {
    const has = 1 << side;
    let start = offset;
    let end = offset + 1;
    while (!(this.codeAt(start) & has) && offset - start < MOST_FOLLOWED) start--;
    while (!(this.codeAt(end) & has) && end - offset < MOST_FOLLOWED) end++;
    return [start, end];
  }

  /**
   * Note what all rows of a cell have in common.
   * @override
   * @param {HTMLElement} cell
   * @param {number} start
   */
  decorate(cell, start) {
    const { token } = /** @type {Cell} */ (cell);
    const { all } = this.pairs;
    if (cell.classList.contains("hex")) cell.style.setProperty("--bytes", String(token.end - token.start));
    if (this.codeAt(start) !== all || this.codeAt(token.end) !== all) cell.classList.add("differs");
    if (this.found && start >= this.found.start && start < this.found.end) cell.classList.add("found");
  }

  /**
   * Characters that are invisible get their names, also if no side cuts them.
   * @override
   * @param {HTMLElement} cell
   */
  isBoxed(cell) {
    return cell.classList.contains("tok") && cell.classList.contains("hex");
  }

  /**
   * @override
   * @param {HTMLElement} group
   * @param {number} start
   * @param {number} end
   */
  nameGroup(group, start, end) {
    super.nameGroup(group, start, end);
    const { char = "" } = group.dataset;
    if (!CODE_POINT.test(char)) return;
    group.classList.add("named");
    const width = char.length * NAME_LETTER + NAME_EDGES;
    group.style.setProperty("--byte", `${Math.max(LEAST_OF_BYTE, Math.ceil(width / (end - start)))}px`);
  }

  /**
   * Who has a boundary before a byte; all do at the start and the end of the text.
   * @param {number} offset
   */
  codeAt(offset) {
    const { numbers } = this.pairs;
    return offset === 0 || offset === numbers.length ? this.pairs.all : this.codes[numbers[offset - 1]];
  }
}

/** @param {HTMLElement} row */
const partsOf = (row) => /** @type {Cell[]} */ (findAll(row, ".tok"));

/**
 * Whether tokens in a range of bytes differ between two cuts of the text; for very long tokens always true. Tokens can
 * reach over the ends of the range: where all have a boundary, they end.
 * @param {{ numbers: ArrayLike<number>, all: number }} pairs for each byte the number of its pair; the code of all
 * @param {Uint8Array} before who had a boundary in the gaps of each pair
 * @param {Uint8Array} now who has
 * @param {number} from
 * @param {number} to
 */
export function cellsDiffer({ numbers, all }, before, now, from, to) {
  for (let i = from; i < to; i++) if (before[numbers[i]] !== now[numbers[i]]) return true;
  for (const [start, by] of [
    [from - 1, -1],
    [to - 1, 1],
  ]) {
    for (let i = start; i >= 0 && i < numbers.length; i += by) {
      if (before[numbers[i]] !== now[numbers[i]] || Math.abs(i - start) > MOST_FOLLOWED) return true;
      if (now[numbers[i]] === all) break;
    }
  }
  return false;
}
