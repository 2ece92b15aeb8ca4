// @ts-check
// The list of the longest stretches of text in which the two sides share no boundary. Each is listed once, with a
// button that shows its places one by one.

import { directionOfBytes, shownToken } from "../shared/characters.js";
import { create, find } from "../shared/elements.js";
import { counted, decimals } from "../shared/numbers.js";
import { cellOf } from "../shared/token_row.js";
import { cutsOf, disagreements, longestStretches } from "./agreement.js";
import { sideName } from "./sentences.js";

/** @import { Stretch } from "./agreement.js" */
/** @import { AlignedView } from "./aligned_view.js" */

const DISAGREEMENTS_SHOWN = 20;
const TOKENS_SHOWN = 24;

export class Disagreements {
  /**
   * @param {HTMLElement} card
   * @param {AlignedView} view
   */
  constructor(card, view) {
    this.card = card;
    this.view = view;
    /** @type {string[]} */
    this.names = [];
  }

  /** @param {string[]} names */
  load(names) {
    this.names = names;
  }

  show() {
    const { text } = this.view;
    const codes = this.view.pairs.perByte(this.view.codes);
    const all = disagreements(codes);
    find(this.card, ".how-many").textContent = counted(all.length, "place");
    const rows = longestStretches(all, text, codes, DISAGREEMENTS_SHOWN).map((places) =>
      this.row(places, codes),
    );
    if (rows.length === 0) rows.push(create("li", "", "None. Both cut this text the same way."));
    find(this.card, "ol").replaceChildren(...rows);
  }

  /**
   * @param {Stretch[]} places
   * @param {Uint8Array} codes
   */
  row(places, codes) {
    const cuts = create("div", "two-cuts");
    for (const [side, name] of this.names.entries()) {
      cuts.append(sideName(side, name), this.tokens(side, places[0], codes));
    }
    const button = create("button", "key", "Show");
    button.type = "button";
    let next = 0;
    const shown = shownToken(this.view.text, ...places[0]);
    const label = () => {
      if (places.length > 1) button.textContent = `Show ${decimals(next + 1)} of ${decimals(places.length)}`;
      button.ariaLabel = `${button.textContent}: ${shown}`;
    };
    button.addEventListener("click", () => {
      this.reveal(places[next]);
      next = (next + 1) % places.length;
      label();
    });
    label();
    return create("li", "", cuts, button);
  }

  /**
   * How one side cuts a stretch.
   * @param {number} side
   * @param {Stretch} stretch
   * @param {Uint8Array} codes
   */
  tokens(side, stretch, codes) {
    const { text } = this.view;
    const list = create("div", "cuts");
    list.dir = directionOfBytes(text.subarray(...stretch)) ?? "ltr";
    const ends = cutsOf(codes, side, stretch);
    let [from] = stretch;
    for (const to of ends.slice(0, TOKENS_SHOWN)) {
      list.append(cellOf(text.subarray(from, to)));
      from = to;
    }
    if (ends.length > TOKENS_SHOWN) list.append(` … and ${decimals(ends.length - TOKENS_SHOWN)} more`);
    return list;
  }

  /** @param {Stretch} stretch */
  reveal([start, end]) {
    this.view.found = { start, end };
    this.view.draw(0, true);
    this.view.reveal(start);
    this.view.scroller.scrollIntoView({ block: "nearest" });
  }
}
