// @ts-check
// The run on show beside GPT-2: a row of tokens each under the text, and the comparison of the two below the player.

import { Comparer } from "../comparer/compared_text.js";
import { create, find } from "../shared/elements.js";
import { readPack } from "../shared/pack.js";
import { makePart, packOf } from "../standalone/page_parts.js";
import { gapsByRank } from "../trainer/ranked_merges.js";
import { comparisonPack, GPT2, rowOf } from "./with_gpt2.js";

/** @import { Run } from "../shared/types" */
/** @import { Content } from "../standalone/page_parts.js" */
/** @import { RankedMerges } from "../trainer/ranked_merges.js" */
/** @import { TrainerTable } from "../trainer/rules.js" */

export class BesideGpt2 {
  /**
   * @param {ShadowRoot} root of the form
   * @param {Content} content
   * @param {TrainerTable} table
   */
  constructor(root, content, table) {
    this.rows = find(root, ".rows");
    this.content = content;
    this.table = table;
    /** @type {RankedMerges} */
    this.merges = readPack(packOf(content, "gpt2"));
    /** @type {{ run: Run, text: string, name: string } | null} */
    this.shown = null;
    /** @type {Int32Array | null} */
    this.gaps = null; // those of GPT-2 on its text, once needed
    this.place = create("details", "", create("summary", "", `Compare with ${GPT2}`));
    this.place.addEventListener("toggle", () => this.compare());
    /** @type {Comparer | null} */
    this.comparer = null;
  }

  /**
   * @param {Run} run
   * @param {string} text
   * @param {string} name of the run
   */
  show(run, text, name) {
    if (!this.shown) document.getElementById("below")?.append(this.place);
    this.shown = { run, text, name };
    this.gaps = null;
    const short = run.text.length <= this.table.limits.typed;
    this.rows.replaceChildren(...(short ? this.rowsOf(run, text) : []));
    this.compare();
  }

  /**
   * @param {Run} run
   * @param {string} text
   */
  rowsOf(run, text) {
    return [
      ...rowOf(GPT2, run.text, this.gapsOf(text), this.merges.lefts.length),
      ...rowOf("This run", run.text, run.gaps, run.num_merges),
    ];
  }

  /** @param {string} text */
  gapsOf(text) {
    this.gaps ??= gapsByRank(text, this.merges, this.table);
    return this.gaps;
  }

  // Show the comparison while its place is open.
  compare() {
    if (!this.place.open || !this.shown) return;
    const { name, run, text } = this.shown;
    this.comparer ??= this.makeComparer();
    if (this.comparer.serial === run.number) return;
    this.comparer.load(comparisonPack(run, this.gapsOf(text), this.merges, this.table, name));
  }

  makeComparer() {
    const part = makePart(this.content, "comparer", "below");
    this.place.append(part.host);
    return new Comparer(part);
  }
}
