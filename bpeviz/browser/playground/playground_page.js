// @ts-check
// The playground: a page that trains on a person's text without a server, and plays the merges.

import { Comparer } from "../comparer/compared_text.js";
import { forkSays } from "../player/fork_marks.js";
import { Player } from "../player/merge_player.js";
import { stage } from "../player/stage.js";
import { create, find } from "../shared/elements.js";
import { counted, decimals } from "../shared/numbers.js";
import { readPack } from "../shared/pack.js";
import { putBeside } from "../standalone/beside_player.js";
import { contentOfPage, makePart, packOf, showLive } from "../standalone/page_parts.js";
import { gapsByRank } from "../trainer/ranked_merges.js";
import { rulesOf } from "../trainer/rules.js";
import { continuedWith } from "./choices.js";
import { keep, keptBefore } from "./kept.js";
import { RulesForm } from "./rules_form.js";
import { readable, savedPage } from "./saved_page.js";
import { linkPart, MOST_LINK, sharedBy } from "./share.js";
import { TextField, tooLong, wellFormed } from "./text_field.js";
import { gpt2Files, tokenizerJson } from "./tokenizer_files.js";
import { Trainings } from "./trainings.js";
import { comparisonPack, GPT2, rowOf } from "./with_gpt2.js";

/** @import { Fork, Run } from "../shared/types" */
/** @import { PairPanel } from "../player/pair_panel.js" */
/** @import { Rules, TrainerTable } from "../trainer/rules.js" */
/** @import { RankedMerges } from "../trainer/ranked_merges.js" */
/** @import { Packs } from "../trainer/trained_pack.js" */
/** @import { Sample } from "./text_field.js" */
/** @import { Formats } from "./tokenizer_files.js" */
/** @import { NamedFile } from "../player/exports.js" */

/**
 * What Python writes for this page; `first` is the sample that it begins with, and `step` where its player does.
 * @typedef {object} Given
 * @property {TrainerTable} table
 * @property {Sample[]} samples
 * @property {string} first
 * @property {number} step
 * @property {string[]} needs
 * @property {string} install
 * @property {Formats} formats
 * @property {string} licence of GPT-2's merges
 * @property {string} page the page of an empty run
 */

const TYPING_REST = 150; // milliseconds without a key, until it trains
const MOMENT = 250; // milliseconds, until the page shows that it trains
const NO_TEXT = "There is no text yet. Type or paste some, drop a file, or pick a sample.";

class Playground {
  constructor() {
    this.content = contentOfPage();
    /** @type {Given} */
    const given = JSON.parse(new TextDecoder().decode(packOf(this.content, "playground")));
    const { table, samples } = given;
    this.given = given;
    this.table = table;
    /** @type {RankedMerges} */
    this.gpt2 = readPack(packOf(this.content, "gpt2"));
    this.root = makePart(this.content, "playground", "above");
    const problem = (/** @type {string} */ says) => this.say(says);
    this.text = new TextField(this.root, samples, table.limits.bytes, () => this.changed(), problem);
    this.rules = new RulesForm(this.root, table, () => this.changed());
    this.trainings = new Trainings(this.content.worker, table);
    /** @type {{ player: Player, panel: PairPanel, forget(run: number): void } | null} */
    this.shown = null; // from the first run on
    /** @type {Fork[]} */
    this.choices = [];
    this.number = 1; // of the next run
    this.trained = ""; // the text of the run on show
    this.start = given.step;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.busyTimer = undefined;
    this.busy = find(this.root, ".busy");
    this.progress = find(this.root, "progress", HTMLProgressElement);
    /** @type {Packs | null} */
    this.packs = null; // of the run on show
    this.settings = table.settings; // those of that run
    /** @type {Int32Array | null} */
    this.gpt2Gaps = null; // those of GPT-2 on its text, once needed
    this.comparison = create("details", "", create("summary", "", `Compare with ${GPT2}`));
    /** @type {Comparer | null} */
    this.comparer = null;
    this.comparison.addEventListener("toggle", () => this.compare());
    this.listNeeds();
    this.listen();
    this.begin();
  }

  listNeeds() {
    const { needs, install, licence } = this.given;
    const list = find(this.root, ".needs .list");
    find(list, "ul").append(...needs.map((each) => create("li", "", each)));
    find(list, "pre").textContent = install;
    find(list, ".licence").textContent = licence;
  }

