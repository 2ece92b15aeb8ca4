// @ts-check
// The panel of pairs: why the next merge is chosen, and the most frequent pairs. The player says at which step.

import { find } from "../shared/elements.js";
import { readPack } from "../shared/pack.js";
import { futuresVerdict, pairsPanel } from "../shared/streamlit_page.js";
import { bringIntoView, watchRoom } from "./fit.js";
import { PairCard } from "./pair_card.js";
import { PairChart } from "./pair_chart.js";
import { named, watchPairs } from "./sentence.js";
import { stage } from "./stage.js";
import { TopPairs } from "./top_pairs.js";

/** @import { ComponentArguments, Run } from "../shared/types" */
/** @import { Action } from "./pair_chart.js" */
/** @import { PairBar, PairPack } from "./top_pairs.js" */

const CAUGHT_AFTER = 400; // milliseconds until Streamlit has removed what it removes

export class PairPanel {
  /** @param {ShadowRoot} root */
  constructor(root) {
    this.root = root;
    this.why = find(root, ".why");
    this.reason = find(this.why, ".reason");
    this.values = find(this.why, ".values"); // what decides a tie, if the person asked for it
    this.valuesButton = find(this.why, ".show-values");
    this.valuesButton.addEventListener("click", () => {
      const open = this.valuesButton.ariaExpanded === "true";
      this.valuesButton.ariaExpanded = String(!open);
      this.follow();
    });
    watchPairs(this.why, (pair) => this.picked(pair));
    this.chart = new PairChart(
      (bar) => this.picked(bar),
      (bar, action) => this.forked(bar, action),
      (bar) => stage.point(bar ? { pair: [bar.left, bar.right] } : {}),
    );
    this.card = new PairCard(
      root,
      () => this.clear(),
      (action) => stage.pair && this.forked({ left: stage.pair[0], right: stage.pair[1] }, action),
    );
    find(root, ".panel").append(this.chart.figure);
    this.stopWatching = watchRoom(root, this.chart.svg, (room) => this.chart.fit(room), [this.card.card]);
    this.hasCard = true; // a lesson has none: it would say what people are to guess
    this.keyed = false; // whether the person's last act was a key in the panel
    this.stopping = new AbortController();
    this.watchActs();
    this.removals = new MutationObserver(() => this.catchFocus());
    const panel = pairsPanel(root.host);
    if (panel) this.removals.observe(panel, { childList: true, subtree: true });
    /** @type {TopPairs | null} */
    this.top = null;
    /** @type {Run | null} */
    this.shown = null; // the run whose pairs the chart has
    /** @type {ComponentArguments<null>["setTriggerValue"]} */
    this.setTriggerValue = () => {};
    stage.pairs = this;
    this.stopFollowing = stage.subscribe(() => this.follow());
    this.stopMarking = stage.onMark(() => this.mark());
    if (stage.pairPack) this.load(stage.pairPack);
    else this.follow();
  }

  stop() {
    if (stage.pairs === this) stage.pairs = null;
    if (!this.hasCard) stage.pick(null); // the next stop of a lesson asks about another pair
    this.stopFollowing();
    this.stopMarking();
    this.stopWatching();
    this.stopping.abort();
    this.removals.disconnect();
    this.chart.stop();
  }

  /** @param {Uint8Array} bytes */
  load(bytes) {
    if (this.top) setTimeout(() => this.arrive(), CAUGHT_AFTER); // another run: a fork
    this.top = new TopPairs(/** @type {PairPack} */ (readPack(bytes)));
    this.shown = null;
    this.follow();
    this.mark();
  }

  // Show the picked pair, and the bars with the token that the person points at.
  mark() {
    this.chart.pick(stage.pair);
    this.chart.hold(stage.pointed.token);
    this.showCard();
  }

  showCard() {
    if (this.hasCard) this.card.show();
  }

  // Show the step of the player; until the pairs of its run are here, say so.
  follow() {
    const { top } = this;
    const { player } = stage;
    const ready = top !== null && player !== null && top.pack.number === player.run.number;
    this.chart.figure.classList.toggle("waiting", !ready);
    if (!ready) {
      this.reason.textContent = "Counting pairs …";
      this.showValues([]);
      return;
    }
    const { run, step } = player;
    find(this.root, ".panel").dataset.spotlight = run.spotlight;
    if (run !== this.shown) {
      this.chart.load(run, top);
      if (run.spotlight === "pairs") bringIntoView(this.root.querySelector(".pairs"));
    }
    this.shown = run;
    this.reason.replaceChildren(...named(top.why(run, step), run));
    this.showValues(named(player.tieValues(top), run));
    this.chart.show(step);
    this.showCard();
  }

  /** @param {(string | HTMLElement)[]} values */
  showValues(values) {
    this.valuesButton.hidden = !values.length;
    const open = this.valuesButton.ariaExpanded === "true";
    this.values.replaceChildren(...(open && values.length ? [" ", ...values, "."] : []));
  }

  /**
   * Report a bar that the person clicks. The player rests there, and the report says where that is.
   * @param {{ left: number, right: number }} bar
   */
  picked({ left, right }) {
    const { player } = stage;
    if (!player) return;
    stage.pick([left, right]);
    this.setTriggerValue("picked", { left, right, step: player.rest() });
  }

  // Close the card. The bar that it was about gets the focus.
  clear() {
    const { player } = stage;
    this.chart.focus();
    stage.pick(null);
    if (player) this.setTriggerValue("cleared", { step: player.rest() });
  }

  /**
   * Report a pair that the person merges next or never.
   * @param {{ left: number, right: number }} pair
   * @param {Action} action
   */
  forked({ left, right }, action) {
    const { player } = stage;
    if (player) this.setTriggerValue("forked", { left, right, action, step: player.rest() });
  }

  // Another run is on the page: if it is beside the one before, show the verdict on both, and say it. On a slow machine
  // the verdict is drawn later than the run.
  arrive(tries = 20) {
    this.catchFocus();
    const verdict = futuresVerdict();
    if (!verdict && stage.player?.beside.run && tries > 0) {
      setTimeout(() => this.arrive(tries - 1), CAUGHT_AFTER);
      return;
    }
    find(this.root, ".verdict").textContent = verdict?.querySelector("p")?.textContent ?? "";
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
    verdict?.scrollIntoView({ block: "nearest", behavior });
  }

  watchActs() {
    const options = { signal: this.stopping.signal, capture: true }; // others may stop the event
    document.addEventListener("keydown", (event) => (this.keyed = isInPairs(event)), options);
    for (const act of ["pointerdown", "drop"]) {
      document.addEventListener(act, () => (this.keyed = false), options);
    }
  }

  // After a choice by keyboard, Streamlit may remove the field or button that had the focus: then the bars get it.
  // A page without a focus is no reason: after a click or a dropped file it has none either.
  catchFocus() {
    const { activeElement: focused } = document;
    if (this.keyed && (!focused || focused === document.body)) this.chart.focus();
  }
}

/** @param {Event} event */
const isInPairs = ({ target }) => target instanceof Element && pairsPanel(target) !== null;
