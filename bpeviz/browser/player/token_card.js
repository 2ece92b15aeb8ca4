// @ts-check
// The card of one token: its facts, the tree of merges that made it, and its occurrences in the text. It comes from
// the run alone, without the server.

import { binary, firstHexBytes } from "../shared/bytes.js";
import { directionOfBytes } from "../shared/characters.js";
import { closest, create, find, findAll } from "../shared/elements.js";
import { counted, decimals } from "../shared/numbers.js";
import { scrolledPage } from "../shared/streamlit_page.js";
import { tokenHue } from "../shared/token_hue.js";
import { PHONE } from "./fit.js";
import { HEX_SHOWN, Lexicon } from "./lexicon.js";
import { stage } from "./stage.js";
import { TokenFinder } from "./token_finder.js";

/** @import { TextView } from "../shared/text_view.js" */
/** @import { Run } from "../shared/types" */
/** @import { Places, SourcedToken } from "./lexicon.js" */

/** A box of the tree. @typedef {HTMLElement & { token: SourcedToken }} NodeButton */
/**
 * The token on show: all its places at any step, and the one that the person last jumped to or clicked.
 * @typedef {{ token: SourcedToken, place: number | null, places: Places }} Picked
 */
/** The shown run and its tokens. @typedef {{ run: Run, lexicon: Lexicon }} Known */

const TREE_NODES = 150;
const EDGE = 8; // pixels between the card, its token and the window's edges

/** The bytes of the token last picked; kept for the next run, which gets a new component. @type {string | null} */
let bytesKept = null;

export class TokenCard {
  /**
   * @param {ShadowRoot} root
   * @param {TextView} view
   * @param {(step: number) => void} go
   * @param {(token: SourcedToken) => void} grow has the panel of a word, which is open, show that of a token
   * @param {(token: SourcedToken) => void} goToWord opens the panel, and takes the person there
   */
  constructor(root, view, go, grow, goToWord) {
    this.root = root;
    this.view = view;
    this.go = go;
    this.grow = grow;
    this.goToWord = goToWord;
    this.card = find(root, ".card.token");
    this.onOpen = () => {}; // called when the card shows a token
    this.finder = new TokenFinder(
      root,
      (id) => this.pickId(id),
      () => this.clear(),
    );
    this.step = 0;
    /** @type {Known | null} */
    this.known = null;
    /** @type {Picked | null} */
    this.picked = null;
    /** @type {Picked[]} */
    this.way = []; // the tokens whose trees the person came through
    this.again = () => this.put();
    addEventListener("resize", this.again);
    this.part("born").addEventListener("click", () => this.picked && this.go(this.picked.token.latest + 1));
    this.part("back-to").addEventListener("click", () => this.back());
    this.part("clear").addEventListener("click", () => this.clear());
    this.part("previous").addEventListener("click", () => this.jumpBy(-1));
    this.part("following").addEventListener("click", () => this.jumpBy(1));
    this.part("grow").addEventListener("click", () => this.leaveForWord());
    this.part("tree").addEventListener("click", (event) => this.enter(event));
    this.part("tree").addEventListener("keydown", (event) => this.walk(event));
  }

  stop() {
    removeEventListener("resize", this.again);
  }

  /** @param {string} name */
  part(name) {
    return find(this.card, `.${name}`);
  }

  /** @param {Run} run */
  load(run) {
    const lexicon = new Lexicon(run);
    this.known = { run, lexicon };
    this.step = this.view.step;
    this.finder.load(lexicon);
    this.view.onPick = ({ start, end }) => this.pickPlace(start, end);
    const [same] = bytesKept === null ? [] : lexicon.withBytes(bytesKept);
    if (same === undefined) this.clear();
    else this.pickId(same);
  }

  /** @param {number} step */
  show(step) {
    this.step = step;
    if (!this.picked) return;
    this.part("nth").setAttribute("aria-live", "off");
    this.showPlaces(this.picked);
  }

  /**
   * Pick the token in the text from start to end.
   * @param {number} start
   * @param {number} end
   */
  pickPlace(start, end) {
    if (!this.known) return;
    const { run, lexicon } = this.known;
    const token = lexicon.token(run, start, end);
    this.way = [];
    this.pick(this.known, { token, place: start, places: lexicon.places(token) });
  }

