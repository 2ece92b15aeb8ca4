// @ts-check
// The tokens of the corpus now, as one doubly linked list over all distinct pre-tokens, and the pairs in it. A merge visits
// only the places that hold its pair. As in bpeviz/core/token_chain.py: the slot that a merge empties keeps its rank as
// -1 - rank, so the list is the whole history.

const END = -1; // instead of a neighbour: the pre-token ends here

/** Two neighbouring tokens: how often they occur, overlaps included, and where. */
export class Pair {
  /**
   * @param {number} left the id of its left token
   * @param {number} right
   */
  constructor(left, right) {
    this.left = left;
    this.right = right;
    this.count = 0;
    this.before = 0; // its count before the last merge that changed it
    this.touched = -1; // the rank of that merge
    this.leads = false; // whether it is in the list of leaders
    /** The slots of its left token. Some hold it no more. @type {number[]} */
    this.places = [];
    this.passed = 0; // so many of the first places hold it no more
    this.ascends = true; // whether the places do: a pair can come back at earlier ones
  }
}

export class TokenChain {
  /**
   * @param {Int32Array} ids of the symbols of the pre-tokens, one after the other
   * @param {Int32Array} lengths how many symbols each pre-token has
   * @param {ArrayLike<number>} counts how often each pre-token occurs
   * @param {(left: number, right: number) => boolean} allows whether the token of two is not too long
   */
  constructor(ids, lengths, counts, allows) {
    this.ids = ids.slice();
    this.next = Int32Array.from(ids, (_, i) => i + 1);
    this.previous = Int32Array.from(ids, (_, i) => i - 1);
    this.weights = new Int32Array(ids.length);
    this.allows = allows;
    let start = 0;
    for (let i = 0; i < lengths.length; i++) {
      if (!lengths[i]) continue;
      const end = start + lengths[i];
      this.weights.fill(counts[i], start, end);
      this.previous[start] = END;
      this.next[end - 1] = END;
      start = end;
    }
    /** By the left and the right id. @type {Map<number, Pair>[]} */
    this.pairs = [];
    this.size = 0; // how many pairs there are
    /** The pairs that the last merge changed. @type {Pair[]} */
    this.changed = [];
    for (let i = 0; i < ids.length; i++) {
      if (this.next[i] !== END) this.change(ids[i], ids[this.next[i]], this.weights[i], -1, i);
    }
  }

  /**
   * @param {number} left
   * @param {number} right
   */
  at(left, right) {
    return this.pairs[left]?.get(right);
  }

  *all() {
    for (const ofLeft of this.pairs) if (ofLeft) yield* ofLeft.values();
  }

  /**
   * The first slot of a pair: the recipes that take what is seen first compare it.
   * @param {Pair} pair
   */
  firstPlace(pair) {
    this.sort(pair);
    while (!this.holds(pair.places[pair.passed], pair)) pair.passed++;
    return pair.places[pair.passed];
  }

  /** @param {Pair} pair */
  sort(pair) {
    if (!pair.ascends) pair.places = [...new Set(pair.places)].sort((a, b) => a - b);
    if (!pair.ascends) pair.passed = 0;
    pair.ascends = true;
  }

  /**
   * @param {number} place
   * @param {Pair} pair
   */
  holds(place, { left, right }) {
    return this.ids[place] === left && this.next[place] !== END && this.ids[this.next[place]] === right;
  }

  /**
   * Add to the count of a pair, which one merge changes; `place` is where it comes, if it comes.
   * @param {number} left
   * @param {number} right
   * @param {number} by
   * @param {number} rank
   * @param {number} [place]
   */
  change(left, right, by, rank, place) {
    let pair = this.at(left, right);
    if (!pair) {
      if (!this.allows(left, right)) return;
      pair = new Pair(left, right);
      this.pairs[left] ??= new Map();
      this.pairs[left].set(right, pair);
      this.size++;
    }
    if (pair.touched !== rank) {
      pair.before = pair.count;
      pair.touched = rank;
      this.changed.push(pair);
    }
    pair.count += by;
    if (place === undefined) return;
    pair.ascends &&= place > (pair.places.at(-1) ?? -1);
    pair.places.push(place);
  }

  /**
   * Put a token in place of a pair wherever it occurs, left to right without overlap. Returns how many tokens fewer there
   * are; `changed` has the pairs whose counts this changes, those that are gone among them.
   * @param {Pair} pair
   * @param {number} made the id of the token
   * @param {number} rank of the merge
   */
  merge(pair, made, rank) {
    const { ids, next, previous, weights } = this;
    const { left, right } = pair;
    this.sort(pair);
    /** @type {number[]} */
    const heads = [];
    for (const place of pair.places) {
      if (!this.holds(place, pair)) continue;
      heads.push(place);
      ids[place] = made;
      ids[next[place]] = -1 - rank;
    }
    [pair.before, pair.count, pair.touched] = [pair.count, 0, rank];
    this.changed = [pair];
    let fewer = 0;
    for (const head of heads) {
      const [before, after] = [previous[head], next[next[head]]];
      const weight = weights[head];
      fewer += weight;
      if (before !== END) {
        const joined = ids[before] === -1 - rank; // it is the end of the occurrence before
        this.lose(joined ? right : ids[before], left, weight, rank, pair);
        this.change(joined ? made : ids[before], made, weight, rank, joined ? previous[before] : before);
      }
      // what follows may be the next occurrence, which then comes to this gap
      if (after !== END && ids[next[after]] !== -1 - rank) {
        this.lose(right, ids[after], weight, rank, pair);
        this.change(made, ids[after], weight, rank, head);
      }
    }
    for (const head of heads) {
      const after = next[next[head]];
      next[head] = after;
      if (after !== END) previous[after] = head;
    }
    for (const each of this.changed) {
      if (!each.count && this.pairs[each.left].delete(each.right)) this.size--;
    }
    return fewer;
  }

  /**
   * Count a pair at one place less. The merged pair is not counted: it has no place left.
   * @param {number} left
   * @param {number} right
   * @param {number} weight
   * @param {number} rank
   * @param {Pair} merged
   */
  lose(left, right, weight, rank, merged) {
    if (left === merged.left && right === merged.right) return;
    if (this.at(left, right)) this.change(left, right, -weight, rank);
  }
}
