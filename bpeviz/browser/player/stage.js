// @ts-check
// What the parts of a page share. Each part is a separate script, and they load in any order, so the document holds it.

/** @import { Run } from "../shared/types" */
/** @import { Player } from "./merge_player.js" */
/** @import { PairPanel } from "./pair_panel.js" */
/** @import { PageRequest } from "./page_request.js" */

/** The panel of a word, as others use it. @typedef {{ growing: boolean, reveal(): void }} WordPanel */
/** What the panels show that the server has drawn. @typedef {{ step: number, pair: [number, number] | null }} Drawn */

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
    /** The page that the export menu waits for. @type {PageRequest | null} */
    this.pageRequest = null;
    /** The last time that a panel sent the player to a step: each number counts once. */
    this.sent = 0;
    /** @type {Set<() => void>} */
    this.listeners = new Set();
  }

  /** @returns {Run | null} */
  get run() {
    return this.player?.run ?? null;
  }

  get step() {
    return this.player?.step ?? 0;
  }

  /**
   * Call a function whenever something else is on show: another run, step or pair.
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
}

/** @type {Document & { bpevizStage?: Stage } | undefined} */
const page = globalThis.document; // none in the tests

export const stage = page?.bpevizStage ?? new Stage();
if (page) page.bpevizStage = stage;
