// @ts-check
// What the scripts know of the page that Streamlit draws around them: its elements, by the names that Streamlit or our
// own Python gives them. On a standalone page none of them is there.

const MAIN = "[data-testid=stMain]";
const COLUMN = "[data-testid=stColumn]";
const PAGE = "[data-testid=stMainBlockContainer]";
const PLACE = ".st-key-player_place";
const PAIRS = ".st-key-panel_1"; // the card of the picked pair, and the bars
const FUTURES = ".st-key-two_futures";
const PANEL_TABS = ":is(.st-key-panels, .side) [role=tab]"; // those of a panel itself come after them
const OPENS_WITHIN = 3000; // milliseconds
const UNDER_MORE = ".st-key-more_panels button";
const TEXT_MENU = ".st-key-text_menu [data-testid=stPopoverButton]";
const FILES = ".st-key-drop_zone input[type=file]"; // takes all files; see drop_zone.py

/**
 * What the person scrolls.
 * @param {ShadowRoot} root of a part
 */
export const scrolledPage = (root) => root.host?.closest(MAIN) ?? null;

/** @param {ShadowRoot} root of a part */
export const wholePage = (root) => root.host?.closest(PAGE) ?? null;

/**
 * How far down the player has moved in its column, because it sticks to the window.
 * @param {ShadowRoot} root of the player
 */
export function stuckBy(root) {
  const place = root.host?.closest(PLACE);
  const column = place?.closest(COLUMN);
  return place && column ? place.getBoundingClientRect().top - column.getBoundingClientRect().top : 0;
}

/**
 * The panel of pairs; a lesson has none.
 * @param {Element | null} within
 */
export const pairsPanel = (within) => within?.closest(PAIRS) ?? null;

/** The verdict on two runs side by side. */
export const futuresVerdict = () => document.querySelector(FUTURES);

/** @returns {HTMLElement | null} */
export const textMenuButton = () => document.querySelector(TEXT_MENU);

/** The field for dropped files. @returns {HTMLInputElement | null} */
export const fileField = () => document.querySelector(FILES);

/**
 * Show a panel, as a click on its tab does, or on its name under "More". Returns false if the page doesn't have it.
 * @param {number} place
 */
export function openPanel(place) {
  const tab = document.querySelectorAll(PANEL_TABS)[Math.min(place, 2)];
  if (!(tab instanceof HTMLElement)) return false;
  if (tab.ariaSelected !== "true") tab.click();
  if (place >= 2) whenThere(UNDER_MORE, place - 2, (name) => name.click());
  return true;
}

/**
 * Call with the element at a place of those that a selector finds, once it is there.
 * @param {string} selector
 * @param {number} place
 * @param {(found: HTMLElement) => void} act
 */
function whenThere(selector, place, act) {
  const look = () => {
    const found = document.querySelectorAll(selector)[place];
    if (!(found instanceof HTMLElement)) return false;
    act(found);
    return true;
  };
  if (look()) return;
  const observer = new MutationObserver(() => look() && observer.disconnect());
  observer.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), OPENS_WITHIN);
}

/**
 * Take the focus from a tab that the mouse clicked: there the arrows would go from tab to tab and not step the player.
 * A person who came to the tab by keyboard keeps it.
 * @param {MouseEvent} event
 */
export function releaseTab({ target, detail }) {
  const tab = detail && target instanceof Element ? target.closest(`${PANEL_TABS}, ${UNDER_MORE}`) : null;
  if (tab instanceof HTMLElement) requestAnimationFrame(() => tab.blur());
}

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

// For a projector the page shows the player alone, or with the bars of pairs; and of a lesson its words, large.
const PRESENTS = "bpevizPresents";
const ALONE = `
html[data-bpeviz-presents] { --top: 0px; }
html[data-bpeviz-presents] :is(
  .st-key-top, .st-key-run_line, .st-key-about_run, .st-key-notices, .st-key-lesson_line, [data-testid=stHeader],
  [data-testid=stLayoutWrapper]:has(> :is(.st-key-top, .st-key-run_line, .st-key-about_run))
) { display: none; }
html[data-bpeviz-presents=alone] :is(
  ${COLUMN}:has(.st-key-panels), [data-testid=stLayoutWrapper]:has(> .st-key-lesson_pairs)
) { display: none; }
html[data-bpeviz-presents] .st-key-lesson_words { --lesson-size: 22px; }
html[data-bpeviz-presents] ${PAGE} { max-width: none; padding: 0.5rem 1.5rem; }`;

// The transport and the sentence reach over what stands beside the text: columns of 2 to 1, 1rem apart. The verdict on
// two futures needs that room.
const TWO_COLUMNS = `${COLUMN}:has(${PLACE}):not(:has(+ ${COLUMN} ${FUTURES}))`;
const OVER_BOTH = `
@media (min-width: 1001px) {
  html:not([data-bpeviz-presents=alone]) ${TWO_COLUMNS}:has(+ ${COLUMN}) { --deck-width: calc(150% + 0.75rem); }
  ${TWO_COLUMNS} + ${COLUMN} { margin-top: var(--bpeviz-deck, 100px); }
}`;

// The player's lists lie over what stands beside it.
const ABOVE = `[data-testid=stLayoutWrapper]:has(> ${PLACE}) { z-index: 5; }`;

// On a phone the player's buttons are at the bottom of the window: the page's end stays clear of them.
const CLEAR_OF_BAR = `
@media (max-width: 640px) {
  ${PAGE}:has(${PLACE}) { padding-bottom: calc(72px + env(safe-area-inset-bottom)); }
}`;

/**
 * Mark the panels that the server draws as those of another step, and say of which; "" if they are up to date.
 * @param {string} says
 */
export function markPanels(says) {
  const { dataset, style } = document.documentElement;
  if (says === (dataset[BEHIND] ?? "")) return;
  if (says) dataset[BEHIND] = says;
  else delete dataset[BEHIND];
  if (says) style.setProperty("--bpeviz-behind", JSON.stringify(says));
}

/**
 * Show the player alone, or with the bars of pairs; "" shows the page again.
 * @param {"" | "alone" | "bars"} what
 */
export function presentPlayer(what) {
  const { dataset } = document.documentElement;
  if (what) dataset[PRESENTS] = what;
  else delete dataset[PRESENTS];
}

export const presentsBars = () => document.documentElement.dataset[PRESENTS] === "bars";

// Give the page our rules; call what it returns to take them back.
export function addPageStyle() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(PALE + ALONE + OVER_BOTH + ABOVE + CLEAR_OF_BAR);
  document.adoptedStyleSheets.push(sheet);
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    markPanels("");
  };
}
