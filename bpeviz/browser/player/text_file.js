// @ts-check
// The whole coloured text as one file that loads nothing else, drawn by the player's code.

import { binary, firstHexBytes, isContinuation } from "../shared/bytes.js";
import { SPACE_GLYPH } from "../shared/characters.js";
import { findAll } from "../shared/elements.js";
import { filePage, pageSource } from "../shared/file_page.js";
import { WALL } from "../shared/gap_ranks.js";
import { counted, decimals } from "../shared/numbers.js";
import { TextView } from "../shared/text_view.js";
import { tokenHue } from "../shared/token_hue.js";
import { TokenIds } from "../shared/token_ids.js";
import { bytesPerToken } from "./scrubber.js";

/** @import { Cell, Run, Token } from "../shared/types" */

/** A text on show and the run that it is of. @typedef {{ view: TextView, run: Run }} ShownText */

const SLICE = 30; // milliseconds of work before the page gets a turn
const TITLE_BYTES = 64; // of a token, in a cell's tip
const HUES = 360;
/** A file has at most so much text: its markup is about 30 times as long. */
export const MOST_TEXT = 500_000;

// The app's light and dark theme, for files; the other rules come from the player's sheet.
const FILE_STYLE = `
:root {
  color-scheme: light dark;
  --st-text-color: light-dark(#111316, #e8e9ea);
  --st-background-color: light-dark(#fbfbfa, #101214);
  --st-secondary-background-color: light-dark(#fff, #171a1d);
  --st-primary-color: light-dark(#1f5ae0, #93c5fd);
}
* { box-sizing: border-box; }
body { max-width: 1100px; margin: 0 auto; padding: 24px 16px; background: var(--st-background-color); }
h1 { margin: 0; font-size: 20px; }
p { margin: 4px 0 16px; color: var(--mute); }
.bpeviz main > .text { max-height: none; } /* the player's text is as high as its window */
.block { content-visibility: auto; contain-intrinsic-size: auto 1.93em; }
@media print {
  .block { content-visibility: visible; }
}
`;

// Shorter than a style for each cell and a glyph for each space.
const SHORT_STYLE =
  `.ws:not([data-glyph])::before{content:"${SPACE_GLYPH}"}` +
  Array.from({ length: HUES }, (_, hue) => `.h${hue}{--hue:${hue}}`).join("");

/**
 * Make a file that shows the text as the player does; of a long text the part from the line in view on.
 * @param {ShownText} shown
 * @param {ShadowRoot} root
 * @param {string} look
 * @param {(share: number) => void} onProgress
 */
export async function textFile({ view: shown, run }, root, look, onProgress) {
  const view = viewForFile(shown, new TokenIds(run));
  const part = partToSave(view);
  const page = textShell(run, view, textSheet(root) + SHORT_STYLE, saysPart(view, part));
  page.body.className = look; // whether glyphs and walls are shown
  const [before, after] = pageSource(page).split("<!--text-->");
  const parts = [before];
  /** @type {Blob[]} */
  const written = [];
  let begun = performance.now();
  for (let b = part.first; b < part.end; b++) {
    parts.push(blockSource(view, part, b));
    if (performance.now() - begun < SLICE) continue;
    onProgress((b - part.first) / (part.end - part.first));
    written.push(new Blob([parts.splice(0).join("")]));
    await new Promise((resolve) => setTimeout(resolve));
    begun = performance.now();
  }
  return new Blob([...written, ...parts, after], { type: "text/html" });
}

/**
 * The blocks to save: all, or as many as a file may have, from the first in view on.
 * @param {TextView} view
 */
function partToSave({ text, cuts, count, anchor }) {
  if (text.length <= MOST_TEXT) return { first: 0, end: count };
  let first = anchor.block;
  while (first > 0 && text.length - cuts[first - 1] <= MOST_TEXT) first--; // near the end: the last megabyte
  let end = first + 1;
  while (end < count && cuts[end + 1] - cuts[first] <= MOST_TEXT) end++;
  return { first, end };
}

/**
 * @param {TextView} view
 * @param {{ first: number, end: number }} part
 */
function saysPart({ cuts, count }, { first, end }) {
  if (end - first === count) return "";
  return ` This file has the bytes ${decimals(cuts[first] + 1)} to ${decimals(cuts[end])}.`;
}

/**
 * @param {Run} run
 * @param {TextView} view
 * @param {string} style
 * @param {string} part what a sentence says of the part of the text
 */
