// One text with the boundaries of two tokenizers: a cell ends where either cuts, and shows at its start which
// of them does. All counts of boundaries are taken in the same pass over the gaps.

const ONLY_FIRST = 1;
const ONLY_SECOND = 2;
const BOTH = 3;
const BOUNDARY_CLASSES = { [ONLY_FIRST]: "at-first", [ONLY_SECOND]: "at-second", [BOTH]: "at-both" };

class AlignedView extends TextView {
  // `gaps`: the gap ranks of both; `merges`: how many of each.
  open(text, gaps, merges) {
    this.ofSides = gaps;
    this.codes = new Uint8Array(text.length); // for the gap after each byte: who has a boundary there
    this.union = new Int32Array(text.length);
    this.found = null; // { start, end } of a stretch to mark
    this.align(merges);
    this.load({ text, gaps: this.union }, 0);
  }

  show(merges) {
    this.align(merges);
    this.draw(0, true);
  }

  // A gap is open where either has it open; the text is drawn from that as from any gap ranks.
  align([firstMerges, secondMerges]) {
    const { codes, union } = this;
    const [first, second] = this.ofSides;
    const counts = [0, 0, 0, 0];
    const last = codes.length - 1; // the end of the text is no boundary, also where a side drops the last bytes
    for (let i = 0; i < codes.length; i++) {
      const a = first[i];
      const b = second[i];
      const code = (a >= firstMerges && a !== SKIPPED ? ONLY_FIRST : 0) | (b >= secondMerges && b !== SKIPPED ? ONLY_SECOND : 0);
      codes[i] = i < last ? code : BOTH;
      if (i < last) counts[code]++;
      union[i] = code ? NEVER : a === SKIPPED && b === SKIPPED ? SKIPPED : -1;
    }
    this.counts = counts;
  }

  get figures() {
    const [, first, second, shared] = this.counts;
    const share = (part, rest) => (part + rest ? part / (part + rest) : 1);
    return { shared, only: [first, second], precision: share(shared, first), recall: share(shared, second), f1: share(2 * shared, first + second) };
  }

  decorate(span, start) {
    const code = start === 0 ? BOTH : this.codes[start - 1];
    if (code) span.classList.add(BOUNDARY_CLASSES[code]);
    if (this.found && start >= this.found.start && start < this.found.end) span.classList.add("found");
  }

  // The stretches without a shared boundary that have others: [start, end] of each, in the order of the text.
  // The last stretch ends with the text.
  disagreements() {
    const { codes } = this;
    const found = [];
    let start = 0;
    let cuts = false;
    for (let i = 0; i < codes.length; i++) {
      if (codes[i] !== BOTH) {
        cuts ||= codes[i] !== 0;
        continue;
      }
      if (cuts) found.push([start, i + 1]);
      start = i + 1;
      cuts = false;
    }
    return found;
  }

  // Where a side cuts from start to end; bytes that it drops at the end of the text are a piece too.
  cuts(side, start, end) {
    const ends = [];
    for (let i = start; i < end; i++) if (this.codes[i] & (1 << side)) ends.push(i + 1);
    return ends;
  }
}
