// @ts-check
// The colour of a token: the same for the same bytes in every text and tokenizer.

const HASHED_BYTES = 4096;

/**
 * From 0 to 359: FNV-1a of the first bytes and the length, the same as in bpeviz/text/token_text.py.
 * @param {Uint8Array} text
 * @param {number} [start]
 * @param {number} [end]
 */
export function tokenHue(text, start = 0, end = text.length) {
  let hash = 0x811c9dc5 ^ (end - start);
  for (let i = start; i < Math.min(end, start + HASHED_BYTES); i++) {
    hash = Math.imul(hash ^ text[i], 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((hash ^ (hash >>> 13)) >>> 0) % 360;
}
