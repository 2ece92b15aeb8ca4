// @ts-check
// The playground: a page that trains on a person's text without a server, and plays the merges.

import { forkSays } from "../player/fork_marks.js";
import { Player } from "../player/merge_player.js";
import { stage } from "../player/stage.js";
import { find } from "../shared/elements.js";
import { decimals } from "../shared/numbers.js";
import { withFields } from "../shared/pack.js";
import { putBeside } from "../standalone/beside_player.js";
import { contentOfPage, makePart, packOf } from "../standalone/page_parts.js";
import { BesideKnown } from "./beside_known.js";
import { continuedWith } from "./choices.js";
import { keep, keptBefore } from "./kept.js";
import { Learning } from "./learning.js";
import { listNeeds, watchMenus } from "./menus.js";
import { RulesForm } from "./rules_form.js";
import { RunFiles } from "./run_files.js";
import { Sharing, sharedBy } from "./share.js";
import { StatusLine } from "./status_line.js";
import { TextField, tooLong, wellFormed } from "./text_field.js";
import { Trainings } from "./trainings.js";

/** @import { Fork } from "../shared/types" */
/** @import { GetMerges } from "./beside_known.js" */
/** @import { TryIt } from "./learning.js" */
/** @import { ShownPlayer } from "./lesson_player.js" */
/** @import { Needs } from "./menus.js" */
/** @import { ForFiles, ShownRun } from "./run_files.js" */
/** @import { Sample } from "./text_field.js" */
/** @import { FileKinds } from "./text_files.js" */

/**
 * What Python writes for this page; `first` is the sample that it begins with, and `step` where its player does; the
 * tokenizers `beside` it are files in its folder.
 * @typedef {ForFiles & Needs & { beside: string[], samples: Sample[], first: string, step: number,
 *   file_kinds: FileKinds }} Given
 */

const YOUR_TEXT = "your text"; // the name of a run on what the person typed
const TYPING_REST = 150; // milliseconds without a key, until it trains
const NO_TEXT = "There is no text yet. Type or paste some, drop a file, or pick a sample.";

export class Playground {
  /** @param {GetMerges} [getMerges] of a tokenizer that is beside the page */
  constructor(getMerges = async () => Promise.reject()) {
    this.content = contentOfPage();
    /** @type {Given} */
    const given = JSON.parse(new TextDecoder().decode(packOf(this.content, "playground")));
    const { table, samples } = given;
    this.given = given;
    this.table = table;
    this.root = makePart(this.content, "playground", "above");
    const problem = (/** @type {string} */ says) => this.say(says);
    const changed = () => this.changed();
    this.text = new TextField(this.root, samples, table.limits.bytes, given.file_kinds, changed, problem);
    this.rules = new RulesForm(this.root, table, () => this.changed());
    this.trainings = new Trainings(this.content.worker, table);
    /** @type {ShownPlayer | null} */
    this.shown = null; // from the first run on
    /** @type {Fork[]} */
    this.choices = [];
    this.number = 1; // of the next run
    /** @type {number | null} */
    this.start = given.step; // of the first run
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.status = new StatusLine(this.root);
    /** @type {ShownRun | null} */
    this.run = null; // the person's own, on show while no lesson is
    this.runNumber = 0;
    this.besideKnown = new BesideKnown(this.root, this.content, table, given.beside, getMerges, problem);
    this.sharing = new Sharing(this.root, () => ({ ...this.typed, settings: this.rules.settings }));
    this.learning = new Learning(this.root, this.content, this);
    listNeeds(this.root, given);
    watchMenus(this.root);
    this.listen();
    this.begin();
  }

