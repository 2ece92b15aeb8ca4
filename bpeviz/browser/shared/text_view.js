// @ts-check
// The text with its token boundaries at one step. For texts of megabytes, only the blocks in view exist, and only
// those with a changed gap are drawn again. A block is a line, or a piece of a long one. A piece ends where a row ends,
// so that rows end nowhere else than in one long line.

import { isContinuation, NEWLINE } from "./bytes.js";
import {
  breakBefore,
  directionOfBytes,
  FIRST_LETTER,
  fillCell,
  isWhole,
  keepsWidth,
  nameOfUnseen,
  RIGHT_TO_LEFT,
} from "./characters.js";
import { closest, create, find, findAll } from "./elements.js";
import { NEVER, SKIPPED, tokenAround, upperBound, WALL } from "./gap_ranks.js";
import { startOfLastRow } from "./rows.js";
import { TextOptions } from "./text_options.js";
import { tokenHue } from "./token_hue.js";
import { withId } from "./token_row.js";

/** @import { Block, Cell, RankedText, Scrolled, Token } from "./types" */

const BLOCK_BYTES = 1200;
const MOST_BYTES_IN_ROW = 4 * BLOCK_BYTES; // a longer row, of characters without width, may end anywhere
const REACH = 4096; // how far we follow a token beyond a block's ends
const BLANK = 32; // the bytes of letters are greater
const FIRST_OF_WIDE = 0xe0; // begins a character of three bytes, such as a Japanese one
const OVERSCAN = 100; // pixels drawn above and below the view with it
const AROUND_AFTER = 200; // milliseconds from what is in view to what is around it
const PARTS_AROUND = 2; // of the view's height, each drawn by itself: a press in between doesn't wait

export class TextView {
  /** @param {ParentNode} root */
  constructor(root) {
    this.scroller = find(root, ".text");
    this.options = new TextOptions(this.scroller.closest(".bpeviz") ?? this.scroller, () =>
      this.optionsChanged(),
    );
    /** @type {((token: Token) => number | undefined) | null} */
    this.idOf = null;
    this.showsIds = false;
    this.above = find(root, ".above");
    this.blocks = find(root, ".blocks");
    this.below = find(root, ".below");
    this.decoder = new TextDecoder("utf-8", { ignoreBOM: true }); // keep byte-order marks
    this.scroller.addEventListener("scroll", () => this.scrolled(), { passive: true });
    this.resizeObserver = new ResizeObserver(() => this.layOut());
    this.resizeObserver.observe(this.scroller);
    this.tipId = "";
    /** @type {Uint8Array} */
    this.text = new Uint8Array();
    /** @type {Int32Array} */
    this.gaps = new Int32Array();
    /** @type {Int32Array} */
    this.cuts = new Int32Array(); // where lines begin, and where long ones are cut
    /** @type {Int32Array} */
    this.starts = new Int32Array(); // where blocks begin: at these cuts, or at the row's start before
    /** @type {Float64Array} */
    this.heights = new Float64Array();
    /** @type {Float64Array} */
    this.tops = new Float64Array();
    this.lineHeight = 30;
    this.columns = 10; // letters in a row, about
    this.layouts = 0; // how often the text was laid out, for one width or another
    this.step = 0;
    this.anchor = { block: 0, share: 0 };
    this.room = { above: -1, below: -1 }; // pixels
    this.placedAt = 0; // where the text is scrolled to
    /** @type {Map<number, Block>} */
    this.drawn = new Map(); // block number -> its element
    /** @type {{ gaps: Int32Array, step: number } | null} */
    this.rival = null; // another run on the text: boundaries that only this run has are marked
    /** @type {Uint8Array | null} */
    this.picked = null; // the bytes of the token to mark everywhere
    /** @type {number | null} */
    this.cursor = null; // a byte of the token that the keyboard is at
    /** @type {MouseEvent | null} */
    this.pressed = null; // where the pointer went down
    this.redrawing = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.aroundTimer = undefined;
    this.tinted = true; // whether cells have their token's colour
    /** @type {Scrolled | null} */
    this.onScroll = null; // called with the place that the person scrolled to
    /** @type {((token: Token) => void) | null} */
    this.onPick = null; // called with a token that the person clicks
    /** @type {(block: HTMLElement) => void} */
    this.onFill = () => {}; // called with each block that is drawn
    this.scroller.addEventListener("pointerdown", (event) => {
      this.pressed = event;
    });
    this.scroller.addEventListener("click", (event) => this.clicked(event));
  }

