// @ts-check
// The card of the picked pair: how often it occurs now, its life over all merges, and what a person can do with it. It
// comes from the run alone; only of a large corpus does the server count the pair.

import { linePath, onDrag } from "../shared/curve.js";
import { find, findAll } from "../shared/elements.js";
import { capital, counted, decimals, times } from "../shared/numbers.js";
import { PairLife } from "./pair_life.js";
import { named } from "./sentence.js";
import { stage } from "./stage.js";

/** @import { Run } from "../shared/types" */
/** @import { Action } from "./pair_chart.js" */
/** @import { Lexicon } from "./lexicon.js" */
/** @import { Pair } from "./pair_life.js" */
/** @import { Player } from "./merge_player.js" */
/** @import { Phrase } from "./sentence.js" */

const LIFE_WIDTH = 400;
const LIFE_HEIGHT = 44;
const LIFE_EDGE = 3;
const MOST_OVERLAPS = 4; // of overlaps
const MOST_OVERLAPPING = 9; // in one of them

export class PairCard {
  /**
   * @param {ParentNode} root
   * @param {() => void} onClear called when the person closes the card
   * @param {(action: Action) => void} onFork called when they merge the pair next, or never
   */
  constructor(root, onClear, onFork) {
    this.card = find(root, ".pair-card");
    this.says = find(this.card, ".says");
    this.svg = find(this.card, ".life", SVGSVGElement);
    this.line = find(this.svg, ".line", SVGElement);
    this.now = find(this.svg, ".now", SVGElement);
    this.note = find(this.card, ".note");
    this.overlaps = find(this.card, ".overlaps");
    /** @type {PairLife | null} */
    this.life = null;
    /** @type {ArrayLike<number> | null} */
    this.told = null; // what the server counted, of a corpus of which the text is a part
    find(this.card, ".clear").addEventListener("click", onClear);
    for (const button of findAll(this.card, "[data-fork]"))
      button.addEventListener("click", () => onFork(/** @type {Action} */ (button.dataset.fork)));
    onDrag(this.svg, ({ clientX }) => {
      const { left, width } = this.svg.getBoundingClientRect();
      const last = stage.run?.num_merges ?? 0;
      stage.player?.jump(Math.round(((clientX - left) / width) * last));
    });
  }

  /** The card shows the picked pair of the run on show, or of the one beside it, or nothing. */
  show() {
    const { player } = stage;
    const spoken = player && stage.pair && spokenOf(player, stage.pair);
    this.card.hidden = !spoken;
    if (!player || !spoken) {
      this.life = null;
      return;
    }
    const { lexicon, pair } = spoken;
    if (!lexicon || !pair) return this.lack(player);
    const same = this.life?.run === lexicon.run && this.life.pair.every((id, i) => id === pair[i]);
    const told = lexicon.run === player.run ? countsOf(pair) : null;
    if (!same || !this.life || told !== this.told) {
      this.life = new PairLife(lexicon, pair);
      this.told = told;
      if (told) this.life.counts = Int32Array.from(told);
      find(this.card, ".name").replaceChildren(...named([pair[0], " + ", pair[1]], lexicon.run));
      this.draw(this.life.counts);
    }
    this.step(player, this.life);
  }

  /**
   * The run beside lacks one of the tokens.
   * @param {Player} player
   */
  lack({ beside }) {
    this.life = null;
    this.says.textContent = `${beside.run?.title}: It never occurs in this run.`;
    this.note.textContent = "";
    this.svg.style.visibility = "hidden";
    for (const each of [this.overlaps, ...findAll(this.card, "[data-fork]")]) each.hidden = true;
  }

  /** @param {Int32Array} counts */
  draw(counts) {
    const last = Math.max(1, counts.length - 1);
    const most = counts.reduce((a, b) => Math.max(a, b), 1);
    const line = linePath(
      counts.length,
      (k) => (k / last) * LIFE_WIDTH,
      (k) => LIFE_HEIGHT - LIFE_EDGE - (counts[k] / most) * (LIFE_HEIGHT - 2 * LIFE_EDGE),
    );
    this.line.setAttribute("d", `M${line}`);
  }

