// @ts-check
// On paper the page shows the whole text and the merges, as it does without JavaScript: at the step of the player.

import { Player } from "../player/merge_player.js";
import { hexBytes } from "../shared/bytes.js";
import { isWhole } from "../shared/characters.js";
import { create } from "../shared/elements.js";
import { SKIPPED } from "../shared/gap_ranks.js";
import { counted } from "../shared/numbers.js";

const MOST_BYTES = 100_000; // as in content.py

/** @param {Player} player */
export function keepForPaper(player) {
  addEventListener("beforeprint", () => {
    const place = document.getElementById("tokens");
    const after = document.getElementById("after");
    if (after) after.textContent = `The text after ${counted(player.step, "merge")}:`;
    place?.replaceChildren(...tokensAt(player.run.text, player.run.gaps, player.step));
    const { run: second } = player.beside;
    const placeBeside = document.getElementById("tokens-beside");
    if (second) placeBeside?.replaceChildren(...tokensAt(second.text, second.gaps, player.step));
  });
}

/**
 * The tokens at a step; every second one is marked. Those that are not whole characters are in hexadecimal digits.
 * @param {Uint8Array} text
 * @param {Int32Array} gaps
 * @param {number} step
 * @returns {(string | HTMLElement)[]}
 */
export function tokensAt(text, gaps, step) {
  /** @type {(string | HTMLElement)[]} */
  const tokens = [];
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let start = 0;
  for (let i = 0; i < Math.min(gaps.length, MOST_BYTES); i++) {
    if (gaps[i] < step) continue;
    const bytes = text.subarray(start, i + 1);
    const token = isWhole(text, start, i + 1) ? decoder.decode(bytes) : create("i", "", hexBytes(bytes));
    tokens.push(tokens.length % 2 && gaps[i] !== SKIPPED ? create("b", "", token) : token);
    start = i + 1;
  }
  return tokens;
}
