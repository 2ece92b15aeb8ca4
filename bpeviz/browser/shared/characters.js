// @ts-check
// Characters and bytes as people can see them: invisible ones get a glyph or a number.

import { hexBytes, isContinuation } from "./bytes.js";
import { create } from "./elements.js";

const MOST_BYTES_SHOWN = 120;

/** The same as in Python's labels. @type {Record<string, string>} */
export const UNSEEN_NAMES = { " ": "␣", "\t": "⇥", "\n": "⏎", "\r": "␍" };

/** The text with a sign for each space, tab and line end. @param {string} text */
export const withSigns = (text) => text.replace(/[ \n\t\r]/g, (character) => UNSEEN_NAMES[character]);

/** @type {Record<string, string>} */
const GLYPHS = { ...UNSEEN_NAMES, " ": "·", "\u00a0": "⍽", "\u3000": "□" };
/** How the text shows a space: a row of words is easier to read with it than with the sign of sentences and bars. */
export const SPACE_GLYPH = GLYPHS[" "];

// Characters that are invisible, or change how their neighbours look.
const UNSEEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/;

// Joiners and variation selectors change the characters around them, and are invisible alone.
const ONLY_JOINERS = /^[\u200c\u200d\ufe00-\ufe0f]+$/;

// Characters that are drawn on the one before them, and characters that form one picture with it.
const STARTS_WITH_MARK = /^\p{M}/u;
const JOINS_BEFORE = /^[\u200c\u200d\p{Emoji_Modifier}\p{Regional_Indicator}]/u;

// The first letter decides the direction of a line, as with HTML's dir=auto; but hex cells must not.
export const FIRST_LETTER = /\p{L}/u;
export const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

// Characters that are as wide in one token as in two: no marks, no parts of pictures, none that are drawn as bytes.
const STEADY = /^[\x20-\x7e\t\n\p{L}\p{N}\p{P}\p{Zs}]*$/u;

/**
 * Whether whole characters are as wide in any tokens. Those that run from right to left join their neighbours.
 * @param {string} text
 */
export const keepsWidth = (text) => STEADY.test(text) && !RIGHT_TO_LEFT.test(text);

/**
 * The text with a sign or number in place of each invisible character.
 * @param {string} text
 */
export function nameOfUnseen(text) {
  return Array.from(text, (character, i) => {
    if (character in UNSEEN_NAMES) return UNSEEN_NAMES[character];
    if (UNSEEN.test(character) || ONLY_JOINERS.test(character) || /\s/.test(character)) {
      return `U+${codePoint(character).toString(16).toUpperCase().padStart(4, "0")}`;
    }
    return i === 0 && STARTS_WITH_MARK.test(character) ? `◌${character}` : character;
  }).join("");
}

/**
 * The ends of a text, with … for what is left out; as in bpeviz/text/token_text.py.
 * @param {string} text
 * @param {number} most characters
 */
export function shorten(text, most) {
  const characters = Array.from(text);
  const half = Math.floor((most - 1) / 2);
  if (characters.length <= most) return text;
  return `${characters.slice(0, half).join("")}…${characters.slice(-half).join("")}`;
}

/** @param {string} character */
const codePoint = (character) => /** @type {number} */ (character.codePointAt(0));

/**
 * Whether bytes of a text are whole characters.
 * @param {Uint8Array} text
 * @param {number} start
 * @param {number} end
 */
export const isWhole = (text, start, end) => !isContinuation(text[start]) && !isContinuation(text[end]);

/**
 * The characters that bytes spell; null if they aren't whole characters.
 * @param {Uint8Array} bytes
 */
export function decoded(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/**
 * A token as one line: its characters, or its bytes in hex if it begins or ends inside a character.
 * @param {Uint8Array} text
 * @param {number} start
 * @param {number} end
 */
export function shownToken(text, start, end) {
  const bytes = text.subarray(start, Math.min(end, start + MOST_BYTES_SHOWN));
  const more = end - start > MOST_BYTES_SHOWN ? "…" : "";
  if (!isWhole(text, start, end)) return hexBytes(bytes) + more;
  return nameOfUnseen(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream: true })) + more;
}