  // The panel of a word is open: show the token there, not in a card that could lie on it.
  /** @param {SourcedToken} token */
  fillWord(token) {
    this.clear();
    this.view.pick(token);
    this.grow(token);
  }

  /**
   * Pick the token with the same bytes as one of another run.
   * @param {string} spelling
   */
  pickSpelling(spelling) {
    const [id] = this.known?.lexicon.withBytes(spelling) ?? [];
    if (id === undefined) this.finder.note.textContent = "This run doesn't have that token.";
    else this.pickId(id);
  }

  /**
   * Pick a token by its id: at a place where it occurs now, or else where it occurs at another step.
   * @param {number} id
   */
  pickId(id) {
    if (!this.known) return;
    const { run, lexicon } = this.known;
    const spelled = lexicon.spelled(id);
    const places = lexicon.places(spelled);
    const { starts, ends } = places;
    const i = Math.max(
      0,
      starts.findIndex((_, n) => places.stands(n, this.step)),
    );
    this.way = [];
    const token = starts.length ? lexicon.token(run, starts[i], ends[i], id) : spelled;
    this.pick(this.known, { token, place: null, places });
  }

  /**
   * @param {Known} known
   * @param {Picked} picked
   */
  pick(known, picked) {
    const { token } = picked;
    if (known.run.grows && stage.word && token.source === known.run) return this.fillWord(token);
    this.picked = picked;
    bytesKept = binary(token.source.text.subarray(token.start, token.end));
    this.view.pick(token.source === known.run ? token : null);
    this.showFacts(known, token);
    this.showTree(known, token);
    this.showPlaces(picked);
    this.card.togglePopover(true); // above everything else of the page
    this.onOpen();
    this.put();
  }

  // Close the card; return whether it was open.
  clear() {
    const { picked } = this;
    const focused = this.card.contains(this.root.activeElement);
    this.picked = null;
    this.way = [];
    bytesKept = null;
    this.card.togglePopover(false);
    this.part("tree").replaceChildren();
    this.view.pick(null);
    if (!focused) return picked !== null;
    const cell = picked?.place === null || !picked ? undefined : this.view.cellAt(picked.place);
    if (cell) this.view.focusCell(cell);
    else this.finder.input.focus();
    return true;
  }

  // Close the card, which may cover the panel of the word, and go there.
  leaveForWord() {
    const { picked } = this;
    if (!picked) return;
    this.clear();
    this.goToWord(picked.token);
  }

  // Put the open card beside the picked token, or beside the field that found it; on a phone, below everything.
  put() {
    if (!this.picked) return;
    const { card } = this;
    const cell = this.anchor();
    const { style } = card;
    style.maxHeight = style.left = style.top = "";
    if (innerWidth <= PHONE) {
      // here it is a sheet at the bottom, as its style sheet says
      if (cell) this.scrollAbove(cell, card.getBoundingClientRect().top);
      return;
    }
    const place = (cell ?? this.finder.input).getClientRects()[0];
    if (!place) {
      this.clear(); // presenting hides the field that found the token
      return;
    }
    const { left, top, height } = cardPlace(place, card.getBoundingClientRect(), innerWidth, innerHeight);
    style.left = `${left}px`;
    style.top = `${top}px`;
    style.maxHeight = `${height}px`;
  }

  /**
   * Scroll the page until a cell is in the middle of what is free above the card.
   * @param {HTMLElement} cell
   * @param {number} bottom the card's top
   */
  scrollAbove(cell, bottom) {
    const top = find(this.root, ".deck").getBoundingClientRect().bottom;
    const box = cell.getBoundingClientRect();
    if (box.bottom > bottom - EDGE || box.top < top)
      scrolledPage(this.root)?.scrollBy(0, (box.top + box.bottom - top - bottom) / 2);
  }

  // The cell of the picked token: the one that the person picked, or the first in view.
  anchor() {
    const { picked, view } = this;
    const cell = typeof picked?.place === "number" ? view.cellAt(picked.place) : undefined;
    if (cell && view.isInView(cell)) return cell;
    return findAll(view.blocks, ".tok.picked").find((each) => view.isInView(each));
  }

