// @ts-check
// The text takes the height that the window has: as much as is left below its top, minus what is below it. A short text
// takes it in large type.

import { NEWLINE } from "../shared/bytes.js";
import { find } from "../shared/elements.js";
import { scrolledPage, stuckBy, wholePage } from "../shared/streamlit_page.js";

const LEAST_LINES = 8;
const IN_A_FRAME = 3; // the least lines on a standalone page, which may be in a low frame on a slide
const BESIDE_CURVES = 5; // the least lines while the curves under the text are open
const PAGE_END = 16; // pixels that every page has below the player
const CAPTION_GAP = 8; // pixels between the player and its caption
const PANEL_END = 16; // the same below a panel, with its border

const LEAST_SIZE = 14; // pixels of the type
const MOST_SIZE = 48;
const LETTERS_IN_ROW = 90; // at most, while the type can grow
const LETTER_WIDTH = 0.602; // the width of a letter, for a type of one pixel
const ROW_HEIGHT = 1.93; // the height of a row
const OTHER_LETTERS = 3; // letters: the most room that a byte of other letters takes
const MOST_FITTED = 4000; // bytes of a text that may fit a window in type larger than the least
const ON_A_PROJECTOR = 1.6; // times as large
const LONGEST_WORD = 24; // letters that stay in one row
/** The width of a phone in pixels, at most. The style sheets have it too. */
export const PHONE = 640;
const STACKED = 1000; // up to this width the panels stand below the player, and people scroll anyway
const SHARE_WHERE_STACKED = 0.4; // of the window's height, at most: what explains the text is in view below it

/**
 * Watch how much room a window beside the player has from the top of an element to its end, before anybody scrolls.
 * @param {ShadowRoot} root
 * @param {Element} element
 * @param {(room: number) => void} onRoom called with the pixels at first and after changes
 * @param {Element[]} [also] what stands above it and may change its height
 * @returns {() => void} stops it
 */
export function watchRoom(root, element, onRoom, also = []) {
  const measure = () => {
    const { top, width } = element.getBoundingClientRect();
    if (!width) return;
    onRoom(
      innerWidth > STACKED ? innerHeight - (top + scrolledBy(root)) - PANEL_END : Number.POSITIVE_INFINITY,
    );
  };
  return onLayout(root, measure, also);
}

/**
 * Call a function when the window or the page changes its size.
 * @param {ShadowRoot} root
 * @param {() => void} measure
 * @param {Element[]} [also] elements whose size matters too
 * @returns {() => void} stops it
 */
function onLayout(root, measure, also = []) {
  const observer = new ResizeObserver(measure);
  const page = wholePage(root);
  for (const each of page ? [page, ...also] : also) observer.observe(each);
  addEventListener("resize", measure);
  return () => {
    removeEventListener("resize", measure);
    observer.disconnect();
  };
}

/** @param {ShadowRoot} root */
const scrolledBy = (root) => scrolledPage(root)?.scrollTop ?? scrollY;

/**
 * Where the panels stand below the player, bring what a lesson points at into view.
 * @param {Element | null} element
 */
export function bringIntoView(element) {
  if (innerWidth <= STACKED) requestAnimationFrame(() => element?.scrollIntoView({ block: "nearest" }));
}

export class Fit {
  /**
   * @param {ShadowRoot} root
   * @param {() => void} onSize called when the type has another size
   * @param {boolean} alone whether the page is not the app's
   */
  constructor(root, onSize, alone) {
    this.root = root;
    this.least = alone ? IN_A_FRAME : LEAST_LINES;
    this.shell = find(root, ".bpeviz");
    this.text = find(root, ".card.main .text");
    this.deck = find(root, ".deck");
    this.onSize = onSize;
    this.size = 0; // of the type
    this.times = 1; // as large as the person made it on a projector
    /** @type {Letters} */
    this.letters = { lines: [], longest: 0 };
    this.stop = onLayout(root, () => this.measure(), [this.shell]);
  }