  stop() {
    clearTimeout(this.aroundTimer);
    this.options.stop();
    this.resizeObserver.disconnect();
  }

  /**
   * @param {RankedText} text
   * @param {number} step
   */
  load({ text, gaps }, step) {
    this.text = text;
    this.gaps = gaps;
    this.cuts = blockStarts(text, gaps);
    this.starts = this.cuts.slice();
    this.step = step;
    this.picked = this.cursor = null;
    this.drawn = new Map();
    this.blocks.replaceChildren();
    this.anchor = { block: 0, share: 0 };
    this.layOut();
  }

  get count() {
    return this.text.length ? this.starts.length - 1 : 0;
  }

  /**
   * Whether a block continues the line of the block before it.
   * @param {number} b
   */
  goesOn(b) {
    return b > 0 && b < this.count && this.text[this.cuts[b] - 1] !== NEWLINE;
  }

  // Estimate every height for the current width; blocks that are drawn get measured.
  layOut() {
    this.layouts++;
    this.showsIds = this.options.ids && this.idOf !== null;
    const style = getComputedStyle(this.scroller);
    this.lineHeight = Number.parseFloat(style.lineHeight) || 30;
    this.columns = Math.max(
      10,
      (this.scroller.clientWidth || 600) / (Number.parseFloat(style.fontSize) * 0.602),
    );
    this.heights = new Float64Array(this.count);
    for (let b = 0; b < this.count; b++) {
      const bytes = this.starts[b + 1] - this.starts[b];
      this.heights[b] = Math.max(1, Math.ceil(bytes / this.columns)) * this.lineHeight;
    }
    this.sumHeights();
    this.draw(this.step, true);
  }

  sumHeights() {
    this.tops = new Float64Array(this.count + 1);
    for (let b = 0; b < this.count; b++) this.tops[b + 1] = this.tops[b] + this.heights[b];
  }

  // Ids change how wide tokens are.
  optionsChanged() {
    if (this.showsIds !== (this.options.ids && this.idOf !== null)) this.layOut();
  }

  /** @param {number} y */
  blockAt(y) {
    return Math.max(0, Math.min(this.count, upperBound(this.tops, y)) - 1);
  }

  /** @param {number} step */
  draw(step, all = false) {
    const moved = step !== this.step;
    const from = Math.min(this.step, step) - 1;
    const to = Math.max(this.step, step);
    this.step = step;
    clearTimeout(this.aroundTimer);
    if (this.count === 0) {
      return this.leaveRoom(0, 0);
    }
    const held = this.focusedCell() === null ? null : this.cursor;
    this.redrawing = true;
    // Blocks may turn out shorter than estimated and leave room for more; a few rounds fill any view.
    for (let round = 0; round < 5; round++) {
      /** @param {number} b */
      const redraw = (b) => round === 0 && (all || (moved && this.changesIn(b, from, to)));
      if (!this.drawView(redraw)) break;
    }
    if (held !== null) this.holdFocus(held, all || moved);
    this.redrawing = false;
    this.aroundTimer = setTimeout(() => this.drawAround(1), AROUND_AFTER);
  }

  /**
   * Draw what the person sees when they scroll by one view: WebKit paints before it tells of the scroll.
   * @param {number} part how many parts of the view's height to draw above and below
   */
  drawAround(part) {
    const { clientHeight, scrollTop } = this.scroller;
    if (Math.abs(scrollTop - this.placedAt) >= 1) return this.scrolled(); // it will be told of that
    this.drawView(() => false, (part / PARTS_AROUND) * clientHeight);
    if (part < PARTS_AROUND) this.aroundTimer = setTimeout(() => this.drawAround(part + 1));
  }

