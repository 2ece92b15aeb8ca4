// @ts-check
// A link whose part after # has the text and the rules: no server sees that part.

import { packed, unpacked } from "./packed.js";

/** @import { Kept } from "./kept.js" */

export const MOST_LINK = 8_000; // characters: longer ones break in messages
const MOST_UNPACKED = 2_000_000; // bytes: a link from a stranger may be small and grow

/**
 * The part after #.
 * @param {Kept} kept
 */
export async function linkPart(kept) {
  const letters = await packed([new TextEncoder().encode(JSON.stringify(kept))], "deflate-raw");
  return letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * The text and the rules of a link; null if it has none, or none that can be read.
 * @param {string} hash of the address
 * @returns {Promise<Partial<Kept> | null>}
 */
export async function sharedBy(hash) {
  if (hash.length < 2) return null;
  try {
    const letters = hash.slice(1).replaceAll("-", "+").replaceAll("_", "/");
    const bytes = await unpacked(letters, "deflate-raw", MOST_UNPACKED);
    const kept = JSON.parse(new TextDecoder().decode(bytes));
    return kept && typeof kept === "object" ? kept : null;
  } catch {
    return null;
  }
}
