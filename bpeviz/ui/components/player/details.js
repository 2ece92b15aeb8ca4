// What a token is, for the one under the pointer or with the keyboard's focus: its text, bytes and id, the merge
// that made it, and how often it stands in the text now. Everything is read off the pack; nothing is asked of
// the server.

const BYTES_SHOWN = 24;
const CHARACTERS_SHOWN = 40;

let tipsMade = 0; // two texts in one player have a tip each

class Details {
  constructor(root, view) {
    this.view = view;
    this.tip = root.querySelector(".tip");
    this.tip.id = view.tipId = `token-details-${++tipsMade}`;
    this.shown = null; // the cell that the tip is of
    this.pointer = null; // where the pointer was last
    const { scroller } = view;
    scroller.addEventListener("pointermove", (event) => this.pointed(event));
    scroller.addEventListener("pointerleave", () => this.showFocused());
    scroller.addEventListener("focusin", () => this.showFocused());
    scroller.addEventListener("focusout", () => view.redrawing || this.hide());
    this.onScroll = () => this.showFocused();
    // Of the text or of the page: the tip is placed in the window.
    addEventListener("scroll", this.onScroll, { passive: true, capture: true });
  }

  stop() {
    removeEventListener("scroll", this.onScroll, { capture: true });
  }

  load(pack) {
    this.pack = pack;
    this.tokenIds = new TokenIds(pack);
    this.hide();
  }

  // After a step: what was under the pointer may not be there any more, what has the focus still has it.
  stepped() {
    this.showFocused();
  }

  hide() {
    this.tip.hidden = true;
    this.shown = null;
  }

  pointed({ clientX, clientY, target }) {
    // A browser also tells of a pointer at rest when what is under it moves; that must not hide other tips.
    if (clientX === this.pointer?.clientX && clientY === this.pointer.clientY) return;
    this.pointer = { clientX, clientY };
    const cell = target.closest?.(".tok");
    if (!cell) return this.showFocused();
    this.fill(cell);
    this.place(clientX + 14, clientY - 10, clientY + 18);
  }

  // The tip of the token with the keyboard's focus, where that is in sight.
  showFocused() {
    const cell = this.view.focusedCell();
    if (!cell) return this.hide(); // asking for places would lay the page out, at every step
    const { top, bottom } = this.view.viewEdges();
    const box = cell.getClientRects()[0];
    if (!box || box.bottom <= top || box.top >= bottom) return this.hide();
    this.fill(cell);
    this.place(box.left, box.top - 8, box.bottom + 8);
  }

  fill(cell) {
    const { step } = this.view;
    if (cell === this.shown && step === this.shownAt) return;
    this.shown = cell;
    this.shownAt = step;
    this.tip.replaceChildren(...this.lines(cell.token));
    this.tip.hidden = false;
  }

  // Below a place in the window, or above it where there is no room.
  place(left, above, below) {
    const { width, height } = this.tip.getBoundingClientRect();
    this.tip.style.left = `${Math.max(4, Math.min(left, innerWidth - width - 8))}px`;
    this.tip.style.top = `${below + height < innerHeight ? below : above - height}px`;
  }

  lines(token) {
    const { pack } = this;
    const bytes = pack.text.subarray(token.start, token.end);
    const hex = Array.from(bytes.subarray(0, BYTES_SHOWN), hexByte).join(" ");
    const id = this.tokenIds.of(token);
    const count = `${this.count(token).toLocaleString("en")} in the text now`;
    const name = id === undefined ? this.spelling(token) : pack.labels[id];
    const lines = name === null ? [] : [tipLine("token ", name)];
    lines.push(tipLine(`${bytes.length.toLocaleString("en")} ${bytes.length === 1 ? "byte" : "bytes"} `, hex + (bytes.length > BYTES_SHOWN ? " …" : "")));
    lines.push(tipLine(id === undefined ? count : `id ${id}, ${count}`));
    lines.push(this.origin(token));
    return lines;
  }

  // Null for a token that is no whole characters: its bytes say it all.
  spelling({ start, end }) {
    const { text } = this.pack;
    if (isContinuation(text[start]) || isContinuation(text[end] ?? 0)) return null;
    const characters = Array.from(this.view.decoder.decode(text.subarray(start, end)));
    const shown = nameOfUnseen(characters.slice(0, CHARACTERS_SHOWN).join(""));
    return characters.length > CHARACTERS_SHOWN ? `${shown}…` : shown;
  }

  origin({ latest }) {
    const { pack } = this;
    if (latest < 0) return tipLine("in the base vocabulary");
    const merge = `merge ${(latest + 1).toLocaleString("en")} (rank ${latest.toLocaleString("en")})`;
    return tipLine(`${merge}: `, `${pack.labels[pack.lefts[latest]]} + ${pack.labels[pack.rights[latest]]}`);
  }

  // How often the token stands in the text at the step on show.
  count(token) {
    const { gaps, text } = this.pack;
    const { step } = this.view;
    const length = token.end - token.start;
    const last = text[token.end - 1];
    const atWordEnd = gaps[token.end - 1] === WALL;
    let count = 0;
    let start = 0;
    for (let i = 0; i < gaps.length; i++) {
      if (gaps[i] < step) continue;
      const alike = i + 1 - start === length && text[i] === last && gaps[i] !== SKIPPED;
      if (alike && (!this.tokenIds.marksWordEnds || (gaps[i] === WALL) === atWordEnd) && sameBytesAt(text, start, token)) count++;
      start = i + 1;
    }
    return count;
  }
}

function sameBytesAt(text, start, token) {
  for (let i = token.start; i < token.end; i++) if (text[start + i - token.start] !== text[i]) return false;
  return true;
}

function tipLine(text, code) {
  const made = element("div", text);
  if (code !== undefined) made.append(element("code", code));
  return made;
}
