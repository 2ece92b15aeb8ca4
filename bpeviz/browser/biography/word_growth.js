// @ts-check
// The biography of a word: in each tokenizer a tree that grows with the merges made so far.

import { knownTokens } from "../encoder/cells.js";
import { readStep } from "../encoder/pre_token.js";
import { stage } from "../player/stage.js";
import { saveChart } from "../shared/chart_file.js";
import { create, createSvg, find, findAll, write } from "../shared/elements.js";
import { decimals } from "../shared/numbers.js";
import { afterMerges, changesTold, latestChange, lostSentence, matchedBy, partMade } from "./said.js";
import { changesOf, growTree } from "./tree.js";

/** @import { Known, ListedToken } from "../encoder/cells.js" */
/** @import { ListedStep } from "../encoder/pre_token.js" */
/** @import { Growth } from "./said.js" */
/** @import { GrownNode, GrownTree, LostPair } from "./tree.js" */

/**
 * A word in one tokenizer, in pre-tokens; see `pack_growth` in bpeviz/browser/encoding.py.
 * @typedef {object} ListedGrowth
 * @property {string} title
 * @property {number} merges of the tokenizer
 * @property {boolean} long too long to draw
 * @property {Record<string, ListedToken>} tokens
 * @property {{ symbols: number[], ranks: number[], steps: ListedStep[] }[]} parts
 */
/** @typedef {{ word: string, growths: ListedGrowth[], follows: number | null }} Biography */
/** An element of a tree and the rank of the merge that it comes with. @typedef {[SVGElement, since: number]} Drawn */

const WIDEST_COLUMN = 44; // of a letter
const NARROWEST_COLUMN = 28;
const LEVEL = 46; // from a token to those it is made of
const BOX = 26; // height of a token
const HEAD = 30; // for the title of a tokenizer
const FOOT = 26; // for what neighbours took
const BETWEEN = 36; // two tokenizers
const NARROWEST = 200; // a tokenizer
const TITLE_LETTER = 8.5; // pixels, about
const TOTAL_LETTER = 6.2;
const STEPS_PER_SECOND = 2;

/** Explains the signs, in the picture; the page says what a cross is when a person points at it. */
const LEGEND = [
  "Number: the merge that made the token. Thick frame: the last change.",
  "✕: a neighbour took one of two tokens that could join here.",
];

export class WordGrowth {
  /** @param {ShadowRoot} root */
  constructor(root) {
    this.root = root;
    this.figure = find(root, ".trees");
    this.when = find(root, ".when", HTMLInputElement);
    this.button = find(root, "[data-grow]");
    /** @type {Biography} */
    this.data = { word: "", growths: [], follows: null };
    this.width = 0; // of the figure when the trees were laid out
    this.column = WIDEST_COLUMN;
    /** @type {Growth[]} */
    this.growths = [];
    /** @type {number[]} */
    this.changes = []; // the ranks at which any tree changes, ascending
    this.merges = 0; // how many are made, in each tokenizer that has so many
    this.beyond = false; // whether the person went past the player's last step
    this.leads = false; // whether it moves the player now
    /** @type {{ total: SVGElement, elements: Drawn[] }[]} */
    this.drawn = []; // for each growth
    /** @type {ReturnType<typeof setInterval> | null} */
    this.timer = null;
    this.when.addEventListener("input", () => this.jump(Number(this.when.value)));
    this.button.addEventListener("click", () => (this.timer === null ? this.play() : this.pause()));
    for (const button of findAll(root, "[data-format]")) {
      button.addEventListener("click", () => this.save(button.dataset.format ?? ""));
    }
    this.resized = new ResizeObserver(() => this.draw());
    this.resized.observe(find(root, ".card"));
    this.stopFollowing = stage.subscribe(() => this.follow());
  }

  stop() {
    this.pause();
    if (stage.word === this) stage.word = null;
    this.stopFollowing();
    this.resized.disconnect();
  }

