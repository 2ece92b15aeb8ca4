// @ts-check
// How a token looks, as `visible` in bpeviz/text/token_text.py writes it.

import { bytesOf, hexBytes } from "../shared/bytes.js";
import { decoded, shorten, UNSEEN_NAMES } from "../shared/characters.js";

const MOST = 40; // characters

/**
 * A function that writes the bytes of a token in one line.
 * @param {Record<string, string>} classes of characters
 * @returns {(token: string) => string}
 */
export function labeller({ unprintable, marks }) {
  const unseen = new RegExp(`[${unprintable}]`, "gu");
  const startsWithMark = new RegExp(`^[${marks}]`, "u");
  return (token) => {
    const text = decoded(bytesOf(token));
    if (text === null) return shorten(hexBytes(bytesOf(endsOf([...token]).join(""))), MOST);
    const shown = endsOf(Array.from(text))
      .join("")
      .replace(unseen, (character) => UNSEEN_NAMES[character] ?? escaped(character))
      .replace(/[ ]/g, UNSEEN_NAMES[" "]);
    return shorten(startsWithMark.test(text) ? `◌${shown}` : shown, MOST);
  };
}

/** @param {string} character */
const escaped = (character) =>
  `\\u${/** @type {number} */ (character.codePointAt(0)).toString(16).padStart(4, "0")}`;

/**
 * The first and the last parts of a token: enough for what is shown.
 * @param {string[]} parts
 */
const endsOf = (parts) =>
  parts.length <= 2 * MOST ? parts : [...parts.slice(0, MOST), ...parts.slice(-MOST)];
