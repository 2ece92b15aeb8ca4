// The text with its token boundaries at one step, for texts of megabytes: only the blocks in view exist,
// and only those in which a gap changed are drawn again. A block is a line, or a piece of a long one.

const BLOCK_BYTES = 1200;
const REACH = 4096; // how far beyond a block's ends a token is followed
const OVERSCAN = 100; // pixels drawn above and below the view
const NEWLINE = 10;

class TextView {
  constructor(root) {
    this.scroller = root.querySelector(".text");
    this.options = new TextOptions(this.scroller.closest(".bpeviz"));
    this.above = root.querySelector(".above");
    this.blocks = root.querySelector(".blocks");
    this.below = root.querySelector(".below");
    this.decoder = new TextDecoder("utf-8", { ignoreBOM: true }); // a byte-order mark is a token's text too
    this.scroller.addEventListener("scroll", () => this.scrolled(), { passive: true });
    this.resizeObserver = new ResizeObserver(() => this.layOut());
    this.resizeObserver.observe(this.scroller);
    this.rival = null; // the gap ranks of another run on the text, and its step: what only this one cuts is marked
    this.picked = null; // { bytes } of the token to mark wherever it stands
    this.cursor = null; // a byte of the token that the keyboard is at
    this.redrawing = false;
    this.scroller.addEventListener("pointerdown", (event) => {
      this.pressed = event;
    });
    this.scroller.addEventListener("click", (event) => this.clicked(event));
  }

  stop() {
    this.options.stop();
    this.resizeObserver.disconnect();
  }

  load(pack, step) {
    this.text = pack.text;
    this.gaps = pack.gaps;
    this.starts = this.cut();
    this.step = step;
    this.picked = this.cursor = null;
    this.drawn = new Map(); // block number -> its element
    this.blocks.replaceChildren();
    this.anchor = { block: 0, share: 0 };
    this.layOut();
  }

  // Where blocks begin: after each newline; in a long line where a token can end, never inside a character.
  cut() {
    const { text, gaps } = this;
    const starts = [0];
    let start = 0;
    let end = 0; // the last good place to cut a long line
    for (let i = 0; i < text.length; i++) {
      const next = i + 1;
      if (!isContinuation(text[next] ?? 0) && (gaps[i] >= NEVER || next - start >= BLOCK_BYTES)) end = next;
      if (text[i] === NEWLINE) end = next;
      else if (next - start < BLOCK_BYTES || end <= start) continue;
      start = end;
      if (start < text.length) starts.push(start);
    }
    starts.push(text.length);
    return Int32Array.from(starts);
  }

  get count() {
    return this.text.length ? this.starts.length - 1 : 0;
  }

  // Estimate every height anew for the present width; those drawn are measured.
  layOut() {
    if (!this.text) return;
    const style = getComputedStyle(this.scroller);
    this.lineHeight = parseFloat(style.lineHeight) || 30;
    const columns = Math.max(10, (this.scroller.clientWidth || 600) / (parseFloat(style.fontSize) * 0.602));
    this.heights = new Float64Array(this.count);
    for (let b = 0; b < this.count; b++) {
      const bytes = this.starts[b + 1] - this.starts[b];
      this.heights[b] = Math.max(1, Math.ceil(bytes / columns)) * this.lineHeight;
    }
    this.sumHeights();
    this.draw(this.step, true);
  }

  sumHeights() {
    this.tops = new Float64Array(this.count + 1);
    for (let b = 0; b < this.count; b++) this.tops[b + 1] = this.tops[b] + this.heights[b];
  }

