// @ts-check
// What the components of the main page know of each other. They load at different times and find each other here.

import { counted } from "../shared/numbers.js";

/** @import { Player } from "./merge_player.js" */
/** @import { PairPanel } from "./pair_panel.js" */
/** @import { PageRequest } from "./page_request.js" */
/** @import { WordGrowth } from "../biography/biography.js" */

/**
 * The player, the panel of pairs and that of a word, if they are on the page; the bytes of the pairs; the last time that a panel
 * sent the player to a step; what the panels that the server draws show; whether the panel of a word comes into
 * view as soon as it has the word that the person asked for; and the page that the export menu waits for.
 * @typedef {object} Shared
 * @property {Player} [bpevizPlayer]
 * @property {PairPanel} [bpevizPairs]
 * @property {Uint8Array} [bpevizPairPack]
 * @property {WordGrowth} [bpevizWord]
 * @property {number} [bpevizAsked]
 * @property {boolean} [bpevizWordAwaited]
 * @property {PageRequest} [bpevizPageRequest]
 * @property {{ step: number, pair: [number, number] | null }} [bpevizPanels]
 */

/** @type {Document & Shared} */
export const page = globalThis.document; // none in the tests

// The panels that the server draws are of the step at which the player last rested. At another step they are pale and
// say which step they are of.
const BEHIND = "bpevizBehind";
const PALE = `
[class*="st-key-at_rest"] { position: relative; }
html[data-bpeviz-behind] [class*="st-key-at_rest"] > * { opacity: 0.4; }
html[data-bpeviz-behind] [class*="st-key-at_rest"]::before {
  position: absolute;
  z-index: 2;
  top: 0;
  right: 0;
  padding: 1px 8px;
  border-radius: 6px;
  background: #1c1e21;
  color: #fff;
  font-size: 12.5px;
  content: var(--bpeviz-behind);
}
@media (prefers-reduced-motion: no-preference) {
  [class*="st-key-at_rest"] > * { transition: opacity 120ms; }
}`;

// For a projector the page shows the player alone.
const PRESENTS = "bpevizPresents";
const ALONE = `
html[data-bpeviz-presents] { --top: 0px; }
html[data-bpeviz-presents] :is(
  .st-key-top, .st-key-run_line, .st-key-about_run, .st-key-notices,
  [data-testid=stColumn]:has(.st-key-beside_player), [data-testid=stHeader],
  [data-testid=stLayoutWrapper]:has(> :is(.st-key-top, .st-key-run_line, .st-key-about_run))
) { display: none; }
html[data-bpeviz-presents] [data-testid=stMainBlockContainer] { max-width: none; padding: 0.5rem 1.5rem; }`;

// The player's lists lie over what stands beside it.
const ABOVE = `[data-testid=stLayoutWrapper]:has(> .st-key-player_place) { z-index: 5; }`;

// On a phone the player's buttons are at the bottom of the window: the page's end stays clear of them.
const CLEAR_OF_BAR = `
@media (max-width: 640px) {
  [data-testid=stMainBlockContainer]:has(.st-key-player_place) { padding-bottom: 72px; }
}`;

export function markPanels() {
  const { bpevizPlayer: player, bpevizPanels: panels } = page;
  const behind = player !== undefined && panels !== undefined && panels.step !== player.step;
  const { dataset, style } = document.documentElement;
  const says = behind ? `After ${counted(panels.step, "merge")}` : undefined;
  if (says === dataset[BEHIND]) return;
  if (says === undefined) {
    delete dataset[BEHIND];
    return;
  }
  dataset[BEHIND] = says;
  style.setProperty("--bpeviz-behind", JSON.stringify(says));
}

/**
 * Show or hide a panel, as a click on its button does. Returns false if the page doesn't have it.
 * @param {number} place
 */
export function togglePanel(place) {
  const button = document.querySelectorAll(".st-key-panels button")[place];
  if (!(button instanceof HTMLElement)) return false;
  button.click();
  return true;
}

/** @param {boolean} alone */
export function showPlayerAlone(alone) {
  const { dataset } = document.documentElement;
  if (alone) dataset[PRESENTS] = "";
  else delete dataset[PRESENTS];
}

// Give the page our rules; call what it returns to take them back.
export function addPageStyle() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(PALE + ALONE + ABOVE + CLEAR_OF_BAR);
  document.adoptedStyleSheets.push(sheet);
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    delete document.documentElement.dataset[BEHIND];
    showPlayerAlone(false);
  };
}
