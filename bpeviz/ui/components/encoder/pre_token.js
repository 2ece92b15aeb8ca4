// One pre-token between its base symbols and its tokens. Each step says which two tokens become one and the
// ranks of the pairs that the new one forms; so a step is done and undone without looking at the others.

const NO_MERGE = -1; // in place of a rank: no merge joins the pair

function readStep([rank, id, left, right, start, middle, end, rankBefore, rankAfter]) {
  return { rank, id, left, right, start, middle, end, rankBefore, rankAfter };
}

class PreToken {
  constructor({ symbols, ranks, steps }) {
    this.steps = steps;
    this.ids = [...symbols]; // at the first symbol of each token, as are the next three
    this.ranks = [...ranks, NO_MERGE]; // of the pair with the token after it
    this.following = symbols.map((_, i) => i + 1);
    this.preceding = symbols.map((_, i) => i - 1);
    this.done = []; // for each step made, what it replaced
  }

  get made() {
    return this.done.length;
  }

  // Make or take back merges until so many are made.
  go(count) {
    while (this.made < count) this.merge(this.steps[this.made]);
    while (this.made > count) this.part(this.steps[this.made - 1]);
  }

  merge({ id, start, end, rankBefore, rankAfter }) {
    const before = this.preceding[start];
    this.done.push([this.ids[start], this.ranks[start], this.ranks[before]]);
    this.ids[start] = id;
    this.ranks[start] = rankAfter;
    this.following[start] = end;
    if (end < this.ids.length) this.preceding[end] = start;
    if (before >= 0) this.ranks[before] = rankBefore;
  }

  part({ start, middle, end }) {
    const before = this.preceding[start];
    const [id, rank, rankBefore] = this.done.pop();
    this.ids[start] = id;
    this.ranks[start] = rank;
    this.following[start] = middle;
    if (end < this.ids.length) this.preceding[end] = middle;
    if (before >= 0) this.ranks[before] = rankBefore;
  }

  // The tokens there are now: the id of each, the symbol it begins at, and the rank of its pair with the next.
  tokens() {
    const tokens = [];
    for (let i = 0; i < this.ids.length; i = this.following[i]) {
      tokens.push({ id: this.ids[i], start: i, rank: this.ranks[i] });
    }
    return tokens;
  }
}
