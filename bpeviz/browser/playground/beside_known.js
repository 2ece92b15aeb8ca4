// @ts-check
// The run on show beside finished tokenizers: a row of tokens each under the text, and its comparison with one of them
// below the player. GPT-2 is in the page; others may come from beside it.

import { Comparer } from "../comparer/compared_text.js";
import { create, find } from "../shared/elements.js";
import { readPack } from "../shared/pack.js";
import { makePart, packOf } from "../standalone/page_parts.js";
import { gapsByRank } from "../trainer/ranked_merges.js";
import { comparisonPack, rowOf } from "./with_known.js";

/** @import { Run } from "../shared/types" */
/** @import { Content } from "../standalone/page_parts.js" */
/** @import { RankedMerges } from "../trainer/ranked_merges.js" */
/** @import { TrainerTable } from "../trainer/rules.js" */

/** Gets the merges of a tokenizer that is beside the page. @typedef {(name: string) => Promise<RankedMerges>} GetMerges */

export class BesideKnown {
  /**
   * @param {ShadowRoot} root of the form
   * @param {Content} content
   * @param {TrainerTable} table
   * @param {string[]} others the names of those beside the page
   * @param {GetMerges} get
   * @param {(problem: string) => void} onProblem
   */
  constructor(root, content, table, others, get, onProblem) {
    this.rows = find(root, ".rows");
    this.content = content;
    this.table = table;
    this.get = get;
    this.onProblem = onProblem;
    /** @type {RankedMerges} */
    const gpt2 = readPack(packOf(content, "gpt2"));
    /** Those that are here, by their names. @type {Map<string, RankedMerges>} */
    this.known = new Map([[gpt2.name, gpt2]]);
    this.chosen = gpt2; // the one that the run is compared with
    /** @type {{ run: Run, text: string, name: string } | null} */
    this.shown = null;
    /** Their gap ranks on its text, once needed. @type {Map<string, Int32Array>} */
    this.gaps = new Map();
    this.summary = create("summary");
    this.place = create("details", "", this.summary);
    this.place.addEventListener("toggle", () => this.compare());
    /** @type {Comparer | null} */
    this.comparer = null;
    this.compared = ""; // what it shows
    this.select = find(root, ".known", HTMLSelectElement);
    this.select.hidden = !others.length;
    this.select.append(...[gpt2.name, ...others].map((name) => new Option(`Beside ${name}`, name)));
    this.select.addEventListener("change", () => this.choose(this.select.value));
  }

  /** @param {string} name */
  async choose(name) {
    this.onProblem("");
    this.select.disabled = true;
    try {
      const merges = this.known.get(name) ?? (await this.get(name));
      this.known.set(name, merges);
      this.chosen = merges;
    } catch (error) {
      this.select.value = this.chosen.name;
      this.onProblem(error instanceof Error ? error.message : String(error));
    }
    this.select.disabled = false;
    this.draw();
  }

  /**
   * @param {Run} run
   * @param {string} text
   * @param {string} name of the run
   */
  show(run, text, name) {
    if (!this.shown) document.getElementById("below")?.append(this.place);
    this.shown = { run, text, name };
    this.gaps.clear();
    this.draw();
  }

  draw() {
    if (!this.shown) return;
    const { name, run } = this.shown;
    this.summary.textContent = `Compare with ${this.chosen.name}`;
    const short = run.text.length <= this.table.limits.typed;
    this.rows.replaceChildren(
      ...(short ? [...this.known.values()].flatMap((merges) => this.rowOf(merges)) : []),
      ...(short ? rowOf(name, run.text, run.gaps, run.num_merges) : []),
    );
    this.compare();
  }

  /** @param {RankedMerges} merges */
  rowOf(merges) {
    const text = this.shown?.run.text ?? new Uint8Array();
    return rowOf(merges.name, text, this.gapsOf(merges), merges.lefts.length);
  }

  /** @param {RankedMerges} merges */
  gapsOf(merges) {
    const known = this.gaps.get(merges.name) ?? gapsByRank(this.shown?.text ?? "", merges, this.table);
    this.gaps.set(merges.name, known);
    return known;
  }

  // Show the comparison while its place is open.
  compare() {
    if (!this.place.open || !this.shown) return;
    const { chosen } = this;
    const { name, run } = this.shown;
    const wanted = `${run.number} ${chosen.name}`;
    if (this.compared === wanted) return;
    this.comparer ??= this.makeComparer();
    this.compared = wanted;
    this.comparer.load(comparisonPack(run, this.gapsOf(chosen), chosen, this.table, name));
  }

  makeComparer() {
    const part = makePart(this.content, "comparer", "below");
    this.place.append(part.host);
    return new Comparer(part);
  }
}
