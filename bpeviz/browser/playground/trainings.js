// @ts-check
// Trains in a worker, one order at a time: a new order or "Cancel" ends the one before.

import { CUSTOM } from "../trainer/rules.js";

/** @import { TrainerTable } from "../trainer/rules.js" */
/** @import { Order, Packs } from "../trainer/trained_pack.js" */
/** @import { Answer } from "../trainer/worker.js" */

const NO_WORKER = "This browser can't train here. Try a newer one, or another browser.";

/** What the page does meanwhile. @typedef {{ tell(made: number): void, done(packs: Packs): void, fail(problem: string): void }} Asker */

export class Trainings {
  /**
   * @param {string} script of the worker
   * @param {TrainerTable} table
   */
  constructor(script, table) {
    this.address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    this.table = table;
    /** @type {Worker | null} */
    this.worker = null;
    this.busy = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.splitTimer = undefined; // a person's own pattern can take any time
  }

  /**
   * @param {Order} order
   * @param {Asker} asker
   */
  train(order, asker) {
    if (this.busy) this.cancel();
    try {
      this.worker ??= this.start();
    } catch {
      return asker.fail(NO_WORKER);
    }
    this.busy = true;
    /** @param {string} problem */
    const fail = (problem) => {
      this.cancel();
      asker.fail(problem);
    };
    const { sentences, limits } = this.table;
    if (order.settings.split === CUSTOM) {
      this.splitTimer = setTimeout(() => fail(sentences.too_slow), limits.split_seconds * 1000);
    }
    this.worker.onerror = () => fail(NO_WORKER);
    this.worker.onmessage = ({ data }) => {
      /** @type {Answer} */
      const answer = data;
      clearTimeout(this.splitTimer);
      if ("made" in answer) return asker.tell(answer.made);
      if ("problem" in answer) return fail(answer.problem);
      this.busy = false;
      asker.done(answer);
    };
    this.worker.postMessage(order);
  }

  start() {
    const worker = new Worker(this.address);
    worker.postMessage(this.table);
    return worker;
  }

  cancel() {
    clearTimeout(this.splitTimer);
    this.worker?.terminate();
    this.worker = null;
    this.busy = false;
  }
}