  blockAt(y) {
    let low = 0;
    let high = this.count - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.tops[middle] <= y) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  draw(step, all = false) {
    if (!this.text) return;
    const moved = step !== this.step;
    const from = Math.min(this.step, step) - 1;
    const to = Math.max(this.step, step);
    this.step = step;
    if (this.count === 0) {
      this.above.style.height = this.below.style.height = "0";
      return;
    }
    const held = this.focusedCell() !== null;
    this.redrawing = true;
    // Blocks may turn out shorter than estimated and leave room for more; a few rounds fill any view.
    for (let round = 0; round < 5; round++) {
      const redraw = (b) => round === 0 && (all || (moved && this.changesIn(b, from, to)));
      if (!this.drawView(redraw)) break;
    }
    if (held) this.holdFocus(all || moved);
    this.redrawing = false;
  }

  // Draw the blocks in view that are new or to be redrawn; whether heights changed by it.
  drawView(redraw) {
    const view = this.scroller.clientHeight || 460;
    const first = this.blockAt(this.scroller.scrollTop - OVERSCAN);
    const last = this.blockAt(this.scroller.scrollTop + view + OVERSCAN);
    for (const [b, element] of this.drawn) {
      if (b < first || b > last) {
        element.remove();
        this.drawn.delete(b);
      }
    }
    let previous = null;
    let changed = false;
    for (let b = first; b <= last; b++) {
      let element = this.drawn.get(b);
      if (!element) {
        element = this.newBlock(b);
        if (previous) previous.after(element);
        else this.blocks.prepend(element);
      } else if (!redraw(b)) {
        previous = element;
        continue;
      }
      this.fill(element, b);
      changed = true;
      previous = element;
    }
    const resized = changed && this.measure();
    this.above.style.height = `${this.tops[first]}px`;
    this.below.style.height = `${this.tops[this.count] - this.tops[last + 1]}px`;
    this.keepPlace();
    return resized;
  }

  // The place in the text that a person scrolled to: a block, and how much of it is above the view. It stays
  // when merges or another width make lines longer or shorter.
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

  // The place as a byte and how much of its block is above the view: the same in another tokenizer's text.
  placeNow() {
    const { block, share } = this.anchor;
    return [this.starts[block], share];
  }

  place(offset, share) {
    this.anchor = { block: upperBound(this.starts, offset) - 1, share };
    this.keepPlace();
    this.draw(this.step);
  }

  keepPlace() {
    const { block, share } = this.anchor;
    this.placedAt = this.tops[block] + share * this.heights[block];
    if (Math.abs(this.scroller.scrollTop - this.placedAt) >= 1) {
      this.scroller.scrollTop = this.placedAt;
      this.placedAt = this.scroller.scrollTop; // which may be cut off at the end of the text
    }
  }

  newBlock(b) {
    const element = document.createElement("div");
    element.className = "block";
    element.dir = this.direction(b);
    this.drawn.set(b, element);
    return element;
  }

  // A line without a letter is written as the one before it.
  direction(b) {
    for (let line = b; line >= Math.max(0, b - 3); line--) {
      const letter = FIRST_LETTER.exec(this.decoder.decode(this.text.subarray(this.starts[line], this.starts[line + 1])));
      if (letter) return RIGHT_TO_LEFT.test(letter[0]) ? "rtl" : "ltr";
    }
    return "ltr";
  }

  // Whether a gap of the block, or of a token that reaches into it, has a rank from `from` to `to`; of a token
  // that reaches very far, it may.
  changesIn(b, from, to) {
    const { gaps, rival } = this;
    const start = this.reachStart(this.starts[b]);
    const end = this.reachEnd(this.starts[b + 1] - 1);
    if (this.starts[b] - start >= REACH || end - this.starts[b + 1] >= REACH - 1) return true;
    for (let i = start; i <= end; i++) {
      if (gaps[i] >= from && gaps[i] <= to) return true;
      if (rival && rival.gaps[i] >= from && rival.gaps[i] <= to) return true;
    }
    return false;
  }

  reachStart(i) {
    const stop = Math.max(0, i - REACH);
    while (i > stop && this.gaps[i - 1] < NEVER) i--;
    return i;
  }

