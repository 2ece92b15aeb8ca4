// @ts-check
// The most frequent pairs after every number of merges, as changes from step to step: see bpeviz/core/top_pairs.py.

/** @import { Pair } from "./token_chain.js" */

const MOST_PLACES = 255; // a place is one byte

export class TopList {
  /**
   * @param {number} most pairs of a step
   * @param {Pair[]} leaders before the first merge, in order
   */
  constructor(most, leaders) {
    this.most = Math.min(most, MOST_PLACES);
    this.longest = 0;
    /** @type {Pair[]} */
    this.shown = [];
    /** @type {Record<"num_dropped" | "dropped" | "num_added" | "places" | "lefts" | "rights" | "counts", number[]>} */
    this.changes = {
      num_dropped: [],
      dropped: [],
      num_added: [],
      places: [],
      lefts: [],
      rights: [],
      counts: [],
    };
    this.follow(leaders, -1);
  }

  /**
   * Note the list after a merge. A pair that the merge changed falls out and comes in again, with its new count.
   * @param {Pair[]} leaders
   * @param {number} rank of the merge
   */
  follow(leaders, rank) {
    const { changes, shown } = this;
    const now = leaders.slice(0, this.most);
    let fell = 0;
    shown.forEach((pair, place) => {
      if (pair.touched !== rank && now.includes(pair)) return;
      changes.dropped.push(place);
      fell++;
    });
    let came = 0;
    now.forEach((pair, place) => {
      if (pair.touched !== rank && shown.includes(pair)) return;
      changes.places.push(place);
      changes.lefts.push(pair.left);
      changes.rights.push(pair.right);
      changes.counts.push(pair.count);
      came++;
    });
    changes.num_dropped.push(fell);
    changes.num_added.push(came);
    this.longest = Math.max(this.longest, now.length);
    this.shown = now;
  }
}
