// @ts-check
// One line of text as several tokenizers cut it: a row of tokens for each, with the same text under each other.

import { bytesOfHex } from "../shared/bytes.js";
import { directionOf } from "../shared/characters.js";
import { create, find } from "../shared/elements.js";
import { counted } from "../shared/numbers.js";
import { cellOf } from "../shared/token_row.js";

/** @typedef {[hex: string, pieces: number, differs: boolean]} SentToken */
/** What Python sends; see aligned_rows.py. @typedef {{ name: string, total: number, tokens: SentToken[] }} SentRow */
/** @typedef {{ text: string, rows: SentRow[] }} SentRows */

/**
 * @param {ParentNode} root
 * @param {SentRows} sent
 */
export function showRows(root, { text, rows }) {
  find(root, ".scroller").dir = directionOf(text) ?? "ltr";
  find(root, "tbody").replaceChildren(...rows.map(alignedRow));
}

/** @param {SentRow} row */
function alignedRow({ name, total, tokens }) {
  const shown = create("div", "name", name);
  shown.dir = "auto";
  shown.title = name;
  const heading = create("th", "", shown, create("small", "", counted(total, "token")));
  heading.scope = "row";
  return create("tr", "", heading, ...tokens.map(alignedCell));
}

/** @param {SentToken} token */
function alignedCell([hex, pieces, differs]) {
  const token = cellOf(bytesOfHex(hex));
  const cell = create("td", differs ? "differs" : "", token);
  cell.style.setProperty("--hue", token.style.getPropertyValue("--hue"));
  cell.colSpan = pieces;
  return cell;
}