  reachEnd(i) {
    const stop = Math.min(this.gaps.length - 1, i + REACH);
    while (i < stop && this.gaps[i] < NEVER) i++;
    return i;
  }

  // Replace estimated heights by real ones; whether any was different.
  measure() {
    let different = false;
    for (const [b, element] of this.drawn) {
      const height = element.offsetHeight;
      if (height === this.heights[b] || height === 0) continue;
      this.heights[b] = height;
      different = true;
    }
    if (different) this.sumHeights();
    return different;
  }

  fill(element, b) {
    const { gaps, step, text } = this;
    const start = this.starts[b];
    const end = this.starts[b + 1];
    const fragment = document.createDocumentFragment();
    let tokenStart = start;
    while (tokenStart > 0 && gaps[tokenStart - 1] < step) tokenStart--;
    let afterNext = this.endsWithNext(tokenStart - 1);
    let group = null; // around the cells that have to be read together, as characters
    let groupStart = start;
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
      if (this.rival && tokenEnd <= end && this.rival.gaps[tokenEnd - 1] < this.rival.step) span.classList.add("only");
      this.decorate?.(span, tokenStart);
      afterNext = gapAfter === step;
      const cutAfter = isContinuation(text[tokenEnd] ?? 0);
      if (!group && (cutAfter || isContinuation(text[tokenStart]))) {
        group = document.createElement("span");
        groupStart = Math.max(start, tokenStart);
        fragment.append(group);
      }
      (group ?? fragment).append(span);
      if (group && (!cutAfter || tokenEnd >= end)) {
        this.nameGroup(group, groupStart, Math.min(end, tokenEnd));
        group = null;
      }
      tokenStart = tokenEnd;
    }
    element.replaceChildren(fragment);
  }

  // Say which characters the cells of a group make up; the style sheet shows it.
  nameGroup(group, start, end) {
    const characters = this.decoder.decode(this.text.subarray(start, end));
    group.className = "char";
    group.dataset.char = nameOfUnseen(characters);
    if (RIGHT_TO_LEFT.test(characters)) runRightToLeft(group);
    else if (FIRST_LETTER.test(characters)) group.dir = "ltr";
  }

  endsWithNext(i) {
    return i >= 0 && this.gaps[i] === this.step;
  }

  // One token, or the part of it that lies in the block; latest is null where no token is.
  span(tokenStart, tokenEnd, blockStart, blockEnd, latest) {
    const span = document.createElement("span");
    span.token = { start: tokenStart, end: tokenEnd, latest };
    const from = Math.max(tokenStart, blockStart);
    const to = Math.min(tokenEnd, blockEnd);
    span.className = latest === null ? "gap" : latest < 0 ? "tok one" : "tok";
    if (latest !== null) span.style.setProperty("--hue", this.hue(tokenStart, tokenEnd));
    if (tokenStart < blockStart) span.classList.add("rest");
    if (latest !== null && latest >= 0 && latest === this.step - 1) span.classList.add("new");
    if (this.picked && this.isPicked(tokenStart, tokenEnd)) span.classList.add("picked");
    const whole = !isContinuation(this.text[tokenStart]) && !isContinuation(this.text[tokenEnd] ?? 0);
    const shown = whole ? this.decoder.decode(this.text.subarray(from, to)) : null;
    if (shown === null || UNSEEN.test(shown) || ONLY_JOINERS.test(shown)) {
      span.classList.add("hex");
      span.textContent = Array.from(this.text.subarray(from, to), hexByte).join(" ");
    } else {
      appendVisible(span, shown);
      if (STARTS_WITH_MARK.test(shown)) span.classList.add("mark", RIGHT_TO_LEFT.test(shown) ? "rtl" : "ltr");
      else if (JOINS_BEFORE.test(shown)) span.classList.add("apart");
    }
    return span;
  }

  // Mark a token, given as its place in the text, wherever it stands; null marks none.
  pick(token) {
    this.picked = token && { bytes: this.text.slice(token.start, token.end) };
    for (const cell of this.blocks.querySelectorAll(".tok")) {
      cell.classList.toggle("picked", this.isPicked(cell.token.start, cell.token.end));
    }
  }

  isPicked(start, end) {
    if (!this.picked || this.picked.bytes.length !== end - start) return false;
    return this.picked.bytes.every((byte, i) => byte === this.text[start + i]);
  }

  clicked(event) {
    const cell = event.target.closest?.(".tok");
    const { pressed } = this;
    this.pressed = null; // a click made by a screen reader has none
    const dragged = pressed && Math.hypot(event.clientX - pressed.clientX, event.clientY - pressed.clientY) > 4;
    if (!cell || dragged) return; // which was to select text
    this.cursor = cell.token.start;
    this.onPick?.(cell.token);
  }

  // Pick the token that has the keyboard's focus; whether one has.
  pickFocused() {
    const cell = this.focusedCell();
    if (cell) this.onPick?.(cell.token);
    return cell !== null;
  }

  focusedCell() {
    const active = this.scroller.getRootNode().activeElement;
    return active?.token && this.blocks.contains(active) ? active : null;
  }

  // Give the keyboard's focus to the token after (1) or before (-1) the one it was at, while that is in view;
  // else to the first in view.
  moveCursor(by) {
    if (this.count === 0) return;
    const view = this.bytesInView() ?? { from: this.starts[this.anchor.block], to: 0 };
    const here = this.cursor !== null && (this.focusedCell() || (this.cursor >= view.from && this.cursor < view.to));
    const token = here ? this.neighbour(this.tokenAt(this.cursor), by) : this.tokenOnOrAfter(view.from);
    this.cursor = (token ?? this.tokenAt(here ? this.cursor : view.from)).start;
    const cell = this.cellAt(this.cursor) ?? this.reveal(this.cursor);
    this.focusCell(cell);
    cell.scrollIntoView({ block: "nearest" });
    this.scrolled();
  }

  neighbour(token, by) {
    return by > 0 ? this.tokenOnOrAfter(token.end) : this.tokenOnOrBefore(token.start - 1);
  }

  tokenOnOrAfter(offset) {
    while (this.gaps[offset] === SKIPPED) offset++;
    return offset < this.gaps.length ? this.tokenAt(offset) : null;
  }

  tokenOnOrBefore(offset) {
    while (this.gaps[offset] === SKIPPED) offset--;
    return offset >= 0 ? this.tokenAt(offset) : null;
  }

  focusCell(cell) {
    cell.tabIndex = -1;
    cell.setAttribute("role", "button");
    cell.setAttribute("aria-describedby", this.tipId);
    cell.focus({ preventScroll: true });
  }

  // Back from a token to the text as a whole.
  leaveToken() {
    this.cursor = null;
    this.scroller.focus({ preventScroll: true });
  }

  // The focus was on a token whose cell may have been drawn anew: it stays on the token that holds the same
  // byte. Only where the person scrolls that out of sight does it go to the text as a whole.
  holdFocus(follow) {
    const cell = this.cellAt(this.cursor);
    if (!cell && !follow) return this.leaveToken();
    if (cell !== this.focusedCell()) this.focusCell(cell ?? this.reveal(this.cursor));
    if (follow) this.scrollTo(this.focusedCell());
  }

  // Scroll the text, not the page, as little as shows a cell.
  scrollTo(cell) {
    const { top } = this.scroller.getBoundingClientRect();
    const box = cell.getBoundingClientRect();
    const above = Math.min(0, box.top - top);
    const below = Math.max(0, box.bottom - top - this.scroller.clientHeight);
    if (!above && !below) return;
    this.scroller.scrollTop += above || below;
    this.scrolled();
  }

  // Where the scroller's view begins and ends in the window.
  viewEdges() {
    const { top } = this.scroller.getBoundingClientRect();
    return { top: Math.max(0, top), bottom: Math.min(innerHeight, top + this.scroller.clientHeight) };
  }

  // The bytes of the tokens that a person sees, in the scroller's view and the window's; null if none.
  bytesInView() {
    const { top, bottom } = this.viewEdges();
    // A line counts if half of it shows; of a token or block of several lines, as much.
    const seen = (element) => {
      const box = element.getBoundingClientRect();
      return Math.min(box.bottom, bottom) - Math.max(box.top, top) >= Math.min(box.height, this.lineHeight / 2) / 2;
    };
    if (bottom <= top) return null;
    const blocks = [...this.drawn].sort(([a], [b]) => a - b).filter(([, block]) => seen(block));
    if (blocks.length === 0) return null;
    const [[first, firstBlock], [last, lastBlock]] = [blocks[0], blocks[blocks.length - 1]];
    const from = cellsOf(firstBlock).find(seen)?.token.start ?? this.starts[first];
    const to = cellsOf(lastBlock).findLast(seen)?.token.end ?? this.starts[last + 1];
    return { from, to };
  }

  // The step after the next merge that changes what a person sees, or that before the latest one that did;
  // null if no merge did or does. The gap before the first token in view counts: closing it changes that token.
  stepOfNextChange() {
    let next = NEVER;
    this.forGapsInView((rank) => {
      if (rank >= this.step && rank < next) next = rank;
    });
    return next < NEVER ? next + 1 : null;
  }

  stepOfLatestChange() {
    let latest = -1;
    this.forGapsInView((rank) => {
      if (rank < this.step && rank > latest) latest = rank;
    });
    return latest >= 0 ? latest : null;
  }

  forGapsInView(visit) {
    const view = this.bytesInView();
    if (!view) return;
    for (let i = Math.max(0, view.from - 1); i < view.to; i++) visit(this.gaps[i]);
  }

  // The token that holds a byte, at the step on show: its bytes from start to end, and the merge that made it.
  tokenAt(offset) {
    const { gaps, step } = this;
    let start = offset;
    let end = offset;
    let latest = -1;
    while (start > 0 && gaps[start - 1] < step) latest = Math.max(latest, gaps[--start]);
    while (gaps[end] < step) latest = Math.max(latest, gaps[end++]);
    return { start, end: end + 1, latest };
  }

  // Scroll to the token that holds a byte and give its cell.
  reveal(offset) {
    const block = upperBound(this.starts, offset) - 1;
    this.anchor = { block, share: 0 };
    this.placedAt = null;
    this.keepPlace();
    const held = this.focusedCell() !== null;
    this.cursor = offset;
    this.draw(this.step);
    this.cellAt(offset)?.scrollIntoView({ block: "nearest" });
    this.scrolled();
    const cell = this.cellAt(offset);
    if (held && cell) this.focusCell(cell); // the keyboard's focus comes along
    return cell;
  }

  // The cell that shows a byte, where it is drawn.
  cellAt(offset) {
    const block = this.drawn.get(upperBound(this.starts, offset) - 1);
    return Array.from(block?.querySelectorAll(".tok") ?? []).find(({ token }) => token.start <= offset && offset < token.end);
  }

  // The same bytes have the same colour in every text and tokenizer (FNV-1a of the first ones and the length).
  hue(start, end) {
    let hash = 0x811c9dc5 ^ (end - start);
    for (let i = start; i < Math.min(end, start + REACH); i++) hash = Math.imul(hash ^ this.text[i], 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    return ((hash ^ (hash >>> 13)) >>> 0) % 360;
  }
}

// How many of the ascending numbers are not above x.
function upperBound(numbers, x) {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low;
}

// A group is a box and has no direction among the words of its line; this gives it that of its characters.
function runRightToLeft(group) {
  const run = document.createElement("span");
  run.className = "run";
  group.dir = "rtl";
  group.replaceWith(run);
  run.append(group);
}

const cellsOf = (block) => [...block.querySelectorAll(".tok, .gap")];