  /** @param {Uint8Array} text */
  load(text) {
    this.letters = lettersOf(text);
    this.measure();
  }

  measure() {
    const box = this.text.getBoundingClientRect();
    if (!box.width) return;
    const below = this.shell.getBoundingClientRect().bottom - box.bottom + this.captionHeight() + PAGE_END;
    const presents = this.shell.classList.contains("presents");
    const left = innerHeight - this.topOf(box) - below;
    const share = SHARE_WHERE_STACKED * innerHeight;
    // On a phone the sentence above may have more lines at the next step: the type must stay.
    const room = presents || innerWidth > STACKED ? left : innerWidth > PHONE ? Math.min(left, share) : share;
    const times = presents ? ON_A_PROJECTOR : 1;
    const height = Math.max(room, this.least * LEAST_SIZE * ROW_HEIGHT);
    const fitting = times * sizeFor(this.letters, this.text.clientWidth / times, height / times);
    const size = times > 1 ? fitting * this.times : fitting;
    const line = size * ROW_HEIGHT;
    const least = this.root.querySelector(".curves[open]") ? Math.min(this.least, BESIDE_CURVES) : this.least;
    const lines = Math.max(least, Math.floor(room / line));
    this.shell.style.setProperty("--text-height", `${lines * line}px`);
    document.documentElement.style.setProperty("--bpeviz-deck", `${this.deck.offsetHeight}px`);
    if (size === this.size) return;
    this.size = size;
    this.shell.style.setProperty("--text-size", `${size}px`);
    this.onSize();
  }

  // On a standalone page the player may have a caption.
  captionHeight() {
    const caption = this.root.host?.closest("figure")?.querySelector("figcaption");
    return caption?.offsetHeight ? caption.offsetHeight + CAPTION_GAP : 0;
  }

  /**
   * The top of the text in the page as it is before anybody scrolls. The player may stick to the window and then moves
   * in the page; the column that begins with it does not.
   * @param {DOMRect} box of the text
   */
  topOf({ top }) {
    return top - stuckBy(this.root) + scrolledBy(this.root);
  }
}

/** How many letters each line of a text has room for, and its longest word. @typedef {{ lines: number[], longest: number }} Letters */

/**
 * The letters of a text; of a long one none, because it fills any window.
 * @param {Uint8Array} text
 * @returns {Letters}
 */
export function lettersOf(text) {
  if (text.length > MOST_FITTED) return { lines: [], longest: 0 };
  const lines = [0];
  let longest = 0;
  let word = 0;
  for (const byte of text) {
    const letters = byte < 128 ? 1 : OTHER_LETTERS;
    lines[lines.length - 1] += letters;
    word = byte > 32 ? word + letters : 0;
    longest = Math.max(longest, word);
    if (byte === NEWLINE) lines.push(0);
  }
  return { lines, longest: Math.min(longest, LONGEST_WORD) };
}

/**
 * The largest type, in pixels, in which a text fits a box; of a longer text, that with 90 letters in a row.
 * @param {Letters} letters
 * @param {number} width of the box
 * @param {number} height
 */
export function sizeFor({ lines, longest }, width, height) {
  const least = Math.min(MOST_SIZE, Math.max(LEAST_SIZE, width / (LETTERS_IN_ROW * LETTER_WIDTH)));
  for (let size = lines.length ? MOST_SIZE : 0; size > least; size -= 0.5) {
    const columns = Math.floor(width / (size * LETTER_WIDTH)) - 1; // the end of a row stays free
    const filled = columns - Math.ceil(longest / 3); // a word that doesn't fit begins the next row
    const rows = lines.reduce(
      (sum, letters) => sum + (letters <= columns ? 1 : Math.ceil(letters / filled)),
      0,
    );
    if (columns >= longest && rows * size * ROW_HEIGHT <= height) return size;
  }
  return least;
}