  /**
   * Draw the blocks in view that are new or must be redrawn; return whether heights changed. Blocks around it that were
   * drawn stay; those that must be redrawn wait for `drawAround`.
   * @param {(b: number) => boolean} redraw
   * @param {number} [reach] pixels to draw above and below the view
   */
  drawView(redraw, reach = OVERSCAN) {
    const view = this.scroller.clientHeight || 460;
    const { scrollTop } = this.scroller;
    const inView = this.blockAt(scrollTop - OVERSCAN);
    // What is above in the same line may move the rows in view.
    const highest = this.goesOn(inView) ? inView : this.blockAt(scrollTop - view);
    const lowest = this.blockAt(scrollTop + 2 * view);
    const first = Math.max(highest, this.blockAt(scrollTop - reach));
    const last = this.blockAt(scrollTop + view + reach);
    let top = first;
    while (top > highest && this.drawn.has(top - 1)) top--;
    let bottom = last;
    while (bottom < lowest && this.drawn.has(bottom + 1)) bottom++;
    for (const [b, element] of this.drawn) {
      if (b < top || b > bottom) {
        element.remove();
        this.drawn.delete(b);
      } else if ((b < first || b > last) && redraw(b)) {
        element.start = -1;
      }
    }
    /** @type {HTMLElement | null} */
    let previous = this.drawn.get(first - 1) ?? null;
    let changed = false;
    for (let b = first; b <= last; b++) {
      let element = this.drawn.get(b);
      if (!element) {
        element = this.newBlock(b);
        if (previous) previous.after(element);
        else this.blocks.prepend(element);
      }
      previous = element;
      if (element.start === this.starts[b] && !redraw(b)) continue;
      this.drawBlock(element, b);
      changed = true;
    }
    const resized = changed && this.measure();
    this.leaveRoom(this.tops[top], this.tops[this.count] - this.tops[bottom + 1]);
    this.keepPlace();
    return resized;
  }

  /**
   * Draw a block. If its line continues in the next block, its last row belongs to that one: the block ends where that row
   * begins, and no row ends before the text reaches its end.
   * @param {Block} element
   * @param {number} b
   */
  drawBlock(element, b) {
    const { cuts, starts } = this;
    const start = starts[b];
    const rows = this.goesOn(b + 1) ? this.rowsOf(b) : "";
    element.start = start;
    if (rows !== null && rows === element.rows) return this.fill(element, start, starts[b + 1]);
    element.rows = rows;
    this.fill(element, start, cuts[b + 1]);
    if (this.goesOn(b + 1)) {
      const end = this.rowEnd(element, b);
      // Later blocks don't begin before this one ends.
      for (let next = b + 1; next === b + 1 || starts[next] < end; next++) starts[next] = end;
      if (end < cuts[b + 1]) this.fill(element, start, end);
    }
    element.style.display = starts[b + 1] > start ? "" : "none";
  }

  /**
   * What says where the rows of a block end, so that a step that changes nothing of it needs no second look: the width of
   * the text, the block's start, and the bytes at which characters are cut, because cut ones have boxes. Null if other
   * steps can change the width of its tokens: the letters of Arabic, or ids, do.
   * @param {number} b
   */
  rowsOf(b) {
    const { cuts, gaps, starts, step, text } = this;
    if (this.showsIds || !keepsWidth(this.decoder.decode(text.subarray(starts[b], cuts[b + 1])))) return null;
    const cutCharacters = [];
    for (let i = starts[b]; i < cuts[b + 1]; i++) {
      if (this.isInLongWord(i)) return null; // its tokens say where rows end
      if (isContinuation(text[i + 1]) && gaps[i] >= step) cutCharacters.push(i);
    }
    return [this.layouts, starts[b], ...cutCharacters].join(" ");
  }