  /** @param {Biography} data */
  load(data) {
    const { word, growths, follows } = data;
    this.pause();
    this.data = data;
    if (follows !== null) stage.word = this;
    this.growths = growths.map(({ title, merges, long, tokens, parts }) => {
      const trees = parts.map((part) => growTree({ ...part, steps: part.steps.map(readStep) }));
      return { title, merges, long, known: knownTokens(tokens), trees, changes: changesOf(trees) };
    });
    this.changes = changesOf(this.growths.flatMap(({ trees }) => trees));
    this.when.max = String(this.changes.length);
    write(this.root, ".which", word ? this.name : "Word");
    write(this.root, ".saved", "");
    write(this.root, ".legend", LEGEND[0]);
    this.figure.setAttribute("aria-label", this.name);
    this.figure.dataset.heading = `${this.name} in ${this.growths.map(({ title }) => title).join(" and ")}`;
    this.figure.dataset.notes = LEGEND.join("\n");
    for (const part of [".save", ".grown"]) find(this.root, part).hidden = !word;
    find(this.root, ".empty").hidden = word !== "";
    find(this.root, ".time").hidden = this.changes.length === 0;
    this.width = 0;
    this.drawn = [];
    this.figure.replaceChildren();
    this.merges = this.most;
    this.draw();
    this.follow();
    // Streamlit may still lay out what is above.
    if (stage.wordAwaited && follows !== null && word) requestAnimationFrame(() => this.reveal());
  }

  // Bring the panel into view and focus it.
  reveal() {
    stage.wordAwaited = false;
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
    find(this.root, ".which").focus({ preventScroll: true });
    find(this.root, ".card").scrollIntoView({ behavior, block: "start" });
  }

  get word() {
    return this.data.word;
  }

  get growing() {
    return this.timer !== null;
  }

  get name() {
    return `How ${this.word} grows`;
  }

  // The most merges that one of the tokenizers has.
  get most() {
    return Math.max(0, ...this.growths.map(({ merges }) => merges));
  }

  // The player on the page, while it shows the run of this word.
  get player() {
    const { player } = stage;
    return player?.run.number === this.data.follows ? player : null;
  }

  // Show the step of the player on the page.
  follow() {
    const { player } = this;
    if (!player || this.leads) return;
    // Screen readers read it aloud when the player rests.
    find(this.root, ".said").setAttribute("aria-live", player.transport.playing ? "off" : "polite");
    if (this.beyond && player.step === player.last) return;
    this.beyond = false;
    if (player.step === this.merges) return;
    this.pause();
    this.merges = player.step;
    this.show();
  }

  /** @param {number} change */
  jump(change) {
    this.pause();
    this.go(change);
  }

  /**
   * Go to a change of the trees, and the player with it, as far as it can.
   * @param {number} change
   */
  go(change) {
    const { player } = this;
    const merges = change ? this.changes[change - 1] + 1 : 0;
    this.beyond = player !== null && merges > player.last;
    const all = change === this.changes.length && (!player || this.beyond);
    this.merges = all ? this.most : merges;
    this.leads = true;
    player?.jump(Math.min(merges, player.last));
    this.leads = false;
    this.show();
  }

  play() {
    if (Number(this.when.value) === this.changes.length) this.go(0);
    this.timer = setInterval(() => {
      this.go(Number(this.when.value) + 1);
      if (Number(this.when.value) === this.changes.length) this.pause();
    }, 1000 / STEPS_PER_SECOND);
    this.button.textContent = "Pause";
    this.button.setAttribute("aria-label", "Pause");
    find(this.root, ".said").setAttribute("aria-live", "off");
  }