  /**
   * @param {Known} known
   * @param {SourcedToken} token
   */
  showFacts({ run, lexicon }, token) {
    const { start, end, latest, id, source } = token;
    this.part("grow").hidden = !run.grows || source !== run;
    const swatch = this.part("swatch");
    swatch.textContent = lexicon.label(token);
    swatch.style.setProperty("--hue", hueOf(token));
    swatch.classList.toggle("one", latest < 0);
    this.part("identity").replaceChildren(
      ...(id === undefined ? [] : [`id ${id} · `]),
      ...(latest < 0 ? [] : [`${mergeName(latest)} · `]),
      `${counted(end - start, "byte")} `,
      create("code", "", firstHexBytes(source.text, token, HEX_SHOWN)),
    );
    /** @param {number} part */
    const label = (part) => create("bdi", "label", run.labels[part]);
    this.part("origin").replaceChildren(
      ...(latest >= 0
        ? ["made from ", label(run.lefts[latest]), " + ", label(run.rights[latest])]
        : [unmade(lexicon, token)]),
    );
    const whole = this.way.at(-1);
    const back = this.part("back-to");
    back.hidden = !whole;
    if (whole) back.replaceChildren("Back to ", create("bdi", "label", lexicon.label(whole.token)));
  }

  /**
   * Show how often the token occurs at this step, and which occurrence the person is at.
   * @param {Picked} picked
   */
  showPlaces({ token, place, places }) {
    const { step } = this;
    const { total, before, here } = places.count(step, place ?? -1);
    const times = total === 1 ? "once" : `${decimals(total)} times`;
    const after = `After ${counted(step, "merge")} it `;
    this.part("stands").textContent = total
      ? `${after}occurs ${times} in the text.`
      : this.nowhere(after, places.made);
    this.part("jumps").hidden = total === 0;
    this.part("nth").textContent = `${here ? decimals(before + 1) : "–"} of ${decimals(total)}`;
    const born = this.part("born");
    born.textContent = token.latest < 0 ? "Go to the start" : `Go to ${mergeName(token.latest)}`;
    born.hidden = token.latest < 0 && (total > 0 || places.starts.length === 0);
  }

  /**
   * @param {string} after the start of the sentence
   * @param {number[]} made the merges that make the token at its places
   */
  nowhere(after, made) {
    if (!made.length) return "It doesn't occur in this text at any step.";
    const earliest = made.reduce((a, b) => Math.min(a, b));
    if (this.step <= earliest) return `${after}doesn't occur yet: ${mergeName(earliest)} makes it.`;
    return `${after}no longer occurs: each is now part of a longer token.`;
  }

  /**
   * Scroll to the n-th occurrence from the current one; after the last comes the first.
   * @param {number} n
   */
  jumpBy(n) {
    if (!this.picked || !this.known) return;
    const { known, picked } = this;
    const { token, places } = picked;
    const { total, before, here } = places.count(this.step, picked.place ?? -1);
    if (total === 0) return;
    const present = picked.place === null ? (n > 0 ? -1 : 0) : here || n < 0 ? before : before - 1;
    const i = places.nth(this.step, (((present + n) % total) + total) % total);
    const place = places.starts[i];
    this.picked = { token: known.lexicon.token(known.run, place, places.ends[i], token.id), place, places };
    if (known.lexicon.mergesRepeat || token.source !== known.run) {
      // Here, other merges may have made the same token.
      this.showFacts(known, this.picked.token);
      this.showTree(known, this.picked.token);
    }
    this.part("nth").setAttribute("aria-live", "polite"); // screen readers read jumps aloud, not steps
    this.showPlaces(this.picked);
    this.flash(this.view.reveal(place));
    this.put();
  }

  /** @param {HTMLElement} [cell] */
  flash(cell) {
    for (const flashed of this.root.querySelectorAll(".tok.here")) flashed.classList.remove("here");
    if (!cell) return;
    void cell.offsetWidth; // a cell flashes again only after it was drawn without the class
    cell.classList.add("here");
  }

