// @ts-check
// The tokens of a run: their bytes, ids and parts, and where each occurs in the text at any step.

import { binary, bytesOf, bytesOfHex, firstHexBytes } from "../shared/bytes.js";
import { UNSEEN_NAMES, withSigns } from "../shared/characters.js";
import { SKIPPED, WALL } from "../shared/gap_ranks.js";
import { TokenIds } from "../shared/token_ids.js";

/** @import { RankedText, Run, Token } from "../shared/types" */

export const HEX_SHOWN = 16; // bytes
const SUGGESTIONS = 20;
const GLYPH_CHARACTERS = Object.fromEntries(
  Object.entries(UNSEEN_NAMES).map(([character, glyph]) => [glyph, character]),
);

/**
 * A token and the text that contains its bytes: the run's, or one made for a token that the run's text lacks.
 * @typedef {Token & { source: RankedText, id: number | undefined }} SourcedToken
 */
/** A token that a query finds, and how the query was read. @typedef {[id: number, as: string]} FoundToken */

export class Lexicon {
  /** @param {Run} run */
  constructor(run) {
    this.run = run;
    /** @type {Map<number, string> | null} */
    this.spellingById = null;
    /** @type {Map<string, number[]> | null} */
    this.idsByBytes = null;
    this.baseIds = new Set(Object.values(run.base_ids));
    this.labels = Object.entries(run.labels).map(([id, label]) => ({ id: Number(id), label }));
    this.tokenIds = new TokenIds(run);
    this.mergesRepeat = new Set(run.ids).size < run.ids.length;
  }

  /**
   * @param {RankedText} source
   * @param {number} start
   * @param {number} end
   * @param {number} [id]
   * @returns {SourcedToken}
   */
  token(source, start, end, id) {
    let latest = -1;
    for (let i = start; i < end - 1; i++) latest = Math.max(latest, source.gaps[i]);
    return { source, start, end, latest, id: id ?? this.tokenIds.of({ start, end, latest }) };
  }

  /**
   * A token that does not occur in the text.
   * @param {number} id
   * @returns {SourcedToken}
   */
  spelled(id) {
    const text = bytesOf(this.spelling(id));
    return {
      source: { text, gaps: new Int32Array(text.length).fill(-1) },
      start: 0,
      end: text.length,
      latest: -1,
      id,
    };
  }

  /** @param {SourcedToken} token */
  label(token) {
    const label = token.id === undefined ? undefined : this.run.labels[token.id];
    return label ?? firstHexBytes(token.source.text, token, HEX_SHOWN);
  }

  /**
   * The two parts of a token that a merge made: it joined them where the rank is highest.
   * @param {SourcedToken} token
   */
  parts({ source, start, end, latest }) {
    let cut = start;
    while (source.gaps[cut] !== latest) cut++;
    const left = this.token(source, start, cut + 1, this.run.lefts[latest]);
    return [left, this.token(source, cut + 1, end, this.run.rights[latest])];
  }

  /**
   * Every place where a token occurs at any step: its bytes, the merge that makes it there, and the one that joins
   * it to a longer token. Because these two say at which steps, one scan is enough.
   * @param {SourcedToken} token
   */
  places(token) {
    const places = new Places(this.run.gaps);
    const { id } = token;
    const base = token.latest < 0 || (id !== undefined && this.baseIds.has(id));
    const merged = id !== undefined && this.run.ids.includes(id);
    if (base) this.addBasePlaces(places, token);
    if (merged) this.addMergedPlaces(places, id);
    if (base && merged) places.sort(); // "b</w>" at a word's end, and where a text spells it out
    return places;
  }

