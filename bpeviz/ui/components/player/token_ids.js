// Ids of the tokens in a text: a pack gives them by merge rank and, for base symbols, by their bytes.

const WORD_END = "3c2f773e"; // "</w>", which some recipes fuse to a word's last character

class TokenIds {
  constructor({ text, gaps, ids, base_ids: baseIds = {} }) {
    Object.assign(this, { text, gaps, ids, baseIds });
    this.marksWordEnds = Object.keys(baseIds).some((hex) => hex.length > WORD_END.length && hex.endsWith(WORD_END));
  }

  // The id of what stands from start to end, where the highest gap rank is `latest`; undefined if the pack has none.
  of({ start, end, latest }) {
    if (latest >= 0) return this.ids?.[latest];
    const hex = Array.from(this.text.subarray(start, end), hexByte).join("").toLowerCase();
    return this.baseIds[this.marksWordEnds && this.gaps[end - 1] === WALL ? hex + WORD_END : hex];
  }
}
