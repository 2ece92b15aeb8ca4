// @ts-check
// The lessons: their list in the menu "Learn", and the stop on show. Its run trains here, or is packed in the page.

import { LessonCard, words } from "../lesson/lesson_card.js";
import { Lexicon } from "../player/lexicon.js";
import { PairLife } from "../player/pair_life.js";
import { stage } from "../player/stage.js";
import { create, find } from "../shared/elements.js";
import { decimals, times } from "../shared/numbers.js";
import { makePart, packOf } from "../standalone/page_parts.js";
import { fill } from "../trainer/rules.js";
import { LessonPlayer } from "./lesson_player.js";

/** @import { Content } from "../standalone/page_parts.js" */
/** @import { LessonAnswer, Said } from "../lesson/lesson_card.js" */
/** @import { LearningPage, LessonOrder, LessonStop } from "./lesson_player.js" */

/** Where "Try it on your own text" leads. @typedef {{ sample: string, recipe: string, split: string, merges: number, step: number, rules: string }} TryIt */
/**
 * @typedef {object} Lesson
 * @property {string} slug
 * @property {string} kind
 * @property {Said} title
 * @property {Said} about
 * @property {string} chooser
 * @property {Record<string, LessonOrder | null>} runs null for one that is packed
 * @property {LessonStop[]} stops
 * @property {TryIt} try_it
 */
/** What Python writes. @typedef {{ groups: Record<string, string>, verdicts: Record<string, string>, less_frequent: string, lessons: Lesson[] }} LessonTable */
/** The stop on show, and whether the person has taken its action. @typedef {{ lesson: Lesson, place: number, acts: boolean }} Here */

const TOUR = "tour";

export class Learning {
  /**
   * @param {ShadowRoot} root of the form
   * @param {Content} content
   * @param {LearningPage} page
   */
  constructor(root, content, page) {
    /** @type {LessonTable} */
    this.given = JSON.parse(new TextDecoder().decode(packOf(content, "lessons")));
    this.content = content;
    this.page = page;
    this.player = new LessonPlayer(content, page);
    this.shell = find(root, ".playground");
    this.menu = find(root, ".learn", HTMLDetailsElement);
    /** @type {Here | null} */
    this.here = null;
    /** @type {LessonCard | null} */
    this.card = null;
    this.tourPlace = 0; // the card where the tour continues
    /** The answers by lesson and stop. @type {Map<LessonStop, LessonAnswer | null>} */
    this.answers = new Map();
    this.tourButton = create("button", "key tour");
    this.listLessons();
  }

  listLessons() {
    const { groups, lessons } = this.given;
    const tour = lessons.find(({ slug }) => slug === TOUR);
    if (tour) this.offer(this.tourButton, tour);
    const lists = Object.entries(groups).map(([kind, title]) => {
      const items = lessons
        .filter((lesson) => lesson.kind === kind)
        .map((lesson) => {
          const button = create("button", "lesson", ...words(lesson.title));
          this.offer(button, lesson);
          return create("li", "", button, create("p", "", ...words(lesson.about)));
        });
      return create("section", "", create("h2", "", title), create("ul", "", ...items));
    });
    find(this.menu, ".list").append(this.tourButton, ...lists);
    this.nameTour();
  }

  /**
   * @param {HTMLButtonElement} button
   * @param {Lesson} lesson
   */
  offer(button, lesson) {
    button.type = "button";
    button.addEventListener("click", () => {
      this.menu.open = false;
      this.show(lesson, lesson.slug === TOUR ? this.tourPlace : 0);
    });
  }

  nameTour() {
    const place = this.tourPlace;
    this.tourButton.textContent = place ? `Continue the tour at card ${place + 1}` : "Take the tour";
  }

