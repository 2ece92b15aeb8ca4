// @ts-check
// The tip of a token in a run's text: its text, bytes and id, the merge that made it, and how often it occurs now.
// It comes from the run alone, without the server.

import { firstHexBytes } from "../shared/bytes.js";
import { isWhole, nameOfUnseen } from "../shared/characters.js";
import { Details, tipLine } from "../shared/details.js";
import { SKIPPED, WALL } from "../shared/gap_ranks.js";
import { counted, decimals } from "../shared/numbers.js";
import { TokenIds } from "../shared/token_ids.js";
import { pairFrom } from "./pair_guess.js";

/** @import { TextView } from "../shared/text_view.js" */
/** @import { RankedText, Run, Token } from "../shared/types" */

const BYTES_SHOWN = 24;
const CHARACTERS_SHOWN = 40;

export class RunDetails extends Details {
  /**
   * @param {ParentNode} root
   * @param {TextView} view
   */
  constructor(root, view) {
    super(root, view);
    /** @type {{ run: Run, tokenIds: TokenIds } | null} */
    this.known = null;
  }

  /** @param {Run} run */
  load(run) {
    const tokenIds = new TokenIds(run);
    this.known = { run, tokenIds };
    this.view.idOf = (token) => tokenIds.of(token);
    this.hide();
  }

  /**
   * @override
   * @param {Token} token
   * @returns {HTMLElement[]}
   */
  lines(token) {
    if (!this.known) return [];
    const { run, tokenIds } = this.known;
    const { start, end } = token;
    const id = tokenIds.of(token);
    const standing = countToken(run, token, this.view.step, tokenIds.marksWordEnds);
    const count = `${decimals(standing)} in the text now`;
    const name = id === undefined ? spelling(run.text, token) : run.labels[id];
    return [
      ...this.guess(run, tokenIds, token),
      ...(name === null ? [] : [tipLine("token ", name)]),
      tipLine(`${counted(end - start, "byte")} `, firstHexBytes(run.text, token, BYTES_SHOWN)),
      tipLine(id === undefined ? count : `id ${id}, ${count}`),
      origin(run, token),
    ];
  }

  /**
   * While the person guesses the next merge: the pair that a pick of the token would guess.
   * @param {Run} run
   * @param {TokenIds} tokenIds
   * @param {Token} token
   * @returns {HTMLElement[]}
   */
  guess(run, tokenIds, token) {
    if (!run.guess || this.view.step < run.num_merges) return [];
    const pair = pairFrom(this.view, tokenIds, token);
    if (!pair) return [tipLine("no pair: no merge crosses the end of this word")];
    return [tipLine("your guess: ", `${run.labels[pair.left]} + ${run.labels[pair.right]}`)];
  }
}

/**
 * The characters of a token; null if it isn't whole characters.
 * @param {Uint8Array} text
 * @param {Token} token
 */
function spelling(text, { start, end }) {
  if (!isWhole(text, start, end)) return null;
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const characters = Array.from(decoder.decode(text.subarray(start, end)));
  const shown = nameOfUnseen(characters.slice(0, CHARACTERS_SHOWN).join(""));
  return characters.length > CHARACTERS_SHOWN ? `${shown}…` : shown;
}

/**
 * @param {Run} run
 * @param {Token} token
 */
function origin({ labels, lefts, rights }, { latest }) {
  if (latest < 0) return tipLine("in the base vocabulary");
  return tipLine(`merge ${decimals(latest + 1)}: `, `${labels[lefts[latest]]} + ${labels[rights[latest]]}`);
}

/**
 * How often a token occurs in a text after so many merges.
 * @param {RankedText} text
 * @param {Token} token
 * @param {number} merges
 * @param {boolean} marksWordEnds whether the same bytes at a word's end are another token
 */
export function countToken({ text, gaps }, token, merges, marksWordEnds) {
  const length = token.end - token.start;
  const last = text[token.end - 1];
  const atWordEnd = gaps[token.end - 1] === WALL;
  let count = 0;
  let start = 0;
  for (let i = 0; i < gaps.length; i++) {
    if (gaps[i] < merges) continue;
    const alike = i + 1 - start === length && text[i] === last && gaps[i] !== SKIPPED;
    const wordEndAlike = !marksWordEnds || (gaps[i] === WALL) === atWordEnd;
    if (alike && wordEndAlike && sameBytesAt(text, start, token)) count++;
    start = i + 1;
  }
  return count;
}

/**
 * @param {Uint8Array} text
 * @param {number} start
 * @param {Token} token
 */
function sameBytesAt(text, start, token) {
  for (let i = token.start; i < token.end; i++) if (text[start + i - token.start] !== text[i]) return false;
  return true;
}
