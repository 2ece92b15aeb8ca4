// @ts-check
// The tokens that Python lists by id, as the player's cells.

import { bytesOfHex, isContinuation } from "../shared/bytes.js";
import { directionOfBytes, nameOfUnseen } from "../shared/characters.js";
import { create } from "../shared/elements.js";
import { cellOf, withId } from "../shared/token_row.js";

/** A token as Python lists it. @typedef {[hex: string, hue: number, label: string, base: boolean]} ListedToken */
/** @typedef {{ id: number, bytes: Uint8Array, hue: number, label: string, base: boolean }} KnownToken */

/** Gives a token by its id. @typedef {(id: number) => KnownToken} Known */

/**
 * The tokens that Python lists by id: their bytes, hue and name, and whether they are base symbols.
 * @param {Record<string, ListedToken>} listed
 * @returns {Known}
 */
export function knownTokens(listed) {
  /** @type {Map<number, KnownToken>} */
  const tokens = new Map();
  for (const [id, [hex, hue, label, base]] of Object.entries(listed)) {
    tokens.set(Number(id), { id: Number(id), bytes: bytesOfHex(hex), hue, label, base });
  }
  return (id) => {
    const token = tokens.get(id);
    if (!token) throw new Error(`no token has the id ${id}`);
    return token;
  };
}

/** @param {KnownToken} token */
export const tokenCell = ({ bytes, hue, base }) => cellOf(bytes, hue, base);

/**
 * Tokens with their ids, in one frame.
 * @param {KnownToken[]} tokens
 */
export function chipOf(tokens) {
  const chip = create("span", "chip done");
  chip.dir = directionOfTokens(tokens);
  appendCells(chip, tokens);
  return chip;
}

/**
 * Append a cell with its id for each token; cells that share characters get a box that shows the characters.
 * @param {ParentNode} parent
 * @param {KnownToken[]} tokens
 */
export function appendCells(parent, tokens) {
  /** @type {HTMLElement | null} */
  let group = null;
  /** @type {number[]} */
  let bytes = [];
  for (const [i, token] of tokens.entries()) {
    const cutAfter = i + 1 < tokens.length && isContinuation(tokens[i + 1].bytes[0]);
    if (!group && (cutAfter || isContinuation(token.bytes[0]))) {
      group = create("span", "char");
      bytes = [];
      parent.append(group);
    }
    (group ?? parent).append(withId(tokenCell(token), String(token.id)));
    if (!group) continue;
    bytes.push(...token.bytes);
    if (cutAfter) continue;
    group.dataset.char = nameOfUnseen(new TextDecoder().decode(Uint8Array.from(bytes)));
    group = null;
  }
}

/**
 * The direction of the tokens' first letter.
 * @param {KnownToken[]} tokens
 */
export function directionOfTokens(tokens) {
  const bytes = tokens.flatMap((token) => [...token.bytes]);
  return directionOfBytes(Uint8Array.from(bytes)) ?? "ltr";
}

/**
 * Scroll the scroller, not the page, just enough to show an element in it.
 * @param {Element} scroller
 * @param {Element} element
 */
export function showWithin(scroller, element) {
  const view = scroller.getBoundingClientRect();
  const box = element.getBoundingClientRect();
  if (box.top < view.top) scroller.scrollTop += box.top - view.top - 8;
  else if (box.bottom > view.bottom)
    scroller.scrollTop += Math.min(box.bottom - view.bottom + 8, box.top - view.top);
}
