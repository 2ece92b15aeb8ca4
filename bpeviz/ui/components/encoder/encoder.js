// The encoding of a text, merge by merge. Python sends what each distinct pre-token is made of and the ranks of
// the pairs that it ever considers; every step is drawn here from that.

const CHIP_TOKENS = 240; // of a longer pre-token, tokens far from the merge are left out
const LOGGED = 100; // merges listed at once
const STEPS_PER_SECOND = 3;
const STEPS_PER_SECOND_STILL = 1; // for a person who asked for less motion

class Encoder {
  constructor(root) {
    this.root = root;
    this.bench = new Bench(root);
    this.chips = root.querySelector(".chips");
    this.playButton = root.querySelector(".play");
    this.timer = null;
    this.focusByPointer = false;
    for (const button of root.querySelectorAll("[data-go]")) {
      button.addEventListener("click", () => this.command(button.dataset.go));
    }
    this.chips.addEventListener("click", (event) => {
      const chip = event.target.closest?.(".chip");
      if (chip) this.jump(Number(chip.dataset.index), 0);
    });
    root.querySelector(".log tbody").addEventListener("click", (event) => {
      const row = event.target.closest?.("tr");
      if (row) this.jump(Number(row.dataset.index), Number(row.dataset.made));
    });
    this.onKey = (event) => this.key(event);
    this.onPointer = () => {
      this.focusByPointer = true;
    };
    document.addEventListener("keydown", this.onKey);
    document.addEventListener("pointerdown", this.onPointer);
  }

  stop() {
    this.pause();
    lastPlace = { ...lastPlace, index: this.index, made: this.made };
    document.removeEventListener("keydown", this.onKey);
    document.removeEventListener("pointerdown", this.onPointer);
  }

  // Another text or tokenizer begins at the start, unless the person had gone to the end: then it is shown done.
  load(data, serialized) {
    const atEnd = this.pieces?.length > 0 && this.isLast(this.index, this.made);
    this.pause();
    this.known = readTokens(data.tokens);
    this.kinds = data.kinds.map((kind) => ({ ...kind, steps: kind.steps.map(readStep) }));
    this.pieces = data.pieces;
    this.before = [0]; // merges in the pre-tokens before each
    for (const kind of this.pieces) this.before.push(this.before.at(-1) + this.kinds[kind].steps.length);
    this.root.querySelector(".of").textContent = this.before.at(-1).toLocaleString("en");
    const same = lastPlace.serialized === serialized;
    this.index = same ? lastPlace.index : atEnd ? this.pieces.length - 1 : 0;
    this.made = same ? lastPlace.made : atEnd ? this.count(this.index) : 0;
    lastPlace = { serialized, index: this.index, made: this.made };
    this.atWork = null;
    this.drawChips();
    this.show();
  }

  // How many merges a pre-token takes.
  count(index) {
    return this.kinds[this.pieces[index]].steps.length;
  }

  isLast(index, made) {
    return index === this.pieces.length - 1 && made === this.count(index);
  }

  command(name) {
    if (name === "play") return this.timer === null ? this.play() : this.pause();
    const end = this.pieces.length - 1;
    const { index } = this;
    if (name === "first") this.jump(0, 0);
    else if (name === "last") this.jump(end, this.count(end));
    else if (name === "next") this.jump(...this.next());
    else if (name === "back") this.jump(...this.previous());
    else if (name === "pre-token") this.jump(Math.min(end, index + 1), index === end ? this.count(end) : 0);
    else if (name === "pre-token-back") this.jump(this.made > 0 ? index : Math.max(0, index - 1), 0);
  }

  // Each pre-token is seen before its first merge and after its last.
  next() {
    const { index, made } = this;
    if (this.isLast(index, made)) return [index, made];
    return made < this.count(index) ? [index, made + 1] : [index + 1, 0];
  }

  previous() {
    const { index, made } = this;
    if (made > 0) return [index, made - 1];
    return index > 0 ? [index - 1, this.count(index - 1)] : [0, 0];
  }