  /**
   * @param {Lesson} lesson
   * @param {number} place
   * @param {boolean} [acts]
   */
  async show(lesson, place, acts = false) {
    this.player.enter();
    const here = { lesson, place, acts };
    this.here = here;
    if (lesson.slug === TOUR) this.tourPlace = place;
    this.nameTour();
    this.page.shownPlayer().player.setTriggerValue = (name, value) => {
      if (name === "guessed") this.guessed(/** @type {{ left: number, right: number }} */ (value));
    };
    this.card ??= this.makeCard();
    this.drawCard(here);
    const stop = lesson.stops[place];
    const hides = this.asks(stop) && stop.guess?.count !== null; // the merge that the person guesses
    try {
      const packs = await this.player.packsOf(lesson.slug, stop, lesson.runs[stop.run], hides);
      if (this.here === here) this.player.show(here, packs, hides, this.answers.get(stop)?.pair ?? null);
    } catch (error) {
      if (this.here === here) this.page.say(error instanceof Error ? error.message : String(error));
    }
  }

  makeCard() {
    const root = makePart(this.content, "lesson");
    document.getElementById("parts")?.prepend(root.host); // people read it first
    return new LessonCard(root, this.given.verdicts, {
      leave: () => this.leave(true),
      back: () => this.step(-1),
      forward: () => this.goOn(),
      answer: (given) => this.answer(given),
    });
  }

  // The title of the lesson on show; empty without one.
  get title() {
    return this.here?.lesson.title.flat().join("") ?? "";
  }

  /** @param {LessonStop} stop */
  asks(stop) {
    return stop.guess !== null && !this.answers.has(stop);
  }

  /** @param {Here} here */
  drawCard({ lesson, place, acts }) {
    const { slug, stops, title, try_it: tryIt } = lesson;
    const stop = stops[place];
    document.documentElement.dataset.lesson ??= "words";
    this.shell.classList.add("teaches");
    this.card?.show({
      noun: slug === TOUR ? "card" : "stop",
      title,
      place,
      stops: stops.length,
      stop,
      score: "",
      leads: `Opens the field for your text. Rules: ${tryIt.rules}.`,
      asks: this.asks(stop),
      acts,
      given: this.answers.get(stop) ?? null,
    });
  }

  /** @param {number} by */
  step(by) {
    if (!this.here) return;
    const { lesson, place } = this.here;
    if (lesson.stops[place + by]) this.show(lesson, place + by);
  }

  // The action of the stop, or the next one, or after the last one the person's own text.
  goOn() {
    if (!this.here) return;
    const { lesson, place, acts } = this.here;
    const stop = lesson.stops[place];
    if (this.asks(stop)) return;
    if (stop.until !== null && !acts) return this.show(lesson, place, true);
    if (place + 1 < lesson.stops.length) return this.step(1);
    this.tourPlace = 0;
    this.leave();
    this.page.tryOut(lesson.try_it);
  }

  /** @param {LessonAnswer | null} given */
  answer(given) {
    if (!this.here) return;
    const { lesson, place } = this.here;
    const stop = lesson.stops[place];
    if (!this.asks(stop)) return; // the first of two quick answers
    this.answers.set(stop, given);
    this.show(lesson, place);
  }

  /**
   * The person picked a pair in the text.
   * @param {{ left: number, right: number }} pair
   */
  guessed({ left, right }) {
    const guess = this.here?.lesson.stops[this.here.place].guess;
    const { run } = stage;
    if (!guess || guess.count === null || !run) return;
    const known = [...guess.answers, ...guess.others].find(
      ({ pair }) => pair?.[0] === left && pair[1] === right,
    );
    if (known) return this.answer(known);
    const label = `${run.labels[left]} + ${run.labels[right]}`;
    const own = new PairLife(new Lexicon(run), [left, right]).counts[run.num_merges];
    const why = fill(this.given.less_frequent, {
      pair: label,
      often: times(own),
      fewer: decimals(guess.count - own),
      free: "",
    });
    this.answer({ words: [label], right: false, ties: false, why, pair: [left, right] });
  }

  /**
   * Show the person's own run again.
   * @param {boolean} [listed] whether the list of lessons opens
   */
  leave(listed = false) {
    if (!this.here) return;
    const { slug } = this.here.lesson;
    this.here = null;
    delete document.documentElement.dataset.lesson;
    this.shell.classList.remove("teaches");
    this.nameTour();
    this.player.leave();
    if (!listed) return;
    this.menu.open = slug !== TOUR;
    find(this.menu, "summary").focus();
  }
}
