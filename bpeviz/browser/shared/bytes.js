// @ts-check
// Bytes: as arrays, in hexadecimal, and as strings of one character a byte, which can be keys of maps.

export const NEWLINE = 10;

/**
 * @param {ArrayLike<number> | null} a
 * @param {ArrayLike<number>} b
 */
export function sameBytes(a, b) {
  if (a === b) return true;
  if (!a || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** @param {Iterable<number>} bytes */
export function binary(bytes) {
  let made = "";
  for (const byte of bytes) made += String.fromCharCode(byte);
  return made;
}

/** @param {string} spelling bytes as `binary` writes them */
export const bytesOf = (spelling) => Uint8Array.from(spelling, (character) => character.charCodeAt(0));

/** @param {string} hex two digits a byte */
export const bytesOfHex = (hex) =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** @param {Uint8Array} bytes */
export const hexOf = (bytes) => Array.from(bytes, hexByte).join("").toLowerCase(); // as Python's bytes.hex

/** @param {number} byte */
export const hexByte = (byte) => byte.toString(16).toUpperCase().padStart(2, "0");

/** @param {ArrayLike<number>} bytes */
export const hexBytes = (bytes) => Array.from(bytes, hexByte).join(" ");

/**
 * The bytes of a token in hexadecimal; of a long one the first.
 * @param {Uint8Array} text
 * @param {{ start: number, end: number }} token
 * @param {number} most
 */
export const firstHexBytes = (text, { start, end }, most) =>
  hexBytes(text.subarray(start, Math.min(end, start + most))) + (end - start > most ? " …" : "");

/**
 * Whether a byte continues a UTF-8 character; not after the end of the text.
 * @param {number | undefined} byte
 */
export const isContinuation = (byte) => byte !== undefined && (byte & 0xc0) === 0x80;

/**
 * How many characters begin in bytes.
 * @param {string} spelling
 */
export function countCharacters(spelling) {
  let count = 0;
  for (let i = 0; i < spelling.length; i++) if (!isContinuation(spelling.charCodeAt(i))) count++;
  return count;
}
