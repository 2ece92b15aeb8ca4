// @ts-check
// The player while a lesson is on show: the run of a stop, which trains here or is packed in the page. Afterwards the
// person's own run is on show again, as it was.

import { stage } from "../player/stage.js";
import { withFields } from "../shared/pack.js";
import { openPanel } from "../shared/streamlit_page.js";
import { packOf } from "../standalone/page_parts.js";

/** @import { MakeFile } from "../shared/chart_file.js" */
/** @import { Player } from "../player/merge_player.js" */
/** @import { PairPanel } from "../player/pair_panel.js" */
/** @import { Content } from "../standalone/page_parts.js" */
/** @import { Settings, TrainerTable } from "../trainer/rules.js" */
/** @import { StopWords } from "../lesson/lesson_card.js" */
/** @import { Here, TryIt } from "./learning.js" */
/** @import { Sample } from "./text_field.js" */
/** @import { Trainings } from "./trainings.js" */

/**
 * A stop of a lesson; see bpeviz/standalone/lessons.py. What its action does is to play to `until`, if that is not null.
 * @typedef {StopWords & { run: string, step: number, spotlight: string, until: number | null, speed: number }} LessonStop
 */
/** What the browser trains: a text, or a sample by its title, and rules. @typedef {{ text: string, sample: string } & Partial<Settings>} LessonOrder */
/** A run: a replay has no pairs. @typedef {{ player: Uint8Array, pairs: Uint8Array | null }} LessonPacks */
/** The player and what is beside it. @typedef {{ player: Player, panel: PairPanel, forget(run: number): void }} ShownPlayer */
/**
 * What the page does for a lesson.
 * @typedef {object} LearningPage
 * @property {TrainerTable} table
 * @property {Trainings} trainings
 * @property {() => ShownPlayer} shownPlayer
 * @property {() => number} nextNumber of a run
 * @property {() => void} pause ends what it trains
 * @property {(step: number) => void} back shows the person's own run again
 * @property {(tryIt: TryIt) => void} tryOut
 * @property {(title: string) => Sample} sampleNamed
 * @property {(problem: string) => void} say
 */

export class LessonPlayer {
  /**
   * @param {Content} content
   * @param {LearningPage} page
   */
  constructor(content, page) {
    this.content = content;
    this.page = page;
    /** The runs by name. @type {Map<string, LessonPacks>} */
    this.made = new Map();
    /** The player as the lesson found it. @type {{ step: number, speed: number, files: Record<string, Record<string, MakeFile>> } | null} */
    this.before = null;
  }

  // Make room for a stop.
  enter() {
    this.page.pause();
    if (this.before) return;
    const { player } = this.page.shownPlayer();
    const { list } = player.exports;
    this.before = { step: player.step, speed: Number(player.transport.speedField.value), files: list.more };
    list.more = {}; // the page saves the person's own run only
    stage.pick(null); // closes the card of a pair
    openPanel(0);
  }

  leave() {
    if (!this.before) return;
    const { step, speed, files } = this.before;
    const { panel, player } = this.page.shownPlayer();
    this.before = null;
    stage.pick(null);
    panel.hasCard = true;
    player.exports.list.more = files;
    player.transport.offer(speed);
    this.page.back(step);
  }

  /**
   * Show a run at a stop. While the person guesses its next merge, it ends there, and its pairs are hidden.
   * @param {Here} here
   * @param {LessonPacks} packs
   * @param {boolean} hides
   * @param {[number, number] | null} guessed the pair to mark
   */
  show({ lesson, place, acts }, packs, hides, guessed) {
    const { panel, player, forget } = this.page.shownPlayer();
    const stop = lesson.stops[place];
    const number = this.page.nextNumber();
    const pairs = hides || !packs.pairs ? null : withFields(packs.pairs, { number });
    document.documentElement.dataset.lesson = pairs ? "pairs" : "words";
    stage.pick(null);
    panel.hasCard = false; // it would say what people are to guess
    forget(number);
    stage.pairPack = pairs;
    player.load(
      withFields(packs.player, {
        number,
        title: stop.run.replaceAll("_", " "),
        start: stop.step,
        until: acts ? stop.until : null,
        autoplay: acts ? stop.speed : 0,
        guess: hides,
        grows: pairs !== null,
        spotlight: stop.spotlight,
        chooser: lesson.chooser,
      }),
    );
    if (pairs) panel.load(pairs);
    stage.pick(guessed);
  }

  /**
   * The run of a stop; if it hides the next merge, without that and what follows.
   * @param {string} slug of the lesson
   * @param {LessonStop} stop
   * @param {LessonOrder | null} order null for one that is packed
   * @param {boolean} hides
   */
  async packsOf(slug, { run, step }, order, hides) {
    const name = `${slug}/${run}${hides ? `/${step}` : ""}`;
    const known = this.made.get(name);
    if (known) return known;
    const made = order ? await this.train(hides ? { ...order, num_merges: step } : order) : this.packed(name);
    this.made.set(name, made);
    return made;
  }

  /**
   * @param {string} name
   * @returns {LessonPacks}
   */
  packed(name) {
    const { content } = this;
    const pairs = `${name}/pairs`;
    return {
      player: packOf(content, name),
      pairs: pairs in content.settings.packs ? packOf(content, pairs) : null,
    };
  }

  /**
   * @param {LessonOrder} order
   * @returns {Promise<LessonPacks>}
   */
  train({ text, sample, ...rules }) {
    const { page } = this;
    const order = {
      text: text || page.sampleNamed(sample).text,
      settings: { ...page.table.settings, ...rules },
      number: page.nextNumber(),
      start: 0,
    };
    return new Promise((done, reject) => {
      const fail = (/** @type {string} */ problem) => reject(new Error(problem));
      page.trainings.train(order, { tell: () => {}, fail, done });
    });
  }
}