  /**
   * @param {Places} places
   * @param {number} id
   */
  addMergedPlaces(places, id) {
    const { gaps, ids } = this.run;
    const makes = new Uint8Array(ids.length); // some recipes make a token again by another merge
    for (let rank = 0; rank < ids.length; rank++) makes[rank] = Number(ids[rank] === id);
    const lowest = makes.indexOf(1);
    const highest = makes.lastIndexOf(1);
    for (let i = 0; i < gaps.length; i++) {
      const rank = gaps[i];
      if (rank < lowest || rank > highest || !makes[rank]) continue;
      let start = i;
      let end = i + 1;
      while (start > 0 && gaps[start - 1] < rank) start--;
      while (gaps[end] < rank) end++;
      places.add(start, end + 1, rank);
    }
  }

  /**
   * @param {Places} places
   * @param {SourcedToken} token
   */
  addBasePlaces(places, { source, start, end, id }) {
    const { text, gaps } = this.run;
    let bytes = source.text.subarray(start, end);
    /** @type {boolean | null} */
    let atWordEnd = null;
    if (this.tokenIds.marksWordEnds && id !== undefined) {
      const spelling = this.spelling(id);
      atWordEnd = spelling.endsWith("</w>");
      bytes = bytesOf(atWordEnd ? spelling.slice(0, -4) : spelling);
    }
    const { length } = bytes;
    for (
      let i = text.indexOf(bytes[0]);
      i >= 0 && i + length <= text.length;
      i = text.indexOf(bytes[0], i + 1)
    ) {
      if (i > 0 && gaps[i - 1] === -1) continue;
      const after = gaps[i + length - 1];
      if (after === -1 || after === SKIPPED) continue;
      if (atWordEnd !== null && atWordEnd !== (after === WALL)) continue;
      let matching = 1;
      while (matching < length && text[i + matching] === bytes[matching] && gaps[i + matching - 1] === -1)
        matching++;
      if (matching === length) places.add(i, i + length, -1);
    }
  }

  /**
   * The bytes of every token by id, as strings of one character a byte; made at the first use.
   * @returns {Map<number, string>}
   */
  get spellings() {
    if (this.spellingById) return this.spellingById;
    const { base_ids: baseIds, lefts, rights, ids } = this.run;
    const spellings = new Map(Object.entries(baseIds).map(([hex, id]) => [id, binary(bytesOfHex(hex))]));
    // Special tokens, and symbols that share their spelling with another one.
    const others = new Map(this.labels.map(({ id, label }) => [id, fromText(withoutGlyphs(label))]));
    /** @param {number} id */
    const spelling = (id) => spellings.get(id) ?? others.get(id) ?? "";
    const made = new Set(ids);
    for (const id of others.keys()) if (!spellings.has(id) && !made.has(id)) spellings.set(id, spelling(id));
    for (let rank = 0; rank < ids.length; rank++)
      spellings.set(ids[rank], spelling(lefts[rank]) + spelling(rights[rank]));
    this.spellingById = spellings;
    return spellings;
  }

  /**
   * The bytes of a token as a string of one character a byte.
   * @param {number} id
   */
  spelling(id) {
    const spelling = this.spellings.get(id);
    if (spelling === undefined) throw new Error(`no token has the id ${id}`);
    return spelling;
  }

  /** @returns {Map<string, number[]>} */
  get idsBySpelling() {
    if (this.idsByBytes) return this.idsByBytes;
    const bySpelling = /** @type {Map<string, number[]>} */ (new Map());
    for (const [id, spelling] of this.spellings) {
      const ids = bySpelling.get(spelling);
      if (ids) ids.push(id);
      else bySpelling.set(spelling, [id]);
    }
    this.idsByBytes = bySpelling;
    return bySpelling;
  }

  /** @param {string} spelling */
  withBytes(spelling) {
    const plain = this.idsBySpelling.get(spelling) ?? [];
    return this.tokenIds.marksWordEnds
      ? [...plain, ...(this.idsBySpelling.get(`${spelling}</w>`) ?? [])]
      : plain;
  }

