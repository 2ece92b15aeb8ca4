// @ts-check
// Sends the player on the page to a step, for other parts of the page; and says what the panels show that the
// server has drawn.

import { followCharts } from "./chart_marks.js";
import { stage } from "./stage.js";

/** @import { ComponentArguments } from "../shared/types" */

/**
 * @typedef {object} Told
 * @property {number} serial
 * @property {number} step
 * @property {number | null} offset
 * @property {number} shown
 * @property {[number, number] | null} pair
 * @property {number[] | null} counts
 */

/** @param {ComponentArguments<Told>} component */
export default function ({ data }) {
  const { serial, step, offset, shown, pair, counts } = data;
  followCharts();
  stage.drawn = { step: shown, pair, counts };
  stage.pick(pair);
  stage.changed();
  if (serial === 0 || stage.sent === serial) return;
  stage.sent = serial;
  const { player } = stage;
  player?.jump(step);
  if (!player || offset === null) return;
  player.tokenCard.flash(player.view.reveal(offset));
  if (player.beside.run) player.beside.view.place(...player.view.placeNow());
}