  /**
   * @param {Known} known
   * @param {SourcedToken} token
   */
  showTree({ lexicon }, token) {
    const tree = this.part("tree");
    const hadFocus = tree.contains(this.root.activeElement);
    const top = node(lexicon, token);
    const list = create("ul", "", create("li", "", top));
    /** @type {NodeButton[]} */
    const queue = [top];
    let nodes = 1;
    for (const button of queue) {
      if (button.token.latest < 0) continue;
      if (nodes + 2 > TREE_NODES) {
        fold(button);
        continue;
      }
      const parts = lexicon.parts(button.token).map((part) => node(lexicon, part));
      button.after(create("ul", "", ...parts.map((part) => create("li", "", part))));
      queue.push(...parts);
      nodes += parts.length;
    }
    tree.dir = directionOfBytes(token.source.text.subarray(token.start, token.end)) ?? "ltr";
    tree.replaceChildren(list);
    tree.scrollTo(0, 0);
    top.tabIndex = 0;
    top.setAttribute("aria-current", "true");
    if (hadFocus) top.focus({ preventScroll: true });
  }

  nodes() {
    return /** @type {NodeButton[]} */ (findAll(this.card, ".tree .node"));
  }

  /** @param {MouseEvent} event */
  enter(event) {
    const button = /** @type {NodeButton | null} */ (closest(event, ".node"));
    if (!button || button === this.nodes()[0] || !this.picked || !this.known) return;
    const { run, lexicon } = this.known;
    const { token } = button;
    this.way.push(this.picked);
    const place = token.source === run ? token.start : null;
    this.pick(this.known, { token, place, places: lexicon.places(token) });
  }

  back() {
    const whole = this.way.pop();
    if (!whole || !this.known) return;
    this.pick(this.known, whole);
    if (!this.way.length) this.nodes()[0].focus({ preventScroll: true }); // the button is gone
  }

  /**
   * Go through the tree with the up and down arrows; the Tab key stops only once in it.
   * @param {KeyboardEvent} event
   */
  walk(event) {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const nodes = this.nodes();
    const from = nodes.indexOf(/** @type {NodeButton} */ (this.root.activeElement));
    const to = nodes[from + by];
    if (!to) return;
    nodes[from].tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
  }
}

/**
 * Where the card goes: below the token, or above it if it only fits there; where there is more room if it fits
 * nowhere. It never covers the token.
 * @param {{ left: number, top: number, bottom: number }} token
 * @param {{ width: number, height: number }} card
 * @param {number} width of the window
 * @param {number} height
 */
export function cardPlace(token, card, width, height) {
  const below = height - token.bottom - 2 * EDGE;
  const above = token.top - 2 * EDGE;
  const under = card.height <= below || below >= above;
  const most = Math.max(0, under ? below : above);
  return {
    left: Math.max(EDGE, Math.min(token.left, width - card.width - EDGE)),
    top: under ? token.bottom + EDGE : token.top - EDGE - Math.min(card.height, most),
    height: most,
  };
}

/**
 * @param {Lexicon} lexicon
 * @param {SourcedToken} token
 */
function unmade({ baseIds, run }, { id }) {
  if (id === undefined || baseIds.has(id)) return "in the base vocabulary";
  return run.ids.includes(id)
    ? "made by a merge that this text never needs"
    : "a special token: not learned from the text";
}

/**
 * @param {Lexicon} lexicon
 * @param {SourcedToken} token
 * @returns {NodeButton}
 */
function node(lexicon, token) {
  const label = lexicon.label(token);
  const merged = token.latest >= 0;
  const origin = create("span", "spoken", merged ? ", made by merge " : ", in the base vocabulary");
  const shown = create("span", "", create("bdi", "label", label), origin);
  if (merged) shown.append(create("small", "", decimals(token.latest + 1)));
  const button = create("button", merged ? "node" : "node leaf", shown);
  button.type = "button";
  button.tabIndex = -1;
  button.style.setProperty("--hue", hueOf(token));
  return Object.assign(button, { token });
}

/**
 * Mark a box whose parts are not drawn because there are too many; the box can still be picked.
 * @param {NodeButton} button
 */
function fold(button) {
  button.classList.add("folded");
  const more = create("small", "", "…");
  more.setAttribute("aria-hidden", "true");
  find(button, "span").append(more, create("span", "spoken", ", more below"));
}

/**
 * The hue of the token's bytes, which the text on show may lack.
 * @param {SourcedToken} token
 */
const hueOf = ({ source, start, end }) => String(tokenHue(source.text, start, end));

/** @param {number} rank */
const mergeName = (rank) => `merge ${decimals(rank + 1)}`;
