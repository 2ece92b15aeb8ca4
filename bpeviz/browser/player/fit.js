// @ts-check
// The text takes the height that the window has: as much as is left below its top, minus what is below it.

import { find } from "../shared/elements.js";
import { scrolledPage, stuckBy, wholePage } from "../shared/streamlit_page.js";

const LEAST_LINES = 8;
const IN_A_FRAME = 3; // the least lines on a standalone page, which may be in a low frame on a slide
const BESIDE_CURVES = 5; // the least lines while the curves under the text are open
const PAGE_END = 12; // pixels that stay free at the end of the window
const CAPTION_GAP = 8; // pixels between the player and its caption
const PANEL_END = 16; // the same below a panel, with its border

const STACKED = 1000; // up to this width the panels stand below the player, and people scroll anyway

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
const scrolledBy = (root) => scrolledPage(root)?.scrollTop ?? 0;

export class Fit {
  /**
   * @param {ShadowRoot} root
   * @param {() => number} lineHeight
   * @param {boolean} alone whether the page is not the app's
   */
  constructor(root, lineHeight, alone) {
    this.root = root;
    this.least = alone ? IN_A_FRAME : LEAST_LINES;
    this.shell = find(root, ".bpeviz");
    this.text = find(root, ".card.main .text");
    this.lineHeight = lineHeight;
    this.stop = onLayout(root, () => this.measure(), [this.shell]);
  }

  measure() {
    const box = this.text.getBoundingClientRect();
    if (!box.width) return;
    const below = this.shell.getBoundingClientRect().bottom - box.bottom + this.captionHeight() + PAGE_END;
    const line = this.lineHeight();
    const least = this.root.querySelector(".curves[open]") ? Math.min(this.least, BESIDE_CURVES) : this.least;
    const lines = Math.max(least, Math.floor((innerHeight - this.topOf(box) - below) / line));
    this.shell.style.setProperty("--text-height", `${lines * line}px`);
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