function textShell(run, { step, rival }, style, part) {
  const title = `${run.title} after ${decimals(step)} of ${decimals(run.num_merges)} merges`;
  const { page, main } = filePage(title, style + FILE_STYLE);
  const total = run.totals[step];
  const figures =
    `${decimals(run.text_bytes)} bytes in ${counted(total, "token")}: ` +
    `${decimals(bytesPerToken(run, step), 2)} bytes per token. ` +
    `Outlined: made by the latest merge. Underlined: merges next.${part}${rival ? " Double edge: a boundary only this run has." : ""}`;
  const text = page.createElement("div");
  text.className = "text";
  text.append(page.createComment("text"));
  const heading = Object.assign(page.createElement("h1"), { textContent: title });
  main.append(heading, Object.assign(page.createElement("p"), { textContent: figures }), text);
  return page;
}

/**
 * A copy of a view, because the player may change its step or run while we write the file. Its cells have tips.
 * Cells of equal tokens are copies of one, because there may be a million.
 * @param {TextView} shown
 * @param {TokenIds} tokenIds
 */
function viewForFile(shown, tokenIds) {
  /** @type {TextView} */
  const view = Object.assign(Object.create(TextView.prototype), shown, { drawn: new Map(), tinted: false });
  if (view.rival) view.rival = { ...view.rival };
  const { text, gaps } = view;
  /** @type {Map<number | string, Cell>} */
  const cells = new Map();
  view.span = (start, end, blockStart, blockEnd, latest) => {
    const make = () => {
      const cell = TextView.prototype.span.call(view, start, end, blockStart, blockEnd, latest);
      if (latest !== null) cell.title = cellTitle(tokenIds, text, { start, end, latest });
      if (latest !== null && shown.tinted) cell.classList.add(`h${tokenHue(text, start, end)}`);
      for (const space of findAll(cell, `.ws[data-glyph="${SPACE_GLYPH}"]`)) delete space.dataset.glyph;
      return cell;
    };
    if (latest === null || start < blockStart || end > blockEnd) return make();
    const key = latest >= 0 ? latest : `${binary(text.subarray(start, end))} ${gaps[end - 1] === WALL}`;
    const drawn = cells.get(key) ?? make();
    cells.set(key, drawn);
    return /** @type {Cell} */ (drawn.cloneNode(true));
  };
  return view;
}

/**
 * @param {TokenIds} tokenIds
 * @param {Uint8Array} text
 * @param {Token} token
 */
function cellTitle(tokenIds, text, token) {
  const hex = firstHexBytes(text, token, TITLE_BYTES);
  const id = tokenIds.of(token);
  return id === undefined ? hex : `${hex}, id ${id}`;
}

/**
 * The source of a line, or of a piece of a long one: the first piece opens the line's box, and the last closes it.
 * @param {TextView} view
 * @param {{ first: number, end: number }} part
 * @param {number} b
 */
function blockSource(view, part, b) {
  const block = view.newBlock(b);
  view.drawn.clear();
  const [opening, closing] = block.outerHTML.split(/(?=<\/)/);
  view.fill(block, pieceStart(view, part, b), pieceStart(view, part, b + 1));
  const begins = b === part.first || !view.goesOn(b);
  const ends = b + 1 === part.end || !view.goesOn(b + 1);
  return (begins ? opening : "") + block.innerHTML + (ends ? closing : "");
}

/**
 * Where a piece of a line begins in the file: at a cut, or after the token there, which stays one cell, as do tokens that
 * share a character with it.
 * @param {TextView} view
 * @param {{ first: number, end: number }} part
 * @param {number} b
 */
function pieceStart(view, { first, end }, b) {
  const { cuts, text } = view;
  if (b === first || b === end || !view.goesOn(b)) return cuts[b];
  let start = view.tokenAt(cuts[b] - 1).end;
  while (isContinuation(text[start])) start = view.tokenAt(start).end;
  let next = b; // the next line
  while (next < end && view.goesOn(next)) next++;
  return Math.min(start, cuts[next]);
}

/**
 * The rules of the player's style sheet that draw text.
 * @param {ShadowRoot} root
 */
function textSheet(root) {
  const sheets = [...root.styleSheets, ...root.adoptedStyleSheets];
  const rules = sheets.flatMap((sheet) => [...sheet.cssRules]);
  const wanted = /^\.bpeviz( |$)|\.(text|block|tok|ws|char|run|gap)(?![\w-])/;
  /**
   * @param {CSSRule} rule
   * @returns {string}
   */
  const selectors = (rule) => {
    if (rule instanceof CSSStyleRule) return rule.selectorText;
    return rule instanceof CSSGroupingRule ? Array.from(rule.cssRules, selectors).join(" ") : "";
  };
  return rules
    .filter((rule) => wanted.test(selectors(rule)))
    .map((rule) => rule.cssText)
    .join("\n");
}
