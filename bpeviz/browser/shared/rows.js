// @ts-check
// Where the browser begins the last row of a text, as a byte. Read it from the layout: only the browser knows how wide
// letters are and where it breaks rows.

import { firstIndex } from "./gap_ranks.js";

/** @import { Cell } from "./types" */

/** Where a character is in its cell, and its bytes. @typedef {{ node: Node, at: number, bytes: number }} Place */

const ENCODER = new TextEncoder();

/**
 * The byte of the first character on the last row of a line; the line's first byte if it has one row; null if the line
 * is not on the screen. Of the rows "the␣cat" and "␣sat", it is 7.
 * @param {Element} line with cells and boxes around cells
 * @param {number} start the byte of its first character
 */
export function startOfLastRow(line, start) {
  let top = Infinity; // of the row
  let bottom = -Infinity;
  /** @type {Cell | null} */
  let first = null; // the first known cell of the row
  for (const box of Array.from(line.children).reverse()) {
    const cell = firstCell(box);
    const rects = cell ? rectsOf(box) : [];
    if (!cell || rects.length === 0) continue;
    if (!first) ({ top, bottom } = rects.reduce((low, rect) => (rect.bottom > low.bottom ? rect : low)));
    const inRow = rects.filter((rect) => rect.bottom > top && rect.top < bottom);
    if (inRow.length === 0) break;
    top = Math.min(top, ...inRow.map((rect) => rect.top));
    bottom = Math.max(bottom, ...inRow.map((rect) => rect.bottom));
    if (inRow.length < rects.length) return startInCell(cell, top, Math.max(start, cell.token.start));
    first = cell;
  }
  return first && Math.max(start, first.token.start);
}

/**
 * The cell that is, or begins, a box; null for a place to break the row.
 * @param {Element} box
 */
const firstCell = (box) =>
  /** @type {Cell | null} */ (box.matches(".tok, .gap") ? box : box.querySelector(".tok, .gap"));

/**
 * The parts of a box in each row. A box of right-to-left characters has marks around it that may be in another row.
 * @param {Element} box
 */
const rectsOf = (box) => [...((box.matches(".run") && box.firstElementChild) || box).getClientRects()];

/**
 * The byte of the first character of a cell that is in a row.
 * @param {Cell} cell
 * @param {number} top where the row begins
 * @param {number} start the byte of the cell's first character
 */
function startInCell(cell, top, start) {
  const places = placesIn(cell);
  const range = document.createRange();
  range.selectNodeContents(cell);
  const first = firstIndex(places.length, (k) => {
    range.setStart(places[k].node, places[k].at);
    return range.getBoundingClientRect().top >= top;
  });
  return places.slice(0, first).reduce((byte, { bytes }) => byte + bytes, start);
}

/**
 * The characters of a cell. A line end has no character on the page, only its box.
 * @param {Node} parent
 * @returns {Place[]}
 */
function placesIn(parent) {
  return [...parent.childNodes].flatMap((node, at) => {
    if (node instanceof Element && node.matches(".ws.end")) return [{ node: parent, at, bytes: 1 }];
    return node instanceof Text ? placesInText(node) : placesIn(node);
  });
}

/** @param {Text} node */
function placesInText(node) {
  let at = 0;
  return Array.from(node.data, (character) => {
    const place = { node, at, bytes: ENCODER.encode(character).length };
    at += character.length;
    return place;
  });
}