  jump(index, made) {
    this.pause();
    this.go(index, made);
  }

  go(index, made) {
    this.index = index;
    this.made = made;
    this.show();
  }

  play() {
    if (this.isLast(this.index, this.made)) this.go(0, 0);
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const tick = () => {
      this.go(...this.next());
      if (this.isLast(this.index, this.made)) this.pause();
    };
    this.timer = setInterval(tick, 1000 / (still ? STEPS_PER_SECOND_STILL : STEPS_PER_SECOND));
    this.setPlaying(true);
  }

  pause() {
    if (this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
    this.setPlaying(false);
  }

  setPlaying(playing) {
    this.playButton.textContent = playing ? "❚❚ Pause" : "▶\ufe0e Play";
    this.playButton.setAttribute("aria-label", playing ? "Pause" : "Play");
    this.bench.say.setAttribute("aria-live", playing ? "off" : "polite");
  }

  show() {
    const { index, made } = this;
    const kind = this.kinds[this.pieces[index]];
    if (this.atWork?.index !== index) this.atWork = { index, preToken: new PreToken(kind) };
    const { preToken } = this.atWork;
    preToken.go(made);
    const now = preToken.tokens();
    const where = `Pre-token ${(index + 1).toLocaleString("en")} of ${this.pieces.length.toLocaleString("en")}: `;
    this.bench.show({ kind, now, last: kind.steps[made - 1], next: kind.steps[made], known: this.known, where });
    this.root.querySelector(".so-far").textContent = (this.before[index] + made).toLocaleString("en");
    this.showChips(now);
    this.showLog();
  }

  // A chip for each pre-token, empty until showChips fills it; after a line end the next begins a line.
  drawChips() {
    this.drawn = []; // the merges made in what each chip shows
    this.chips.replaceChildren();
    const fragment = document.createDocumentFragment();
    this.pieces.forEach((kind, index) => {
      const { text, special, line_end: lineEnd } = this.kinds[kind];
      const chip = create("button", special ? "chip special" : "chip");
      chip.type = "button";
      chip.tabIndex = -1; // "," and "." lead from one to the next
      chip.dataset.index = index;
      chip.setAttribute("aria-label", `Pre-token ${index + 1}, ${text}`);
      fragment.append(chip);
      if (lineEnd) fragment.append(create("span", "break"));
    });
    this.chips.dir = directionOf(this.pieces.slice(0, 50).flatMap((kind) => this.symbolsOf(kind)));
    this.chips.append(fragment);
    this.chipList = [...this.chips.querySelectorAll(".chip")];
  }

  symbolsOf(kind) {
    return this.kinds[kind].symbols.slice(0, CHIP_TOKENS).map((id) => this.known.get(id));
  }

  // Those before the one at work are done, those after it wait; only chips that change are drawn again.
  showChips(now) {
    this.chipList.forEach((chip, i) => {
      const made = i < this.index ? this.count(i) : i > this.index ? 0 : this.made;
      if (this.drawn[i] !== made) this.fillChip(chip, i, made, now);
      this.drawn[i] = made;
      chip.classList.toggle("waiting", i > this.index);
      const done = i < this.index || (i === this.index && made === this.count(i));
      chip.classList.toggle("done", done);
      if (i === this.index) chip.setAttribute("aria-current", "step");
      else chip.removeAttribute("aria-current");
    });
    showWithin(this.chips, this.chipList[this.index]);
  }

  // A pre-token before its first merge or after its last looks the same wherever it stands: it is drawn once.
  fillChip(chip, index, made, now) {
    const kind = this.kinds[this.pieces[index]];
    const state = made === 0 ? "first" : made === kind.steps.length ? "final" : null;
    if (!state) return chip.replaceChildren(this.drawChip(kind, now, kind.steps[made]));
    kind[state] ??= this.drawChip(kind, state === "first" ? kind.symbols.map((id) => ({ id })) : finalTokens(kind));
    chip.replaceChildren(kind[state].cloneNode(true));
  }

  // The tokens of a chip; of very many only those about the next merge, with no character cut.
  drawChip(kind, tokens, next) {
    const drawn = document.createDocumentFragment();
    const about = next ? tokens.findIndex(({ start }) => start === next.start) : 0;
    let { from, to } = windowAround(tokens.length, about, CHIP_TOKENS);
    const continues = (i) => i > 0 && i < tokens.length && isContinuation(this.known.get(tokens[i].id).bytes[0]);
    while (continues(from)) from--;
    while (continues(to)) to++;
    if (kind.skipped) drawn.append(create("span", "elsewhere", kind.skipped));
    if (from > 0) drawn.append(create("span", "elsewhere", `… ${from.toLocaleString("en")}`));
    const shown = tokens.slice(from, to).map(({ id }) => this.known.get(id));
    appendCells(drawn, shown, (token) => cellWithId(token, String(token.id)));
    if (to < tokens.length) drawn.append(create("span", "elsewhere", `${(tokens.length - to).toLocaleString("en")} …`));
    return drawn;
  }

  // The latest merges, back into the pre-tokens before.
  showLog() {
    const log = this.root.querySelector(".log");
    const total = this.before[this.index] + this.made;
    const rows = [];
    let made = this.made;
    for (let i = this.index; i >= 0 && rows.length < LOGGED; i--) {
      for (; made > 0 && rows.length < LOGGED; made--) rows.push(this.logRow(i, made));
      made = i > 0 ? this.count(i - 1) : 0;
    }
    log.querySelector("tbody").replaceChildren(...rows);
    log.querySelector("table").hidden = total === 0;
    log.querySelector(".nothing").hidden = total > 0;
    const more = total - rows.length;
    log.querySelector(".more").textContent = more ? `and ${more.toLocaleString("en")} earlier` : "";
    log.scrollTop = 0;
  }

  logRow(index, made) {
    const { rank, id, left, right } = this.kinds[this.pieces[index]].steps[made - 1];
    const row = create("tr", made === 1 ? "first" : "");
    row.dataset.index = index;
    row.dataset.made = made;
    const merge = create("td");
    const [a, b, whole] = [left, right, id].map((token) => tokenCell(this.known.get(token)));
    merge.append(a, " + ", b, " → ", whole);
    const number = (this.before[index] + made).toLocaleString("en");
    row.append(create("td", "number", number), create("td", "number", rank.toLocaleString("en")), merge);
    return row;
  }

  key(event) {
    if (event.key === "Tab") this.focusByPointer = false;
    const command = KEYS[event.key];
    if (!command || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const [target] = event.composedPath();
    if (target instanceof Element && this.needsItself(target, event.key)) return;
    event.preventDefault();
    this.command(command);
  }

  // Whether what has the focus has its own use for a key.
  needsItself(target, key) {
    if (target.closest("input, textarea, select, [contenteditable], [role=grid], [role=dialog], [role=listbox], [role=combobox], [role=slider], [role=tab], [role=radio], dialog")) return true;
    if (key === " " && !this.focusByPointer && target.matches("button, a, summary")) return true;
    return target.matches(".log") && (key === "Home" || key === "End");
  }
}

function finalTokens(kind) {
  const preToken = new PreToken(kind);
  preToken.go(kind.steps.length);
  return preToken.tokens();
}

const KEYS = {
  ArrowRight: "next",
  ArrowLeft: "back",
  " ": "play",
  Home: "first",
  End: "last",
  ".": "pre-token",
  ",": "pre-token-back",
};

// Where the person was when the page was left: the same text is taken up there.
let lastPlace = { serialized: null, index: 0, made: 0 };

// Streamlit calls this again on the same element when the data or the theme changes, without cleaning up.
export default function (component) {
  const { data, parentElement } = component;
  const encoder = (parentElement.bpevizEncoder ??= new Encoder(parentElement));
  const serialized = JSON.stringify(data);
  if (encoder.serialized !== serialized) {
    encoder.serialized = serialized;
    encoder.load(data, serialized);
  }
  return () => {
    encoder.stop();
    delete parentElement.bpevizEncoder;
  };
}
