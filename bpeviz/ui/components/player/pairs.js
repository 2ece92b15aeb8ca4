// @ts-check
// The panel of pairs: why the next merge is chosen, and the most frequent pairs. The player says at which step.

import { madeOnce } from "../shared/component.js";
import { find } from "../shared/elements.js";
import { readPack } from "../shared/pack.js";
import { page } from "./page.js";
import { PairChart } from "./pair_chart.js";
import { TopPairs } from "./top_pairs.js";

/** @import { ComponentArguments, Run } from "../shared/types" */
/** @import { PairBar, PairPack } from "./top_pairs.js" */

export class PairPanel {
  /** @param {ShadowRoot} root */
  constructor(root) {
    this.root = root;
    this.why = find(root, ".why");
    this.chart = new PairChart((bar) => this.picked(bar));
    find(root, ".panel").append(this.chart.figure);
    /** @type {TopPairs | null} */
    this.top = null;
    /** @type {Run | null} */
    this.shown = null; // the run whose pairs the chart has
    /** @type {ComponentArguments<null>["setTriggerValue"]} */
    this.setTriggerValue = () => {};
    page.bpevizPairs = this;
    if (page.bpevizPairPack) this.load(page.bpevizPairPack);
    else this.follow();
  }

  stop() {
    if (page.bpevizPairs === this) delete page.bpevizPairs;
    this.chart.stop();
  }

  /** @param {Uint8Array} bytes */
  load(bytes) {
    this.top = new TopPairs(/** @type {PairPack} */ (readPack(bytes)));
    this.shown = null;
    this.follow();
    this.chart.pick(page.bpevizPanels?.pair ?? null);
  }

  // Show the step of the player; until the pairs of its run are here, say so.
  follow() {
    const { top } = this;
    const { run, step } = page.bpevizPlayer ?? {};
    const ready = top !== null && run !== undefined && step !== undefined && top.pack.number === run.number;
    this.chart.figure.classList.toggle("waiting", !ready);
    if (!ready) {
      this.why.textContent = "Counting pairs …";
      return;
    }
    if (run !== this.shown) this.chart.load(run, top);
    this.shown = run;
    this.why.textContent = top.why(run, step);
    this.chart.show(step);
  }

  /**
   * Report a bar that the person clicks. The player rests there, and the report says where that is.
   * @param {PairBar} bar
   */
  picked({ left, right }) {
    const { bpevizPlayer: player } = page;
    if (!player) return;
    this.chart.pick([left, right]);
    this.setTriggerValue("picked", { left, right, step: player.rest() });
  }
}

/** @param {ComponentArguments<null>} component */
export default function ({ parentElement, setTriggerValue }) {
  const [panel, stop] = madeOnce(parentElement, () => new PairPanel(parentElement));
  panel.setTriggerValue = setTriggerValue;
  return stop;
}
