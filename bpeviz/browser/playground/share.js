// @ts-check
// A link whose part after # has the text and the rules: no server sees that part.

import { find } from "../shared/elements.js";
import { decimals } from "../shared/numbers.js";
import { howToCopy, onlyTouches } from "../shared/pointer.js";
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

  // Show the link, and copy it. A phone offers to send it.
  async share() {
    const { field, line, says } = this;
    const made = linkTo(this.shared());
    const sends = onlyTouches() && navigator.canShare?.({ url: location.href });
    const copying = sends ? null : copy(made).then(() => "Copied", howToCopy);
    const link = await made;
    const long = isTooLong(link);
    line.hidden = false;
    field.hidden = long;
    says.textContent = long
      ? `This text is too long for a link: it would have ${decimals(link.length)} characters of ${decimals(MOST_LINK)}.`
      : "";
    if (long) return;
    field.value = link;
    field.select();
    says.textContent = await (copying ?? navigator.share({ url: link }).then(() => "", howToCopy));
  }
}

/**
 * A link to this page with the text and the rules after #.
 * @param {Kept} kept
 */
async function linkTo(kept) {
  const letters = await packed([new TextEncoder().encode(JSON.stringify(kept))], "deflate-raw");
  const part = letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `${location.href.split("#")[0]}#${part}`;
}

/** @param {string} link */
const isTooLong = (link) => link.length > MOST_LINK;

/**
 * Copy a link, unless it is too long. Safari refuses to copy after the press, so this doesn't wait for the link.
 * @param {Promise<string>} made
 */
async function copy(made) {
  const link = async () => (isTooLong(await made) ? Promise.reject(new Error("it is too long")) : made);
  await navigator.clipboard.write([new ClipboardItem({ "text/plain": link() })]);
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