  /**
   * @param {Player} player
   * @param {PairLife} life
   */
  step(player, life) {
    const { counts, run } = life;
    const second = run !== player.run;
    const view = second ? player.beside.view : player.view;
    const step = Math.min(player.step, run.num_merges);
    const x = String((step / Math.max(1, run.num_merges)) * LIFE_WIDTH);
    this.now.setAttribute("x1", x);
    this.now.setAttribute("x2", x);
    const inView = life.countIn(step, view.bytesInView());
    const waits = isPart(run) && !player.alone && !second && !this.told; // the server counts the whole corpus
    const says = waits ? ["Counting …"] : saysOf(life, step, inView);
    if (isPart(run) && (player.alone || second)) says.unshift("In this part of the corpus: ");
    if (player.beside.run) says.unshift(`${run.title}: `);
    this.says.replaceChildren(...named(says, run));
    this.svg.style.visibility = waits ? "hidden" : "";
    const overlaps =
      life.pair[0] === life.pair[1] ? overlapsOf(life.rows(step), run.labels[life.pair[0]]) : [];
    this.overlaps.hidden = overlaps.length === 0;
    this.overlaps.textContent = overlaps.join("\n");
    const why = second ? `The pairs below are of ${player.run.title}.` : whyNoFork(player, counts[step]);
    const next = run.lefts[step] === life.pair[0] && run.rights[step] === life.pair[1];
    const vetoed = stage.pairs?.top?.isVetoed({ left: life.pair[0], right: life.pair[1], count: 0 }, step);
    for (const button of findAll(this.card, "[data-fork]"))
      button.hidden =
        !player.trains || why !== "" || (button.dataset.fork === "merge" ? next : vetoed === true);
    this.note.textContent = player.trains ? why : "";
  }
}

/**
 * The tokens and the pair that the card speaks of: of the run on show, or of the one beside it that the person pointed
 * at, which may lack the pair; null if the run on show does.
 * @param {Player} player
 * @param {Pair} pair
 * @returns {{ lexicon: Lexicon | null, pair: Pair | null } | null}
 */
function spokenOf({ beside, run, tokenCard }, pair) {
  const lexicon = tokenCard.known?.lexicon;
  if (!lexicon || !pair.every((id) => id in run.labels)) return null;
  if (!stage.second) return { lexicon, pair };
  const like = beside.pairLike(pair, lexicon); // which makes the lexicon
  return { lexicon: beside.lexicon, pair: like };
}

/**
 * How often a pair occurs after each number of merges, if the server says it.
 * @param {Pair} pair
 */
function countsOf(pair) {
  const { drawn } = stage;
  return drawn?.pair?.every((id, i) => id === pair[i]) ? drawn.counts : null;
}

/**
 * Whether the text is only a part of what was trained on.
 * @param {Run} run
 */
const isPart = (run) => run.text.length < run.text_bytes;

/**
 * @param {PairLife} life
 * @param {number} step
 * @param {number} inView
 * @returns {Phrase}
 */
export function saysOf(life, step, inView) {
  const { born, counts, ended, fate, run } = life;
  if (fate === "unborn") return ["It never occurs in this run."];
  const past = ended !== null && ended <= step;
  const now = counts[step];
  const seen = inView ? `, ${decimals(inView)} of them in view` : "";
  const count = now
    ? `${capital(times(now))} now${now === 1 ? "" : seen}. `
    : step < born
      ? "Not there yet. "
      : "No longer there. ";
  /** @type {Phrase} */
  const end = ["No merge of this run joins it."];
  if (ended !== null && fate === "merged")
    end.splice(0, 1, `Merge ${decimals(ended)} ${past ? "joined" : "joins"} it: `, run.ids[ended - 1], ".");
  if (ended !== null && fate === "used up")
    end.splice(
      0,
      1,
      `Merge ${decimals(ended)} ${past ? "used" : "uses"} up its tokens: it made `,
      run.ids[ended - 1],
      ".",
    );
  /** @type {Phrase} */
  const begin = born
    ? [` Its count rose at merge ${decimals(born)}, which made `, run.ids[born - 1], "."]
    : [" It is there from the start."];
  return [count, ...end, ...begin];
}

/**
 * What a token beside itself is counted and replaced, row by row: [a a] [a a] a.
 * @param {[tokens: number, rows: number][]} rows
 * @param {string} token
 */
export function overlapsOf(rows, token) {
  if (!rows.some(([tokens]) => tokens > 2)) return [];
  const lines = rows.slice(0, MOST_OVERLAPS).map(([tokens, times]) => {
    const shown = Math.min(tokens, MOST_OVERLAPPING);
    const pairs = `${`[${token} ${token}] `.repeat(shown / 2)}${shown % 2 ? token : ""}`.trim();
    const counts = `counted ${decimals(tokens - 1)}, replaced ${decimals(Math.floor(tokens / 2))}`;
    return `${pairs}${tokens > shown ? " …" : ""}  ${counts}; in ${counted(times, "place")}`;
  });
  const more = rows.length - MOST_OVERLAPS;
  if (more > 0) lines.push(`and ${counted(more, "longer row")}`);
  return lines;
}

/**
 * Why nobody can fork here; "" if they can.
 * @param {Player} player
 * @param {number} count of the pair now
 */
function whyNoFork({ run, step }, count) {
  if (!count) return "Go to a step where it occurs to merge it there, or never.";
  return step >= run.num_merges
    ? "All merges are done. Go to an earlier step to merge it there, or never."
    : "";
}