  /**
   * Whether the letters without a space around a byte have no room in one row.
   * @param {number} offset
   */
  isInLongWord(offset) {
    const { columns, text } = this;
    let first = offset;
    let end = offset;
    let room = columns - 2; // the end of a row stays free
    while (first > 0 && text[first - 1] > BLANK && room >= 0) room -= columnsOfByte(text[--first]);
    while (text[end] > BLANK && room >= 0) room -= columnsOfByte(text[end++]);
    return room < 0;
  }

  /**
   * Where a block that is drawn up to its cut has to end.
   * @param {Block} element
   * @param {number} b
   */
  rowEnd(element, b) {
    const cut = this.cuts[b + 1];
    const { start } = element;
    element.style.display = "";
    const row = startOfLastRow(this.lineOf(element), start) ?? cut;
    return row === start && cut - start > MOST_BYTES_IN_ROW ? cut : row;
  }

  /**
   * The element with the cells of a block; subclasses override this.
   * @param {HTMLElement} block
   * @returns {Element}
   */
  lineOf(block) {
    return block;
  }

  /**
   * Leave room for the blocks that are not drawn. Writing the same height would make the browser lay out again.
   * @param {number} above
   * @param {number} below
   */
  leaveRoom(above, below) {
    if (above !== this.room.above) this.above.style.height = `${above}px`;
    if (below !== this.room.below) this.below.style.height = `${below}px`;
    this.room = { above, below };
  }

  // Note the place that the person scrolled to: a block, and how much of it is above the view. The place stays the
  // same when merges or another width make lines longer or shorter.
  scrolled() {
    const { scrollTop } = this.scroller;
    if (this.count && Math.abs(scrollTop - this.placedAt) >= 1) {
      const block = this.blockAt(scrollTop);
      this.anchor = { block, share: (scrollTop - this.tops[block]) / this.heights[block] };
      this.placedAt = scrollTop;
      this.onScroll?.(...this.placeNow());
    }
    this.draw(this.step);
  }

  /**
   * The place as a byte and how much of its block is above the view; also valid for another run on the text.
   * @returns {[offset: number, share: number]}
   */
  placeNow() {
    const { block, share } = this.anchor;
    return [this.cuts[block], share];
  }

  /**
   * @param {number} offset
   * @param {number} share
   */
  place(offset, share) {
    this.anchor = { block: upperBound(this.cuts, offset) - 1, share };
    this.keepPlace();
    this.draw(this.step);
  }

  keepPlace() {
    const { block, share } = this.anchor;
    this.placedAt = this.tops[block] + share * this.heights[block];
    if (Math.abs(this.scroller.scrollTop - this.placedAt) >= 1) {
      this.scroller.scrollTop = this.placedAt;
      this.placedAt = this.scroller.scrollTop; // it may be less at the end of the text
    }
  }

  /** @param {number} b */
  newBlock(b) {
    /** @type {Block} */
    const element = Object.assign(create("div", "block"), { start: -1, rows: null });
    element.dir = this.direction(b);
    this.drawn.set(b, element);
    return element;
  }

  /**
   * The direction of a block, which is that of its line; a line without a letter has that of the line before.
   * @param {number} b
   */
  direction(b) {
    for (let line = 0; line < 4 && b >= 0; line++, b--) {
      let end = b + 1;
      while (this.goesOn(end)) end++;
      while (this.goesOn(b)) b--;
      const direction = this.directionOfLine(b, end);
      if (direction) return direction;
    }
    return "ltr";
  }

  /**
   * The direction of the first letter in so many blocks.
   * @param {number} first
   * @param {number} end
   */
  directionOfLine(first, end) {
    for (let b = first; b < end; b++) {
      const direction = directionOfBytes(this.text.subarray(this.cuts[b], this.cuts[b + 1]));
      if (direction) return direction;
    }
    return null;
  }

