// @ts-check
// Trains in a worker, so that the page can draw and cancel meanwhile. The table of rules comes first, then one order: it
// tells how far it is, and answers with the packs of the player, or with a sentence.

import { packsOf } from "./trained_pack.js";

/** @import { TrainerTable } from "./rules.js" */
/** @import { Packs } from "./trained_pack.js" */

/** @typedef {{ made: number } | Packs | { problem: string }} Answer */

const TELL_EVERY = 100; // milliseconds

/** @type {TrainerTable | null} */
let table = null;
let told = 0;

/** @param {number} made merges */
function tell(made) {
  if (made && performance.now() - told < TELL_EVERY) return; // the page waits for the first: the text is split
  told = performance.now();
  postMessage({ made });
}

addEventListener("message", ({ data }) => {
  if (!table) {
    table = data;
    return;
  }
  try {
    postMessage(packsOf(table, data, tell));
  } catch (error) {
    postMessage({ problem: error instanceof Error ? error.message : String(error) });
  }
});
