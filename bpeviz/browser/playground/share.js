// @ts-check
// A link whose part after # has the text and the rules: no server sees that part.

import { find } from "../shared/elements.js";
import { decimals } from "../shared/numbers.js";
import { keptIn } from "./kept.js";
import { packed, unpacked } from "./packed.js";

/** @import { Kept, Received } from "./kept.js" */

const MOST_LINK = 8_000; // characters: longer ones break in messages
const MOST_UNPACKED = 2_000_000; // bytes: a link from a stranger may be small and grow

export class Sharing {
  /**
   * @param {ParentNode} root
   * @param {() => Kept} shared returns the text and the rules in the fields
   */
  constructor(root, shared) {
    this.shared = shared;
    this.line = find(root, ".link");
    this.field = find(this.line, "input", HTMLInputElement);
    this.says = find(this.line, "span");
    find(root, ".share").addEventListener("click", () => this.share());
  }

  hide() {
    this.line.hidden = true;
    this.says.textContent = ""; // a new link has to be made first
  }

  // Show the link, and copy it.
  async share() {
    const { field, line, says } = this;
    const link = `${location.href.split("#")[0]}#${await linkPart(this.shared())}`;
    const long = link.length > MOST_LINK;
    line.hidden = false;
    field.hidden = long;
    says.textContent = long
      ? `This text is too long for a link: it would have ${decimals(link.length)} characters of ${decimals(MOST_LINK)}.`
      : "";
    if (long) return;
    field.value = link;
    field.select();
    try {
      await navigator.clipboard.writeText(link);
      says.textContent = "Copied";
    } catch {
      says.textContent = "It is selected. Press Ctrl+C or ⌘C to copy it.";
    }
  }
}

/**
 * The part after #.
 * @param {Kept} kept
 */
async function linkPart(kept) {
  const letters = await packed([new TextEncoder().encode(JSON.stringify(kept))], "deflate-raw");
  return letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * The text and the rules of a link; null if it has none, or none that can be read.
 * @param {string} hash of the address
 * @returns {Promise<Received | null>}
 */
export async function sharedBy(hash) {
  if (hash.length < 2) return null;
  try {
    const letters = hash.slice(1).replaceAll("-", "+").replaceAll("_", "/");
    const bytes = await unpacked(letters, "deflate-raw", MOST_UNPACKED);
    return keptIn(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}