  /**
   * Whether a gap of the block, of its last row, or of a token that reaches into it, has a rank from `from` to `to`; for
   * very long tokens always true.
   * @param {number} b
   * @param {number} from
   * @param {number} to
   */
  changesIn(b, from, to) {
    const { gaps, rival } = this;
    const start = this.reachStart(this.starts[b]);
    const end = this.reachEnd(this.cuts[b + 1] - 1);
    if (this.starts[b] - start >= REACH || end - this.cuts[b + 1] >= REACH - 1) return true;
    for (let i = start; i <= end; i++) {
      if (gaps[i] >= from && gaps[i] <= to) return true;
      if (rival && rival.gaps[i] >= from && rival.gaps[i] <= to) return true;
    }
    return false;
  }

  /** @param {number} i */
  reachStart(i) {
    const stop = Math.max(0, i - REACH);
    while (i > stop && this.gaps[i - 1] < NEVER) i--;
    return i;
  }

  /** @param {number} i */
  reachEnd(i) {
    const stop = Math.min(this.gaps.length - 1, i + REACH);
    while (i < stop && this.gaps[i] < NEVER) i++;
    return i;
  }

  // Replace estimated heights by real ones; return whether any changed.
  measure() {
    let different = false;
    for (const [b, element] of this.drawn) {
      const height = element.offsetHeight;
      const empty = this.starts[b] === this.starts[b + 1];
      if (height === this.heights[b] || (height === 0 && !empty)) continue;
      this.heights[b] = height;
      different = true;
    }
    if (different) this.sumHeights();
    return different;
  }

  /**
   * Draw the cells of some bytes.
   * @param {HTMLElement} element
   * @param {number} start
   * @param {number} end
   */
  fill(element, start, end) {
    const { gaps, step, text } = this;
    const fragment = document.createDocumentFragment();
    let tokenStart = start;
    while (tokenStart > 0 && gaps[tokenStart - 1] < step) tokenStart--;
    let afterNext = tokenStart > 0 && gaps[tokenStart - 1] === step;
    /** @type {HTMLElement | null} */
    let group = null; // the box around cells that share characters
    let groupStart = start;
    let before = ""; // the characters of the cell before
    while (tokenStart < end) {
      let tokenEnd = tokenStart;
      let latest = -1; // the highest rank inside: the merge that made the token
      while (gaps[tokenEnd] < step) latest = Math.max(latest, gaps[tokenEnd++]);
      const gapAfter = gaps[tokenEnd];
      tokenEnd++;
      const span = this.span(tokenStart, tokenEnd, start, end, gapAfter === SKIPPED ? null : latest);
      if (gapAfter === step) span.classList.add("left");
      if (afterNext) span.classList.add("right");
      if (gapAfter === WALL && tokenEnd <= end) span.classList.add("wall");
      if (this.rival && tokenEnd <= end && this.rival.gaps[tokenEnd - 1] < this.rival.step)
        span.classList.add("only");
      this.decorate(span, tokenStart);
      afterNext = gapAfter === step;
      const cutAfter = isContinuation(text[tokenEnd]);
      if (!group && (cutAfter || isContinuation(text[tokenStart]) || this.isBoxed(span))) {
        group = create("span");
        groupStart = Math.max(start, tokenStart);
        fragment.append(group);
      }
      const id =
        this.showsIds && tokenEnd <= end
          ? this.idOf?.({ start: tokenStart, end: tokenEnd, latest })
          : undefined;
      const shown = id === undefined ? span : withId(span, String(id));
      (group ?? fragment).append(
        ...(group ? [shown] : breakBefore(shown, before, this.isInLongWord(tokenStart))),
      );
      before = span.textContent ?? "";
      if (group && (!cutAfter || tokenEnd >= end)) {
        this.nameGroup(group, groupStart, Math.min(end, tokenEnd));
        group = null;
      }
      tokenStart = tokenEnd;
    }
    element.replaceChildren(fragment);
    this.onFill(element);
  }

  /**
   * Note which characters the cells of a group form; the style sheet shows them.
   * @param {HTMLElement} group
   * @param {number} start
   * @param {number} end
   */
  nameGroup(group, start, end) {
    const characters = this.decoder.decode(this.text.subarray(start, end));
    group.className = "char";
    group.dataset.char = nameOfUnseen(characters);
    if (RIGHT_TO_LEFT.test(characters)) runRightToLeft(group);
    else if (FIRST_LETTER.test(characters)) group.dir = "ltr";
  }

