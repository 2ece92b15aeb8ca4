// @ts-check
// The tip with the tokens of all rows, under the pointer or with the keyboard's focus.

import { shownToken } from "../shared/characters.js";
import { Details, tipLine } from "../shared/details.js";
import { create } from "../shared/elements.js";
import { SKIPPED, tokenAround } from "../shared/gap_ranks.js";
import { counted, decimals } from "../shared/numbers.js";
import { TokenIds } from "../shared/token_ids.js";
import { sideName } from "./sentences.js";

/** @import { IdSource, Token } from "../shared/types" */
/** @import { Side } from "./compared_text.js" */
/** @import { AlignedView } from "./aligned_view.js" */
/** @import { RankPairs } from "./rank_pairs.js" */

/** @typedef {{ source: Side & IdSource, tokenIds: TokenIds, merges: () => number }} TippedSide */

export class AlignedDetails extends Details {
  /** @type {() => TippedSide[]} */
  sides = () => [];

  /** @type {{ name: string }[]} */
  others = [];

  /**
   * @param {ParentNode} root
   * @param {AlignedView} view
   */
  constructor(root, view) {
    super(root, view);
    this.aligned = view;
  }

  /**
   * @param {Side[]} sides
   * @param {RankPairs} pairs
   * @param {() => number[]} merges how many merges each has now
   * @param {{ name: string }[]} others the tokenizers in more rows
   */
  open(sides, pairs, merges, others) {
    this.others = others;
    /** @type {TippedSide[] | undefined} */
    let made; // at the first tip
    this.sides = () => {
      made ??= sides.map((side, i) => {
        const source = { ...side, gaps: pairs.gaps(i) };
        return { source, tokenIds: new TokenIds(source), merges: () => merges()[i] };
      });
      return made;
    };
    this.hide();
  }

  /**
   * @override
   * @param {Token} token
   * @returns {HTMLElement[]}
   */
  lines({ start }) {
    const { text } = this.view;
    const ofSides = this.sides().flatMap((tipped, side) => [
      create("div", "tip-title", sideName(side, tipped.source.name)),
      ...linesOf(tipped, start),
    ]);
    const ofOthers = this.others.flatMap(({ name }, i) => [
      create("div", "tip-title", sideName(i + 2, name)),
      tipLine("", shownToken(text, ...this.aligned.tokenOf(i + 2, start))),
    ]);
    return [...ofSides, ...ofOthers];
  }
}

/**
 * The lines of a tip about one side's token at a byte.
 * @param {TippedSide} tipped
 * @param {number} offset
 */
function linesOf({ source: { text, gaps }, tokenIds, merges }, offset) {
  if (gaps[offset] === SKIPPED) return [tipLine("not in any token")];
  const token = tokenAround(gaps, merges(), offset);
  const { start, end, latest } = token;
  const id = tokenIds.of(token);
  const origin = latest < 0 ? "base vocabulary" : `merge ${decimals(latest + 1)}`;
  const named = id === undefined ? "" : `id ${id}, `;
  return [
    tipLine("", shownToken(text, start, end)),
    tipLine(`${counted(end - start, "byte")}, ${named}${origin}`),
  ];
}
