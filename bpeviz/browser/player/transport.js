// @ts-check
// Plays the merges: play and pause, so many a second, and by itself until the person does something.

import { showPlaying } from "../shared/component.js";
import { find } from "../shared/elements.js";

/** @import { Player } from "./merge_player.js" */

const CALM = 2; // merges a second
const PLAYS_OR_PAUSES = " "; // the key

export class Transport {
  /**
   * @param {ShadowRoot} root
   * @param {Player} player
   */
  constructor(root, player) {
    this.player = player;
    this.button = find(root, ".play");
    this.speedField = find(root, ".speed", HTMLSelectElement);
    /** @type {number | null} */
    this.frame = null; // the animation frame asked for while playing
    this.byItself = false; // whether it plays because the page opened, not because somebody asked
    this.wantsLessMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.offer(Number(this.speedField.value));
  }

  /**
   * Play so many merges a second, until the person says otherwise. Ten are too many for people who want less motion.
   * @param {number} speed one of the field's
   */
  offer(speed) {
    this.speedField.value = String(this.wantsLessMotion ? Math.min(speed, CALM) : speed);
  }

  get playing() {
    return this.frame !== null;
  }

  // Of a new run: play by itself, if it is to be and people don't want less motion.
  open() {
    const { run, step, last } = this.player;
    this.byItself = run.autoplay > 0 && step < last && !this.wantsLessMotion;
    if (!this.byItself) return;
    const speeds = [...this.speedField.options].map(({ value }) => Number(value));
    if (speeds.includes(run.autoplay)) this.speedField.value = String(run.autoplay);
    this.play();
  }

  /**
   * Stop playing by itself at the person's first press; if that is to pause, the press does it.
   * @param {Event} event
   */
  takeOver(event) {
    if (!this.byItself) return;
    this.byItself = false;
    const pauses =
      event instanceof KeyboardEvent
        ? event.key === PLAYS_OR_PAUSES
        : event.composedPath().includes(this.button);
    if (!pauses) this.pause();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    const { player } = this;
    if (player.step >= player.last) player.go(0);
    showPlaying(this.button, player.sentence, true);
    /** @type {number | null} */
    let before = null;
    let owed = 0; // merges due, in fractions
    /** @param {number} now */
    const tick = (now) => {
      const speed = this.byItself ? player.run.autoplay : Number(this.speedField.value);
      owed += before === null ? 1 : ((now - before) / 1000) * speed;
      before = now;
      if (owed >= 1) {
        player.go(Math.min(this.end, player.step + Math.floor(owed)));
        owed %= 1;
      }
      if (player.step >= this.end) return this.pause();
      this.frame = requestAnimationFrame(tick);
    };
    this.frame = requestAnimationFrame(tick);
  }

  // The step at which it stops.
  get end() {
    const { run, last } = this.player;
    return this.byItself && run.until !== null ? Math.min(run.until, last) : last;
  }

  // Stop without a report, because another run takes the place of this one.
  halt() {
    if (this.frame !== null) cancelAnimationFrame(this.frame);
    this.frame = null;
    this.byItself = false;
    showPlaying(this.button, this.player.sentence, false);
  }

  pause() {
    if (!this.playing) return;
    this.halt();
    this.player.show(); // screen readers hear now where it stopped
    this.player.report();
  }
}
