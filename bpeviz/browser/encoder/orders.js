// @ts-check
// A table of the pre-tokens that two orders of merging encode differently, with the tokens and ids of both.

import { madeOnce } from "../shared/component.js";
import { create, find } from "../shared/elements.js";
import { decimals } from "../shared/numbers.js";
import { TextOptions } from "../shared/text_options.js";
import { chipOf, knownTokens } from "./cells.js";

/** @import { ComponentArguments } from "../shared/types" */
/** @import { Known, ListedToken } from "./cells.js" */

/**
 * What Python sends; see `pack_orders` in encoder.py.
 * @typedef {object} Orders
 * @property {Record<string, ListedToken>} tokens
 * @property {number} more
 * @property {{ text: string, times: number, by_rank: number[], left_to_right: number[] }[]} rows
 */

/** @param {ComponentArguments<Orders>} component */
export default function ({ data, parentElement }) {
  const [, stop] = madeOnce(parentElement, () => new TextOptions(find(parentElement, ".bpeviz")));
  const known = knownTokens(data.tokens);
  const rows = data.rows.map(({ text, times, by_rank: byRank, left_to_right: leftToRight }) => {
    const name = create("th", "", create("b", "", text));
    name.scope = "row";
    if (times > 1) name.append(create("small", "", ` ${decimals(times)} times`));
    return create("tr", "", name, tokensCell(byRank, known), tokensCell(leftToRight, known));
  });
  find(parentElement, "tbody").replaceChildren(...rows);
  find(parentElement, ".more").textContent = data.more ? `and ${decimals(data.more)} more` : "";
  return stop;
}

/**
 * @param {number[]} ids
 * @param {Known} known
 */
function tokensCell(ids, known) {
  const chip = chipOf(ids.map(known));
  const cell = create("td", "", chip);
  cell.dir = chip.dir;
  return cell;
}
