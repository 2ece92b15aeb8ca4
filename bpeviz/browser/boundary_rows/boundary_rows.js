// @ts-check
// One line of text as several tokenizers cut it: a row of tokens for each, with the same text under each other.

import { bytesOfHex } from "../shared/bytes.js";
import { decoded, directionOf, fillCell } from "../shared/characters.js";
import { create, find } from "../shared/elements.js";
import { counted } from "../shared/numbers.js";

/** @import { ComponentArguments } from "../shared/types" */

/** @typedef {[hex: string, pieces: number, differs: boolean]} SentToken */
/** What Python sends; see boundary_rows.py. @typedef {{ name: string, total: number, tokens: SentToken[] }} SentRow */

/** @param {ComponentArguments<{ text: string, rows: SentRow[] }>} component */
export default function ({ data, parentElement }) {
  find(parentElement, ".scroller").dir = directionOf(data.text) ?? "ltr";
  find(parentElement, "tbody").replaceChildren(...data.rows.map(rowOf));
}

/** @param {SentRow} row */
function rowOf({ name, total, tokens }) {
  const shown = create("div", "name", name);
  shown.dir = "auto";
  shown.title = name;
  const heading = create("th", "", shown, create("small", "", counted(total, "token")));
  heading.scope = "row";
  return create("tr", "", heading, ...tokens.map(cellOf));
}

/** @param {SentToken} token */
function cellOf([hex, pieces, differs]) {
  const bytes = bytesOfHex(hex);
  const shown = create("span", "tok one");
  fillCell(shown, decoded(bytes), bytes);
  const cell = create("td", differs ? "differs" : "", shown);
  cell.colSpan = pieces;
  return cell;
}
