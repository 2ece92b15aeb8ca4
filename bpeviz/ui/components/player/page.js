// @ts-check
// What the components of the main page know of each other. Each arrives in its own time, so they meet here.

/** @import { Player } from "./player.js" */
/** @import { PairPanel } from "./pairs.js" */

/**
 * The player and the panel of pairs, if they are on the page; the bytes of the pairs; the last time that a panel
 * sent the player to a step; and what the panels that the server draws show.
 * @typedef {object} Shared
 * @property {Player} [bpevizPlayer]
 * @property {PairPanel} [bpevizPairs]
 * @property {Uint8Array} [bpevizPairPack]
 * @property {number} [bpevizAsked]
 * @property {{ step: number, pair: [number, number] | null }} [bpevizPanels]
 */

/** @type {Document & Shared} */
export const page = globalThis.document; // none in the tests

// The panels that the server draws are of the step at which the player last rested. At another step they are pale.
const BEHIND = "bpevizBehind";
const PALE = `[class*="st-key-at_rest"] { transition: opacity 120ms; }
html[data-bpeviz-behind] [class*="st-key-at_rest"] { opacity: 0.4; }`;

export function markPanels() {
  const { bpevizPlayer: player, bpevizPanels: panels } = page;
  const behind = player !== undefined && panels !== undefined && panels.step !== player.step;
  const { dataset } = document.documentElement;
  if (behind === BEHIND in dataset) return;
  if (behind) dataset[BEHIND] = "";
  else delete dataset[BEHIND];
}

export function addPaleness() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(PALE);
  document.adoptedStyleSheets.push(sheet);
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    delete document.documentElement.dataset[BEHIND];
  };
}