  /**
   * Mark the cell of the token that begins at a byte; subclasses override this.
   * @param {HTMLElement} _cell
   * @param {number} _start
   */
  decorate(_cell, _start) {}

  /**
   * Whether a cell of whole characters gets a box with their names; subclasses override this.
   * @param {HTMLElement} _cell
   */
  isBoxed(_cell) {
    return false;
  }

  /**
   * The cell of a token, or of its part in the block; `latest` is null for bytes in no token.
   * @param {number} tokenStart
   * @param {number} tokenEnd
   * @param {number} blockStart
   * @param {number} blockEnd
   * @param {number | null} latest
   * @returns {Cell}
   */
  span(tokenStart, tokenEnd, blockStart, blockEnd, latest) {
    const from = Math.max(tokenStart, blockStart);
    const to = Math.min(tokenEnd, blockEnd);
    const name = latest === null ? "gap" : latest < 0 ? "tok one" : "tok";
    const token = { start: tokenStart, end: tokenEnd, latest };
    const span = /** @type {Cell} */ (Object.assign(create("span", name), { token }));
    if (latest !== null && this.tinted)
      span.style.setProperty("--hue", String(tokenHue(this.text, tokenStart, tokenEnd)));
    if (tokenStart < blockStart) span.classList.add("rest");
    if (latest !== null && latest >= 0 && latest === this.step - 1) span.classList.add("new");
    if (this.picked && this.isPicked(tokenStart, tokenEnd)) span.classList.add("picked");
    const bytes = this.text.subarray(from, to);
    fillCell(span, isWhole(this.text, tokenStart, tokenEnd) ? this.decoder.decode(bytes) : null, bytes);
    return span;
  }

  /**
   * Mark a token, given by one of its places, everywhere; null marks none.
   * @param {Token | null} token
   */
  pick(token) {
    this.picked = token && this.text.slice(token.start, token.end);
    for (const cell of /** @type {Cell[]} */ (findAll(this.blocks, ".tok"))) {
      cell.classList.toggle("picked", this.isPicked(cell.token.start, cell.token.end));
    }
  }

  /**
   * @param {number} start
   * @param {number} end
   */
  isPicked(start, end) {
    if (!this.picked || this.picked.length !== end - start) return false;
    return this.picked.every((byte, i) => byte === this.text[start + i]);
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const cell = /** @type {Cell | null} */ (closest(event, ".tok"));
    const { pressed } = this;
    this.pressed = null; // a screen reader's click has none
    const dragged =
      pressed && Math.hypot(event.clientX - pressed.clientX, event.clientY - pressed.clientY) > 4;
    if (!cell || dragged) return; // dragging selects text
    this.cursor = cell.token.start;
    this.onPick?.(cell.token);
  }

  // Pick the token with the keyboard's focus; return whether there is one.
  pickFocused() {
    const cell = this.focusedCell();
    if (cell) this.onPick?.(cell.token);
    return cell !== null;
  }

  /** @returns {Cell | null} */
  focusedCell() {
    const root = /** @type {ShadowRoot | Document} */ (this.scroller.getRootNode());
    const active = /** @type {Partial<Cell> & Element | null | undefined} */ (root.activeElement);
    return active?.token && this.blocks.contains(active) ? /** @type {Cell} */ (active) : null;
  }

  /**
   * Move the keyboard's focus to the token after (1) or before (-1), or to the first in view if the current one is
   * out of view.
   * @param {number} by
   */
  moveCursor(by) {
    if (this.count === 0) return;
    const view = this.bytesInView() ?? { from: this.starts[this.anchor.block], to: 0 };
    const { cursor } = this;
    const here = cursor !== null && (this.focusedCell() || (cursor >= view.from && cursor < view.to));
    const token = here ? this.neighbour(this.tokenAt(cursor), by) : this.tokenOnOrAfter(view.from);
    const { start } = token ?? this.tokenAt(here ? cursor : view.from);
    this.cursor = start;
    const cell = this.cellAt(start) ?? this.reveal(start);
    if (!cell) return; // every byte of the text is dropped
    this.focusCell(cell);
    cell.scrollIntoView({ block: "nearest" });
    this.scrolled();
  }

