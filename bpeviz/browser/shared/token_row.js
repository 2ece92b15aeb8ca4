// @ts-check
// Tokens as cells; and a short text in the tokens of one tokenizer, on a line with its name and their number.

import { breakBefore, decoded, fillCell } from "./characters.js";
import { create } from "./elements.js";
import { counted } from "./numbers.js";
import { tokenHue } from "./token_hue.js";

/**
 * A dt and a dd.
 * @param {string} name of the tokenizer
 * @param {number} total how many tokens the text has
 * @param {Uint8Array[]} tokens the first of them
 * @param {string} direction of the text
 */
export function tokenRow(name, total, tokens, direction) {
  const heading = create("dt", "", create("b", "", name), ` ${counted(total, "token")}`);
  const cells = tokens.map((token) => cellOf(token));
  if (total > tokens.length) cells.push(create("span", "", " …"));
  const line = create("div", "glyphs", ...cells.flatMap((cell) => breakBefore(cell))); // a dd with a role would be no part of its list
  line.dir = direction;
  line.tabIndex = 0;
  line.setAttribute("role", "group");
  line.setAttribute("aria-label", `Tokens of ${name}`);
  return [heading, create("dd", "", line)];
}

/**
 * A token with its id below it, which the person can show or hide.
 * @param {HTMLElement} cell
 * @param {string} id
 */
export const withId = (cell, id) => create("span", "with-id", cell, create("small", "id", id));

/**
 * A token: its characters on its colour.
 * @param {Uint8Array} bytes of a long token only its ends
 * @param {number} [hue] of the whole token
 * @param {boolean} [base] whether no merge made it
 */
export function cellOf(bytes, hue = tokenHue(bytes), base = bytes.length < 2) {
  const cell = create("span", base ? "tok one" : "tok");
  cell.style.setProperty("--hue", String(hue));
  fillCell(cell, decoded(bytes), bytes);
  return cell;
}
