// @ts-check
// Variants of a word, each on a card with its tokens.

import { madeOnce } from "../shared/component.js";
import { create, find } from "../shared/elements.js";
import { counted } from "../shared/numbers.js";
import { TextOptions } from "../shared/text_options.js";
import { chipOf, knownTokens } from "./cells.js";

/** @import { ComponentArguments } from "../shared/types" */
/** @import { Known, ListedToken } from "./cells.js" */

/**
 * What Python sends; see `pack_variants` in encoding.py. A variant that can't be encoded has no ids.
 * @typedef {object} Variants
 * @property {Record<string, ListedToken>} tokens
 * @property {{ text: string, ids: number[] | null }[]} variants
 */

/** @param {ComponentArguments<Variants>} component */
export default function ({ data, parentElement }) {
  const [, stop] = madeOnce(parentElement, () => new TextOptions(find(parentElement, ".bpeviz")));
  const known = knownTokens(data.tokens);
  find(parentElement, "ul").replaceChildren(...data.variants.map((variant) => card(variant, known)));
  return stop;
}

/**
 * @param {Variants["variants"][number]} variant
 * @param {Known} known
 */
function card({ text, ids }, known) {
  const name = create("b", "", text);
  if (!ids) return create("li", "", name, create("small", "", "can't be encoded"));
  return create("li", "", name, chipOf(ids.map(known)), create("small", "", counted(ids.length, "token")));
}