  /**
   * @param {Token} token
   * @param {number} by
   */
  neighbour(token, by) {
    return by > 0 ? this.tokenOnOrAfter(token.end) : this.tokenOnOrBefore(token.start - 1);
  }

  /** @param {number} offset */
  tokenOnOrAfter(offset) {
    while (this.gaps[offset] === SKIPPED) offset++;
    return offset < this.gaps.length ? this.tokenAt(offset) : null;
  }

  /** @param {number} offset */
  tokenOnOrBefore(offset) {
    while (this.gaps[offset] === SKIPPED) offset--;
    return offset >= 0 ? this.tokenAt(offset) : null;
  }

  /** @param {Cell} cell */
  focusCell(cell) {
    cell.tabIndex = -1;
    cell.setAttribute("role", "button");
    cell.setAttribute("aria-describedby", this.tipId);
    cell.focus({ preventScroll: true });
  }

  // Move the focus from a token to the text as a whole.
  leaveToken() {
    this.cursor = null;
    this.scroller.focus({ preventScroll: true });
  }

  /**
   * Keep the focus on the token at the same byte after its cell was drawn again. If the person scrolls it out of
   * sight, the focus goes to the text as a whole.
   * @param {number} cursor
   * @param {boolean} follow
   */
  holdFocus(cursor, follow) {
    const cell = this.cellAt(cursor) ?? (follow ? this.reveal(cursor) : undefined);
    if (!cell || !(follow || this.isInView(cell))) return this.leaveToken();
    if (cell !== this.focusedCell()) this.focusCell(cell);
    if (follow) this.scrollTo(cell);
  }

  /**
   * Scroll the text, not the page, just enough to show a cell.
   * @param {Cell} cell
   */
  scrollTo(cell) {
    const { top } = this.scroller.getBoundingClientRect();
    const box = cell.getBoundingClientRect();
    const above = Math.min(0, box.top - top);
    const below = Math.max(0, box.bottom - top - this.scroller.clientHeight);
    if (!above && !below) return;
    this.scroller.scrollTop += above || below;
    this.scrolled();
  }

  // The top and bottom of the scroller's visible part in the window.
  viewEdges() {
    const { top } = this.scroller.getBoundingClientRect();
    return { top: Math.max(0, top), bottom: Math.min(innerHeight, top + this.scroller.clientHeight) };
  }

  /** @param {Element} element */
  isInView(element) {
    const { top, bottom } = this.viewEdges();
    const box = element.getBoundingClientRect();
    return box.bottom > top && box.top < bottom;
  }

  /**
   * The bytes of the visible tokens; null if there are none.
   * @returns {{ from: number, to: number } | null}
   */
  bytesInView() {
    const { top, bottom } = this.viewEdges();
    // A line counts if half of it shows; of a token or block of several lines, as much.
    /** @param {Element} element */
    const seen = (element) => {
      const box = element.getBoundingClientRect();
      return (
        Math.min(box.bottom, bottom) - Math.max(box.top, top) >= Math.min(box.height, this.lineHeight / 2) / 2
      );
    };
    if (bottom <= top) return null;
    const blocks = [...this.drawn].sort(([a], [b]) => a - b).filter(([, block]) => seen(block));
    if (blocks.length === 0) return null;
    const [first, firstBlock] = blocks[0];
    const [last, lastBlock] = blocks[blocks.length - 1];
    const from = cellsOf(firstBlock).find(seen)?.token.start ?? this.starts[first];
    const to = cellsOf(lastBlock).findLast(seen)?.token.end ?? this.starts[last + 1];
    return { from, to };
  }