/**
 * The direction of a text, which is that of its first letter; null if it has no letter.
 * @param {string} text
 */
export function directionOf(text) {
  const letter = FIRST_LETTER.exec(text);
  return letter && (RIGHT_TO_LEFT.test(letter[0]) ? "rtl" : "ltr");
}

/**
 * The direction of the characters that bytes spell, whatever their cells show: those of half a letter show "D7".
 * @param {Uint8Array} bytes which may begin or end inside a character
 */
export const directionOfBytes = (bytes) => directionOf(new TextDecoder().decode(bytes));

// Rows break before these: a token such as "␣light" stays whole, and no row ends with a space.
const BEGINS_ROW = /^[ \t\u3000]/;

// Browsers would also break rows after and before these: "api-", then "gateway".
const BREAKS_AFTER = new Set("-/?!|}‐‒–—…");
const BREAKS_BEFORE = new Set("([{—");

// No row of Japanese or Chinese begins with these.
const ENDS_SENTENCE = /^[、。，．：；！？」』）］｝】》〉]/;

/**
 * Whether a row may not break between two characters though the browser would.
 * @param {string} before ends with the first one
 * @param {string} after begins with the second one
 */
const joins = (before, after) =>
  before !== "" && (BREAKS_AFTER.has(before[before.length - 1]) || BREAKS_BEFORE.has(after[0]));

/**
 * A cell, and before it a place where the row breaks, if its characters begin with a space, or doesn't. Inside the cell,
 * the break would leave an empty end of it in the row above.
 * @param {HTMLElement} cell
 * @param {string} [before] the characters before it in its line
 * @param {boolean} [long] whether its word is longer than a row, which then breaks between any tokens
 * @returns {HTMLElement[]}
 */
export function breakBefore(cell, before = "", long = false) {
  const characters = cell.textContent ?? "";
  if (BEGINS_ROW.test(characters)) return [create("i", "seam"), cell];
  if (long && before && characters && !ENDS_SENTENCE.test(characters)) return [create("wbr"), cell];
  return joins(before, characters) ? [create("i", "joint"), cell] : [cell];
}

/**
 * Fill a cell with a token's characters; or with its bytes if it has none (null) or they are invisible.
 * @param {HTMLElement} cell
 * @param {string | null} characters
 * @param {Uint8Array} bytes
 */
export function fillCell(cell, characters, bytes) {
  if (characters === null || UNSEEN.test(characters) || ONLY_JOINERS.test(characters)) {
    cell.classList.add("hex");
    cell.textContent = hexBytes(bytes);
    return;
  }
  appendVisible(cell, characters);
  if (STARTS_WITH_MARK.test(characters)) {
    cell.classList.add("mark", RIGHT_TO_LEFT.test(characters) ? "rtl" : "ltr");
  } else if (JOINS_BEFORE.test(characters)) {
    cell.classList.add("apart");
  }
}

/**
 * @param {HTMLElement} cell
 * @param {string} text
 */
function appendVisible(cell, text) {
  let plain = "";
  for (const character of text) {
    const glyph = GLYPHS[character];
    if (plain && (glyph || joins(plain, character))) {
      cell.append(plain, ...(glyph ? [] : [create("i", "joint")]));
      plain = "";
    }
    if (!glyph) {
      plain += character;
      continue;
    }
    const ends = character === "\n" || character === "\r";
    const space = create("i", ends ? "ws end" : "ws", ...(ends ? [] : [character]));
    space.dataset.glyph = glyph;
    if (cell.hasChildNodes() && BEGINS_ROW.test(character)) cell.append(create("i", "seam"));
    cell.append(space);
  }
  if (plain) cell.append(plain);
}