  /**
   * The tokens that a query names exactly; those that it names as text come first.
   * @param {string} query
   * @returns {FoundToken[]}
   */
  exact(query) {
    /** @type {Map<number, string>} */
    const found = new Map();
    /**
     * @param {number[]} ids
     * @param {string} as
     */
    const note = (ids, as) => {
      for (const id of ids) if (!found.has(id)) found.set(id, as);
    };
    note(this.idsBySpelling.get(fromText(query)) ?? [], "text");
    note(this.idsBySpelling.get(fromText(withoutGlyphs(query))) ?? [], "text");
    const trimmed = query.trim();
    if (/^\d+$/.test(trimmed) && Number(trimmed) in this.run.labels) note([Number(trimmed)], "id");
    const hex = trimmed.replace(/^0x/i, "").replace(/\s+/g, "");
    if (/^([0-9a-f]{2})+$/i.test(hex)) note(this.idsBySpelling.get(binary(bytesOfHex(hex))) ?? [], "bytes");
    return [...found];
  }

  /**
   * Tokens to suggest: exact ones, then those that begin with the query, then those that contain it.
   * @param {string} query
   * @returns {FoundToken[]}
   */
  search(query) {
    const found = this.exact(query);
    const taken = new Set(found.map(([id]) => id));
    const shown = withSigns(query);
    /** @type {FoundToken[]} */
    const containing = [];
    for (const { id, label } of this.labels) {
      if (found.length >= SUGGESTIONS) break;
      if (taken.has(id)) continue;
      if (label.startsWith(shown)) found.push([id, ""]);
      else if (containing.length < SUGGESTIONS && label.includes(shown)) containing.push([id, ""]);
    }
    return [...found, ...containing].slice(0, SUGGESTIONS);
  }
}

// All places where a token occurs at any step, in the order of the text.
export class Places {
  /** @param {Int32Array} gaps */
  constructor(gaps) {
    this.gaps = gaps;
    /** @type {number[]} */
    this.starts = [];
    /** @type {number[]} */
    this.ends = [];
    /** @type {number[]} */
    this.made = []; // the merge that makes the token here, -1 for a base token
    /** @type {number[]} */
    this.joined = []; // the merge that joins it to a longer one
  }

  /**
   * @param {number} start
   * @param {number} end
   * @param {number} made
   */
  add(start, end, made) {
    this.starts.push(start);
    this.ends.push(end);
    this.made.push(made);
    this.joined.push(Math.min(start > 0 ? this.gaps[start - 1] : WALL, this.gaps[end - 1]));
  }

  sort() {
    const order = this.starts.map((_, i) => i).sort((a, b) => this.starts[a] - this.starts[b]);
    /** @param {number[]} values */
    const sorted = (values) => order.map((i) => values[i]);
    this.starts = sorted(this.starts);
    this.ends = sorted(this.ends);
    this.made = sorted(this.made);
    this.joined = sorted(this.joined);
  }

  /**
   * @param {number} i
   * @param {number} step
   */
  stands(i, step) {
    return this.made[i] < step && step <= this.joined[i];
  }

  /**
   * How many occurrences there are at a step, how many before an offset, and whether one begins at the offset.
   * @param {number} step
   * @param {number} offset
   */
  count(step, offset) {
    let total = 0;
    let before = 0;
    let here = false;
    for (let i = 0; i < this.starts.length; i++) {
      if (!this.stands(i, step)) continue;
      total++;
      if (this.starts[i] < offset) before++;
      else if (this.starts[i] === offset) here = true;
    }
    return { total, before, here };
  }

  /**
   * The index of the n-th occurrence at a step.
   * @param {number} step
   * @param {number} n
   */
  nth(step, n) {
    let i = 0;
    while (!this.stands(i, step) || n-- > 0) i++;
    return i;
  }
}

/** @param {string} text */
const fromText = (text) => binary(new TextEncoder().encode(text));
/** @param {string} text */
const withoutGlyphs = (text) => text.replace(/[␣⏎⇥␍]/g, (glyph) => GLYPH_CHARACTERS[glyph]);