  listen() {
    const { root } = this;
    find(root, ".watch").addEventListener("click", () => this.train());
    this.text.field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.train();
    });
    find(root, ".share").addEventListener("click", () => this.share());
    addEventListener("hashchange", () => location.hash.length > 1 && this.begin());
    find(root, ".cancel").addEventListener("click", () => {
      this.trainings.cancel();
      this.showBusy(false);
    });
    find(root, ".undo").addEventListener("click", () => this.choose(this.choices.slice(0, -1)));
    find(root, ".choices .clear").addEventListener("click", () => this.choose([]));
    document.addEventListener("pointerdown", (event) => this.closeMenus(event.composedPath()));
    document.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") this.closeMenus([]);
    });
  }

  /**
   * Close the lists that a click is not in.
   * @param {EventTarget[]} path of the click
   */
  closeMenus(path) {
    for (const menu of this.root.querySelectorAll("details")) if (!path.includes(menu)) menu.open = false;
  }

  // Show what a link has, or what was there before a reload, else the first sample.
  async begin() {
    const { samples, first } = this.given;
    const shared = await sharedBy(location.hash);
    const { text, name, settings } = shared ?? keptBefore();
    const sample = samples.find(({ title }) => title === first) ?? samples[0];
    this.rules.show(settings ?? {});
    if (typeof text === "string" && text) this.text.show(wellFormed(text), String(name ?? ""));
    else this.text.show(sample.text, sample.title);
    this.choices = [];
    this.train();
    if (!shared && location.hash.length > 1)
      this.say("This link has no text that can be read. Ask for it again.");
  }

  // Put the text and the rules into the address, and copy it.
  async share() {
    const { name, text } = this.text;
    const part = await linkPart({ text, name, settings: this.rules.settings });
    const link = `${location.href.split("#")[0]}#${part}`;
    const line = find(this.root, ".link");
    const field = find(line, "input", HTMLInputElement);
    const says = find(line, "span");
    line.hidden = false;
    field.hidden = link.length > MOST_LINK;
    says.textContent = field.hidden
      ? `This text is too long for a link: it would have ${decimals(link.length)} characters of ${decimals(MOST_LINK)}.`
      : "";
    if (field.hidden) return;
    field.value = link;
    field.select();
    try {
      await navigator.clipboard.writeText(link);
      says.textContent = "Copied";
    } catch {
      says.textContent = "It is selected. Press Ctrl+C or ⌘C to copy it.";
    }
  }

  // Another text or other rules: a short text trains at once, without the person's own merges.
  changed() {
    clearTimeout(this.timer);
    this.choices = [];
    this.say("");
    find(this.root, ".link").hidden = true;
    if (location.hash) history.replaceState(null, "", location.href.split("#")[0]); // a reload keeps what is typed
    const short = this.size <= this.table.limits.typed;
    if (short || this.text.name) this.timer = setTimeout(() => this.train(), TYPING_REST);
    this.note(short || this.text.name ? "" : "Press “Watch it” to train on this text.");
  }

  get size() {
    return new TextEncoder().encode(this.text.text).length;
  }

  train(choices = this.choices) {
    clearTimeout(this.timer);
    const { number, size, text } = this;
    const { text: trained, name } = text;
    const { bytes: most } = this.table.limits;
    if (!size) return this.say(NO_TEXT);
    if (size > most) return this.say(tooLong(size, most));
    const settings = { ...this.rules.settings, choices };
    const start = this.shown ? this.shown.player.rest() : this.start;
    this.number += 2; // one without the person's choices may come beside it
    this.showBusy(true);
    this.trainings.train(
      { text: trained, settings, number, start },
      {
        tell: (made) => (this.progress.value = made / settings.num_merges),
        fail: (problem) => {
          this.showBusy(false);
          this.say(problem);
        },
        done: (packs) => {
          this.showBusy(false);
          this.say("");
          this.settings = settings;
          this.trained = trained;
          this.choices = choices;
          this.show(packs, number);
          keep({ text: trained, name, settings });
        },
      },
    );
  }

  /**
   * @param {Packs} packs
   * @param {number} number of the run
   */
  show(packs, number) {
    const { player: run, pairs } = packs;
    this.packs = packs;
    this.shown ??= this.makePlayer();
    document.getElementById("below")?.append(this.comparison);
    const { player, panel, forget } = this.shown;
    forget(number);
    stage.pairPack = pairs;
    player.bytes = run;
    player.load(run);
    panel.load(pairs);
    this.showChoices(player.run.labels);
    this.gpt2Gaps = null;
    this.showRows();
    this.compare();
    const { name } = this.text;
    this.note(`${name ? `${name}, ` : ""}${decimals(player.run.text_bytes)} bytes`);
  }

  makePlayer() {
    const player = new Player(makePart(this.content, "player"), true);
    player.trains = true;
    const shown = { player, ...putBeside(this.content, player) };
    shown.panel.setTriggerValue = (name, value) => {
      const { left, right, action, step } =
        /** @type {{ left: number, right: number } & Pick<Fork, "action"> & { step: number }} */ (value);
      if (name === "forked")
        this.choose(continuedWith(this.choices, { rank: step, pair: [left, right], action }));
    };
    player.exports.more = {
      Tokenizer: { JSON: () => this.file("tokenizer.json", this.tokenizer(tokenizerJson)) },
      "GPT-2’s two files": {
        vocabulary: () => this.file("vocab.json", this.tokenizer(gpt2Files).vocab),
        merges: () => this.file("merges.txt", this.tokenizer(gpt2Files).merges),
      },
      "Interactive page (.html)": { HTML: () => this.page(player) },
    };
    addEventListener("beforeprint", () => {
      document.getElementById("readable")?.replaceChildren(...readable(player, this.title(player)).children);
    });
    return shown;
  }

  /**
   * What a writer makes of the run on show.
   * @template Made
   * @param {(run: Run, rules: Rules, formats: Formats) => Made} write
   */
  tokenizer(write) {
    const { player } = /** @type {NonNullable<typeof this.shown>} */ (this.shown);
    return write(player.run, rulesOf(this.table, this.settings), this.given.formats);
  }

  /**
   * @param {string} name
   * @param {string} content
   * @returns {NamedFile}
   */
  file(name, content) {
    return [name, new Blob([content], { type: "text/plain" })];
  }

  /** @param {Player} player */
  title({ run }) {
    return `${this.text.name || "Text"}: recipe ${this.settings.recipe}, ${counted(run.num_merges, "merge")}`;
  }

  /**
   * @param {Player} player
   * @returns {Promise<NamedFile>}
   */
  async page(player) {
    player.transport.pause();
    const packs = /** @type {Packs} */ (this.packs);
    const source = await savedPage(this.given.page, player, packs, this.title(player));
    return [`bpeviz-interactive-page-${player.step}.html`, new Blob([source], { type: "text/html" })];
  }

  // How GPT-2 and this run cut a short text.
  showRows() {
    const { run } = /** @type {NonNullable<typeof this.shown>} */ (this.shown).player;
    const rows = find(this.root, ".rows");
    if (run.text.length > this.table.limits.typed) return rows.replaceChildren();
    const { lefts } = this.gpt2;
    rows.replaceChildren(
      ...rowOf(GPT2, run.text, this.gapsOfGpt2(), lefts.length),
      ...rowOf("This run", run.text, run.gaps, run.num_merges),
    );
  }

  gapsOfGpt2() {
    this.gpt2Gaps ??= gapsByRank(this.trained, this.gpt2, this.table);
    return this.gpt2Gaps;
  }

  // Show the comparison while its place is open.
  compare() {
    if (!this.comparison.open || !this.shown) return;
    const { run } = this.shown.player;
    this.comparer ??= this.makeComparer();
    if (this.comparer.serial === run.number) return;
    this.comparer.load(comparisonPack(run, this.gapsOfGpt2(), this.gpt2, this.table, this.settings.recipe));
  }

  makeComparer() {
    const part = makePart(this.content, "comparer", "below");
    this.comparison.append(part.host);
    return new Comparer(part);
  }

  /** @param {Fork[]} choices merges that the person chose or vetoed */
  choose(choices) {
    this.train(choices);
  }

  /** @param {Record<string, string>} labels of tokens by id */
  showChoices(labels) {
    const line = find(this.root, ".choices");
    line.hidden = !this.choices.length;
    find(line, ".made").textContent = `${this.choices.map((choice) => forkSays(choice, labels)).join(". ")}.`;
  }

  /** @param {string} problem */
  say(problem) {
    const line = find(this.root, ".problem");
    line.textContent = problem;
    line.hidden = !problem;
  }

  /** @param {string} says */
  note(says) {
    find(this.root, ".note").textContent = says;
  }

  /** @param {boolean} busy */
  showBusy(busy) {
    clearTimeout(this.busyTimer);
    this.progress.removeAttribute("value");
    if (!busy) this.busy.hidden = true;
    else this.busyTimer = setTimeout(() => (this.busy.hidden = false), MOMENT);
  }
}

showLive();
new Playground();
