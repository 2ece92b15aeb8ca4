// @ts-check
// What the parts of a page share. Each part is a separate script, and they load in any order, so the document holds it.

/** @import { Run } from "../shared/types" */
/** @import { Player } from "./merge_player.js" */
/** @import { Pair } from "./pair_life.js" */
/** @import { PairPanel } from "./pair_panel.js" */
/** @import { PageRequest } from "./page_request.js" */

/** The panel of a word, as others use it. @typedef {{ growing: boolean, reveal(): void }} WordPanel */
/**
 * What the panels show that the server has drawn: the step, the picked pair, and of a corpus of which the text is only a
 * part, how often that pair occurs after each number of merges.
 * @typedef {{ step: number, pair: Pair | null, counts: ArrayLike<number> | null }} Drawn
 */
/**
 * What a person points at: a pair, a token by its id, or a merge by its rank.
 * @typedef {{ pair: Pair | null, token: number | null, merge: number | null }} Pointed
 */

class Stage {
  constructor() {
    /** Its run and its step are those on show. @type {Player | null} */
    this.player = null;
    /** @type {PairPanel | null} */
    this.pairs = null;
    /** The most frequent pairs of all steps, packed. @type {Uint8Array | null} */
    this.pairPack = null;
    /** @type {WordPanel | null} */
    this.word = null;
    /** Whether the panel of a word comes into view as soon as it has the word that the person asked for. */
    this.wordAwaited = false;
    /** @type {Drawn | null} */
    this.drawn = null;
    /** The pair that the person picked. @type {Pair | null} */
    this.pair = null;
    /** The bytes of its tokens, for the next run: there they may have other ids. @type {string[]} */
    this.spelled = [];
    /** Whether the person pointed last at the second of two texts: the card of a pair speaks of its run. */
    this.second = false;
    /** Whether the person presents. The player of a lesson's next stop presents too. */
    this.presents = false;
    /** @type {Pointed} */
    this.pointed = { pair: null, token: null, merge: null };
    /** The page that the export menu waits for. @type {PageRequest | null} */
    this.pageRequest = null;
    /** The last time that a panel sent the player to a step: each number counts once. */
    this.sent = 0;
    /** The charts of Plotly whose marks are followed; null on a page without such charts. @type {WeakSet<Element> | null} */
    this.charts = null;
    /** @type {Set<() => void>} */
    this.listeners = new Set();
    /** @type {Set<() => void>} */
    this.markers = new Set();
  }

  /** @returns {Run | null} */
  get run() {
    return this.player?.run ?? null;
  }

  get step() {
    return this.player?.step ?? 0;
  }

  /**
   * Call a function whenever something else is on show: another run or step.
   * @param {() => void} listener
   * @returns {() => void} stops it
   */
  subscribe(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  changed() {
    for (const listener of this.listeners) listener();
  }

  // The pair to mark everywhere, and the merge whose tokens are marked.
  get marked() {
    const { pair, merge } = this.pointed;
    return { pair: pair ?? this.pair, merge };
  }

  /** @param {Pair | null} pair */
  pick(pair) {
    this.pair = pair;
    this.mark();
  }

  /**
   * Note what the person points at; nothing if they point elsewhere.
   * @param {Partial<Pointed>} [pointed]
   */
  point({ pair = null, token = null, merge = null } = {}) {
    this.pointed = { pair, token, merge };
    this.mark();
  }

  mark() {
    for (const marker of this.markers) marker();
  }

  /**
   * Call a function whenever another pair or token is to be marked.
   * @param {() => void} marker
   * @returns {() => void} stops it
   */
  onMark(marker) {
    this.markers.add(marker);
    return () => this.markers.delete(marker);
  }
}

/** @type {Document & { bpevizStage?: Stage } | undefined} */
const page = globalThis.document; // none in the tests

export const stage = page?.bpevizStage ?? new Stage();
if (page) page.bpevizStage = stage;

/**
 * Mark a merge that the person points at: its pair, or where it is made the token that it made.
 * @param {number} merge its rank
 */
export function pointAtMerge(merge) {
  const { run } = stage;
  if (!run || merge >= run.num_merges) return stage.point();
  stage.point({ merge, pair: [run.lefts[merge], run.rights[merge]] });
}