  // The step after the next merge that changes something in view, or before the latest one that did; null if there
  // is none. The gap before the first token in view counts: closing it changes that token.
  stepOfNextChange() {
    let next = NEVER;
    for (const rank of this.gapsInView()) if (rank >= this.step && rank < next) next = rank;
    return next < NEVER ? next + 1 : null;
  }

  stepOfLatestChange() {
    let latest = -1;
    for (const rank of this.gapsInView()) if (rank < this.step && rank > latest) latest = rank;
    return latest >= 0 ? latest : null;
  }

  gapsInView() {
    const view = this.bytesInView();
    return view ? this.gaps.subarray(Math.max(0, view.from - 1), view.to) : [];
  }

  /**
   * The token at a byte at the step on show: its bytes from start to end, and the merge that made it.
   * @param {number} offset
   */
  tokenAt(offset) {
    return tokenAround(this.gaps, this.step, offset);
  }

  /**
   * Scroll to the token at a byte and return its cell.
   * @param {number} offset
   * @returns {Cell | undefined}
   */
  reveal(offset) {
    const held = this.focusedCell() !== null;
    this.cursor = offset;
    // Once the blocks are drawn, the byte may belong to the next one, which may be out of view.
    for (let tries = 0; tries < 2; tries++) {
      this.anchor = { block: upperBound(this.starts, offset) - 1, share: 0 };
      this.keepPlace();
      this.draw(this.step);
      if (this.cellAt(offset)) break;
    }
    this.cellAt(offset)?.scrollIntoView({ block: "nearest" });
    this.scrolled();
    const cell = this.cellAt(offset);
    if (held && cell) this.focusCell(cell); // the keyboard's focus comes along
    return cell;
  }

  /**
   * The cell that shows a byte, if it is drawn.
   * @param {number} offset
   * @returns {Cell | undefined}
   */
  cellAt(offset) {
    const b = upperBound(this.starts, offset) - 1;
    const block = this.drawn.get(b);
    const cells = /** @type {Cell[]} */ (block?.start === this.starts[b] ? findAll(block, ".tok") : []);
    return cells.find(({ token }) => token.start <= offset && offset < token.end);
  }
}

/**
 * Give a group the direction of its characters: as a box it has none in its line.
 * @param {HTMLElement} group
 */
function runRightToLeft(group) {
  const run = create("span", "run");
  group.dir = "rtl";
  group.replaceWith(run);
  run.append(group);
}

/**
 * How many letters wide a character is, by its first byte; its other bytes count nothing.
 * @param {number} byte
 */
const columnsOfByte = (byte) => (isContinuation(byte) ? 0 : byte < FIRST_OF_WIDE ? 1 : 2);

/** @param {HTMLElement} block */
const cellsOf = (block) => /** @type {Cell[]} */ (findAll(block, ".tok, .gap"));

/**
 * Where blocks begin: after each newline, and in a long line where a token can end, never inside a character; and
 * the end of the text.
 * @param {Uint8Array} text
 * @param {Int32Array} gaps
 */
export function blockStarts(text, gaps) {
  const starts = [0];
  let start = 0;
  while (start < text.length) {
    const newline = text.indexOf(NEWLINE, start);
    const lineEnd = newline < 0 ? text.length : newline + 1;
    start = lineEnd - start <= BLOCK_BYTES ? lineEnd : cutOfLongLine(text, gaps, start, lineEnd);
    if (start < text.length) starts.push(start);
  }
  starts.push(text.length);
  return Int32Array.from(starts);
}

/**
 * Where to end a block that begins a long line.
 * @param {Uint8Array} text
 * @param {Int32Array} gaps
 * @param {number} start
 * @param {number} lineEnd
 */
function cutOfLongLine(text, gaps, start, lineEnd) {
  let end = start; // the last good place
  for (let next = start + 1; next < lineEnd; next++) {
    const full = next - start >= BLOCK_BYTES;
    if (!isContinuation(text[next]) && (full || gaps[next - 1] >= NEVER)) end = next;
    if (full && end > start) return end;
  }
  return lineEnd;
}
