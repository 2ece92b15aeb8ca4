// @ts-check
// The bars of pairs, and how a picked token's word grows, beside the player of a page without a server.

import { growthIn, wordAround, wordName } from "../biography/grown.js";
import { WordGrowth } from "../biography/word_growth.js";
import { Player } from "../player/merge_player.js";
import { PairPanel } from "../player/pair_panel.js";
import { stage } from "../player/stage.js";
import { makePart } from "./page_parts.js";
import { Side } from "./side.js";

/** @import { Content } from "./page_parts.js" */

/**
 * Put the panels beside a player. Returns the pairs, and what forgets the word when another run comes.
 * @param {Content} content
 * @param {Player} player
 */
export function putBeside(content, player) {
  const [pairs, word] = ["pairs", "biography"].map((part) => makePart(content, part));
  const panel = new PairPanel(pairs);
  const growth = new WordGrowth(word);
  const show = () => growth.load(growth.data);
  const side = new Side([
    { name: "Pairs", host: pairs.host, onShow: () => (stage.word = null) },
    { name: "Word", host: word.host, onShow: show },
  ]);
  player.setStateValue = (name, value) => {
    if (name !== "word") return;
    growth.data = grow(player, /** @type {{ start: number, end: number }} */ (value));
    side.show(1);
  };
  /** @param {number} run the number of the one that comes */
  const forget = (run) => {
    growth.data = { word: "", growths: [], follows: run };
    if (!word.host.hasAttribute("hidden")) show();
  };
  return { panel, forget };
}

/**
 * @param {Player} player
 * @param {{ start: number, end: number }} token
 */
function grow({ run, beside }, token) {
  const word = wordAround(run, token);
  const growths = [run, ...(beside.run ? [beside.run] : [])].map((each) =>
    growthIn(each, beside.run ? each.title : "This run", word),
  );
  return { word: wordName(run, word), growths, follows: run.number };
}