  pause() {
    if (this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
    this.button.textContent = "Grow";
    this.button.setAttribute("aria-label", "Grow");
    find(this.root, ".said").setAttribute("aria-live", "polite");
    this.player?.report();
  }

  // Tokenizers stand side by side if there is room, otherwise below each other.
  draw() {
    const room = this.figure.clientWidth;
    if (!room || room === this.width || !this.growths.length) return;
    this.width = room;
    this.drawn = [];
    const longest = Math.max(1, ...this.growths.map(({ trees }) => symbolsOf(trees)));
    this.column = Math.max(NARROWEST_COLUMN, Math.min(WIDEST_COLUMN, Math.floor((room - 16) / longest)));
    const sizes = this.growths.map((growth) => sizeOf(growth, this.column));
    const beside = sizes.reduce((sum, { width }) => sum + width + BETWEEN, -BETWEEN) <= room;
    const highest = Math.max(...sizes.map(({ height }) => height));
    const svg = createSvg("svg", { role: "img", "aria-label": this.name });
    let x = 0;
    let y = 0;
    for (const [i, growth] of this.growths.entries()) {
      const group = createSvg("g", { transform: `translate(${x} ${y})` });
      const total = createSvg("tspan", { class: "total" });
      this.drawn.push({ total, elements: [] });
      this.drawGrowth(group, growth, total, beside ? highest : sizes[i].height);
      svg.append(group);
      if (beside) x += sizes[i].width + BETWEEN;
      else y += sizes[i].height + BETWEEN;
    }
    svg.setAttribute("width", String(beside ? x - BETWEEN : Math.max(...sizes.map(({ width }) => width))));
    svg.setAttribute("height", String(beside ? highest : y - BETWEEN));
    this.figure.replaceChildren(svg);
    if (this.figure.scrollWidth > room)
      this.figure.tabIndex = 0; // so that the keyboard scrolls it
    else this.figure.removeAttribute("tabindex");
    this.show();
  }

  /**
   * @param {SVGGElement} group
   * @param {Growth} growth
   * @param {SVGElement} total says how many merges are made
   * @param {number} height
   */
  drawGrowth(group, { title, long, known, trees }, total, height) {
    const heading = createSvg("text", { class: "title", x: 0, y: 14 }, title);
    heading.append(total);
    group.append(heading);
    if (long) {
      group.append(createSvg("text", { x: 0, y: HEAD + 14 }, "This word is too long to draw."));
      return;
    }
    let left = 0;
    for (const tree of trees) {
      const below = height - FOOT;
      for (const node of tree.nodes) this.drawEdges(group, tree, node, left, below);
      for (const node of tree.nodes) this.drawNode(group, node, known, left, below);
      for (const [at, pairs] of lostAt(tree)) this.drawLost(group, at, pairs, known, left, below);
      left += columns(tree) * this.column;
      if (tree !== trees.at(-1)) {
        group.append(createSvg("path", { class: "wall", d: `M${left + 4} ${HEAD}V${height - FOOT}` }));
        left += 8;
      }
    }
  }

  /**
   * @param {SVGGElement} group
   * @param {GrownTree} tree
   * @param {GrownNode} node
   * @param {number} left
   * @param {number} below
   */
  drawEdges(group, tree, node, left, below) {
    for (const half of node.halves) {
      const from = this.middleOf(tree.nodes[half], left, below);
      const to = this.middleOf(node, left, below);
      const bend = (from.y + to.y) / 2;
      const d = `M${from.x} ${from.y}C${from.x} ${bend} ${to.x} ${bend} ${to.x} ${to.y}`;
      this.place(group, createSvg("path", { class: "edge", d }), node.since);
    }
  }

  /**
   * @param {SVGGElement} group
   * @param {GrownNode} node
   * @param {Known} known
   * @param {number} left
   * @param {number} below
   */
  drawNode(group, node, known, left, below) {
    const { hue, label } = known(node.id);
    const { x, y } = this.middleOf(node, left, below);
    const width = (node.to - node.from) * this.column - (this.column < 38 ? 4 : 10);
    const box = { x: x - width / 2, y: y - BOX / 2, width, height: BOX, rx: 5 };
    const made = createSvg("g", { class: node.halves.length ? "token" : "token letter" });
    made.style.setProperty("--hue", String(hue));
    made.append(createSvg("rect", { class: "ground", ...box }), createSvg("rect", { class: "box", ...box }));
    made.append(createSvg("text", { class: "label", x, y: y + 5 }, label));
    if (node.rank >= 0) {
      const number = createSvg("text", { class: "number", x, y: y - BOX / 2 - 3 }, decimals(node.rank + 1));
      made.append(number);
      made.append(createSvg("title", {}, `${label}: merge ${decimals(node.rank + 1)}`));
    }
    this.place(group, made, node.since);
  }

  /**
   * @param {SVGGElement} group
   * @param {number} at
   * @param {LostPair[]} pairs
   * @param {Known} known
   * @param {number} left
   * @param {number} below
   */
  drawLost(group, at, pairs, known, left, below) {
    const mark = createSvg("g", { class: "lost" });
    const x = left + at * this.column;
    mark.append(createSvg("text", { x, y: below + 16 }, "✕"));
    mark.append(createSvg("title", {}, pairs.map((pair) => lostSentence(pair, known)).join("\n")));
    this.place(group, mark, pairs[0].since);
  }

  /**
   * @param {GrownNode} node
   * @param {number} left
   * @param {number} below
   */
  middleOf({ from, to, level }, left, below) {
    return { x: left + ((from + to) / 2) * this.column, y: below - BOX / 2 - level * LEVEL };
  }

  /**
   * @param {SVGGElement} group
   * @param {SVGElement} element
   * @param {number} since
   */
  place(group, element, since) {
    group.append(element);
    this.drawn.at(-1)?.elements.push([element, since]);
  }

  show() {
    const { growths, merges } = this;
    this.when.value = String(this.changes.filter((rank) => rank < merges).length);
    for (const [i, { total, elements }] of this.drawn.entries()) {
      const latest = latestChange(growths[i].changes, merges);
      total.textContent = `  ${partMade(growths[i], merges)}`;
      for (const [element, since] of elements) {
        element.classList.toggle("unborn", since >= merges);
        element.classList.toggle("newest", since === latest && since >= 0);
      }
    }
    const shown = { merges, growths, last: this.player?.last ?? null };
    const made = afterMerges(shown);
    write(this.root, ".made", made);
    this.when.setAttribute("aria-valuetext", made);
    write(this.root, ".matched", matchedBy(shown));
    find(this.root, ".said").replaceChildren(
      ...growths.map((growth) =>
        create("li", "", create("b", "", `${growth.title}: `), changesTold(growth, merges)),
      ),
    );
  }

  /** @param {string} format */
  async save(format) {
    write(this.root, ".saved", await saveChart(this.root, this.name, format));
  }
}

/** @param {GrownTree} tree */
const columns = ({ nodes }) => Math.max(0, ...nodes.map(({ to }) => to));

/** @param {GrownTree[]} trees */
const symbolsOf = (trees) => trees.reduce((sum, tree) => sum + columns(tree), 0);

/**
 * @param {Growth} growth
 * @param {number} column
 */
function sizeOf(growth, column) {
  const { title, merges, long, trees } = growth;
  const widest = partMade(growth, merges - 1).length + 2;
  const narrowest = Math.max(NARROWEST, title.length * TITLE_LETTER + widest * TOTAL_LETTER);
  if (long) return { width: narrowest, height: HEAD + FOOT };
  const levels = Math.max(0, ...trees.flatMap(({ nodes }) => nodes.map(({ level }) => level)));
  return {
    width: Math.max(narrowest, symbolsOf(trees) * column + Math.max(0, trees.length - 1) * 8),
    height: HEAD + levels * LEVEL + BOX + FOOT + 14,
  };
}

/** @param {GrownTree} tree */
function lostAt({ lost }) {
  /** @type {Map<number, LostPair[]>} */
  const places = new Map();
  for (const pair of lost) places.set(pair.at, [...(places.get(pair.at) ?? []), pair]);
  return places;
}
