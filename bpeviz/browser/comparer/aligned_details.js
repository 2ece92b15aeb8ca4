// @ts-check
// The tip with the tokens of all rows, under the pointer or with the keyboard's focus.

import { shownToken } from "../shared/characters.js";
import { Details, tipLine } from "../shared/details.js";
import { create } from "../shared/elements.js";
import { counted, decimals } from "../shared/numbers.js";
import { sideName } from "./sentences.js";

/** @import { Token } from "../shared/types" */
/** @import { AlignedView } from "./aligned_view.js" */

export class AlignedDetails extends Details {
  /** Those of all rows, from above. @type {string[]} */
  names = [];

  /**
   * @param {ParentNode} root
   * @param {AlignedView} view
   */
  constructor(root, view) {
    super(root, view);
    this.aligned = view;
  }

  /** @param {string[]} names */
  open(names) {
    this.names = names;
    this.hide();
  }

  /**
   * @override
   * @param {Token} token
   * @returns {HTMLElement[]}
   */
  lines({ start }) {
    return this.names.flatMap((name, row) => [
      create("div", "tip-title", sideName(row, name)),
      ...(row < 2 ? this.linesOfSide(row, start) : this.linesOfOther(row, start)),
    ]);
  }

  /**
   * @param {number} side
   * @param {number} offset
   */
  linesOfSide(side, offset) {
    const { rows, text } = this.aligned;
    const token = rows?.of(side, offset);
    if (!token) return [tipLine("not in any token")];
    const { start, end, latest } = token;
    const origin = latest < 0 ? "base vocabulary" : `merge ${decimals(latest + 1)}`;
    return [
      tipLine("", shownToken(text, start, end)),
      tipLine(`${counted(end - start, "byte")}, ${this.named(side, start)}${origin}`),
    ];
  }

  /**
   * @param {number} row
   * @param {number} offset
   */
  linesOfOther(row, offset) {
    const [start, end] = this.aligned.tokenOf(row, offset);
    return [
      tipLine("", shownToken(this.aligned.text, start, end)),
      tipLine(`${this.named(row, start)}${counted(end - start, "byte")}`),
    ];
  }

  /**
   * The id of a row's token, if it has one.
   * @param {number} row
   * @param {number} start
   */
  named(row, start) {
    const id = this.aligned.rows?.id(row, start);
    return id === undefined ? "" : `id ${id}, `;
  }
}