  listen() {
    const { root } = this;
    find(root, ".watch").addEventListener("click", () => this.train());
    this.text.field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.train();
    });
    addEventListener("hashchange", () => location.hash.length > 1 && this.begin());
    find(root, ".cancel").addEventListener("click", () => {
      this.trainings.cancel();
      this.status.end();
    });
    find(root, ".undo").addEventListener("click", () => this.choose(this.choices.slice(0, -1)));
    find(root, ".choices .clear").addEventListener("click", () => this.choose([]));
  }

  // Show what a link has, or what was there before a reload, else the first sample.
  async begin() {
    this.learning.leave();
    const shared = await sharedBy(location.hash);
    const kept = shared ?? keptBefore();
    this.rules.show(kept?.settings ?? {});
    const { text, title } = this.sampleNamed(this.given.first);
    if (kept) this.text.show(wellFormed(kept.text), kept.name);
    else this.text.show(text, title);
    this.train([]);
    if (!shared && location.hash.length > 1)
      this.say("This link has no text that can be read. Ask for it again.");
  }

  // Another text or other rules: a short text trains at once.
  changed() {
    clearTimeout(this.timer);
    this.learning.leave(); // a file was dropped
    this.say("");
    this.sharing.hide();
    if (location.hash) history.replaceState(null, "", location.href.split("#")[0]); // a reload keeps what is typed
    const short = this.size <= this.table.limits.typed;
    if (short || this.text.name) this.timer = setTimeout(() => this.train(), TYPING_REST);
    this.status.note(short || this.text.name ? "" : "Press “Watch it” to train on this text.");
  }

  // The text, and its name if it is a file or a sample.
  get typed() {
    const { name, text } = this.text;
    return { name, text };
  }

  get size() {
    return new TextEncoder().encode(this.text.text).length;
  }

  // Whether the run on show is that of the text and the rules in the fields.
  get isShown() {
    const rules = JSON.stringify(this.rules.settings); // without choices
    return (
      this.text.text === this.run?.text && rules === JSON.stringify({ ...this.run.settings, choices: [] })
    );
  }

  /** @param {Fork[]} [choices] another text, or other rules, have none */
  train(choices = this.isShown ? this.choices : []) {
    clearTimeout(this.timer);
    const { size } = this;
    const { text, name } = this.typed;
    const { bytes: most } = this.table.limits;
    if (!size) return this.say(NO_TEXT);
    if (size > most) return this.say(tooLong(size, most));
    this.say("");
    const settings = { ...this.rules.settings, choices };
    this.shown?.player.rest();
    const number = this.nextNumber();
    this.status.begin();
    this.trainings.train(
      { text, settings, number, start: 0 },
      {
        tell: (made) => this.status.tell(made / settings.num_merges),
        fail: (problem) => {
          this.status.end();
          this.say(problem);
        },
        done: (packs) => {
          this.status.end();
          this.choices = choices;
          this.show({ text, name, settings, packs }, number);
          keep({ text, name, settings });
        },
      },
    );
  }

  /**
   * @param {ShownRun} run
   * @param {number} number of the run
   */
  show(run, number) {
    const { name, text } = run;
    const { player: bytes, pairs } = run.packs;
    this.run = run;
    this.runNumber = number;
    const { player, panel, forget } = this.shownPlayer();
    forget(number);
    stage.pairPack = pairs;
    player.load(withFields(bytes, { start: this.start ?? player.step })); // the person may have gone on meanwhile
    this.start = null;
    panel.load(pairs);
    this.showChoices(player.run.labels);
    this.besideKnown.show(player.run, text, name || YOUR_TEXT);
    this.status.note(`${name ? `${name}, ` : ""}${decimals(player.run.text_bytes)} bytes`);
  }

  makePlayer() {
    const player = new Player(makePart(this.content, "player"), true);
    player.trains = true;
    const shown = { player, ...putBeside(this.content, player) };
    shown.panel.setTriggerValue = (name, value) => {
      const { left, right, action, step } =
        /** @type {{ left: number, right: number } & Pick<Fork, "action"> & { step: number }} */ (value);
      if (name === "forked" && !this.learning.here)
        this.choose(continuedWith(this.choices, { rank: step, pair: [left, right], action }));
    };
    const files = new RunFiles(player, this.given, () => /** @type {ShownRun} */ (this.run));
    player.exports.list.more = files.choices();
    addEventListener("beforeprint", () => files.putOnPaper(this.learning.title || files.title));
    return shown;
  }

  // The number of the next run; one without the person's choices may come beside it.
  nextNumber() {
    const { number } = this;
    this.number += 2;
    return number;
  }

  shownPlayer() {
    this.shown ??= this.makePlayer();
    return this.shown;
  }

  // A lesson begins: end what this page trains.
  pause() {
    clearTimeout(this.timer);
    if (this.trainings.busy) this.trainings.cancel();
    this.status.end();
    this.say("");
  }

  /**
   * Show the run of the person's own text again.
   * @param {number} step
   */
  back(step) {
    if (!this.run) return this.train([]);
    this.start = step;
    this.show(this.run, this.runNumber);
  }

  /** @param {TryIt} tryIt */
  tryOut({ sample, recipe, split, merges, step }) {
    this.rules.showTried({ recipe, split, merges });
    if (this.given.samples.some(({ title }) => title === this.text.name)) {
      const { text, title } = this.sampleNamed(sample);
      this.text.show(text, title);
      this.start = step;
    }
    this.text.field.focus();
    this.train();
  }

  /** @param {string} wanted */
  sampleNamed(wanted) {
    const { samples } = this.given;
    return samples.find(({ title }) => title === wanted) ?? samples[0];
  }

  /** @param {Fork[]} choices merges that the person chose or vetoed */
  choose(choices) {
    if (this.isShown) this.train(choices);
    else this.say("The text or the rules have changed. Press “Watch it” first.");
  }

  /** @param {Record<string, string>} labels of tokens by id */
  showChoices(labels) {
    const line = find(this.root, ".choices");
    line.hidden = !this.choices.length;
    find(line, ".made").textContent = `${this.choices.map((choice) => forkSays(choice, labels)).join(". ")}.`;
  }

  /** @param {string} problem */
  say(problem) {
    this.status.say(problem);
  }
}
