// @ts-check
// Sends the player on the page to a step, for other parts of the page; and says what the panels show that the
// server has drawn.

import { stage } from "./stage.js";

/** @import { ComponentArguments } from "../shared/types" */

/** @param {ComponentArguments<{ serial: number, step: number, offset: number | null, shown: number, pair: [number, number] | null }>} component */
export default function ({ data }) {
  const { serial, step, offset, shown, pair } = data;
  stage.drawn = { step: shown, pair };
  stage.pairs?.chart.pick(pair);
  stage.changed();
  if (serial === 0 || stage.sent === serial) return;
  stage.sent = serial;
  const { player } = stage;
  player?.jump(step);
  if (!player || offset === null) return;
  player.tokenCard.flash(player.view.reveal(offset));
  if (player.beside.run) player.beside.view.place(...player.view.placeNow());
}
