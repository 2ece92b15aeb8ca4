// @ts-check
// What the export menu saves of the run on show besides the player's own files, and what is printed of it.

import { counted } from "../shared/numbers.js";
import { rulesOf } from "../trainer/rules.js";
import { readable, savedPage } from "./saved_page.js";
import { gpt2Files, tokenizerJson } from "./tokenizer_files.js";

/** @import { Player } from "../player/merge_player.js" */
/** @import { MakeFile, NamedFile } from "../shared/chart_file.js" */
/** @import { Run } from "../shared/types" */
/** @import { Rules, TrainerTable } from "../trainer/rules.js" */
/** @import { Packs } from "../trainer/trained_pack.js" */
/** @import { Kept } from "./kept.js" */
/** @import { Formats } from "./tokenizer_files.js" */

/** The run on show: its text, its rules and its packs. @typedef {Kept & { packs: Packs }} ShownRun */
/** What Python gives: `page` is that of an empty run. @typedef {{ table: TrainerTable, formats: Formats, page: string }} ForFiles */

export class RunFiles {
  /**
   * @param {Player} player
   * @param {ForFiles} given
   * @param {() => ShownRun} onShow returns the run on show
   */
  constructor(player, given, onShow) {
    this.player = player;
    this.given = given;
    this.onShow = onShow;
  }

  /** @returns {Record<string, Record<string, MakeFile>>} */
  choices() {
    return {
      Tokenizer: { JSON: () => file("tokenizer.json", this.tokenizer(tokenizerJson)) },
      "GPT-2’s two files": {
        vocabulary: () => file("vocab.json", this.tokenizer(gpt2Files).vocab),
        merges: () => file("merges.txt", this.tokenizer(gpt2Files).merges),
      },
      "Interactive page (.html)": { HTML: () => this.page() },
    };
  }

  /**
   * What a writer makes of the run.
   * @template Made
   * @param {(run: Run, rules: Rules, formats: Formats) => Made} write
   */
  tokenizer(write) {
    const { formats, table } = this.given;
    return write(this.player.run, rulesOf(table, this.onShow().settings), formats);
  }

  get title() {
    const { name, settings } = this.onShow();
    return `${name || "Text"}: recipe ${settings.recipe}, ${counted(this.player.run.num_merges, "merge")}`;
  }

  /** @returns {Promise<NamedFile>} */
  async page() {
    const { player, given } = this;
    player.transport.pause();
    const source = await savedPage(given.page, player, this.onShow().packs, this.title);
    return [`bpeviz-interactive-page-${player.step}.html`, new Blob([source], { type: "text/html" })];
  }

  /** @param {string} title */
  putOnPaper(title) {
    document.getElementById("readable")?.replaceChildren(...readable(this.player, title).children);
  }
}

/**
 * @param {string} name
 * @param {string} content
 * @returns {NamedFile}
 */
const file = (name, content) => [name, new Blob([content], { type: "text/plain" })];
