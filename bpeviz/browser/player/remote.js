// @ts-check
// Sends the player on the page to a step, for other parts of the page; and says what the panels show that the
// server has drawn.

import { markPanels, page } from "./page.js";

/** @import { ComponentArguments } from "../shared/types" */

/** @param {ComponentArguments<{ serial: number, step: number, offset: number | null, shown: number, pair: [number, number] | null }>} component */
export default function ({ data }) {
  const { serial, step, offset, shown, pair } = data;
  page.bpevizPanels = { step: shown, pair };
  page.bpevizPairs?.chart.pick(pair);
  markPanels();
  if (serial === 0 || page.bpevizAsked === serial) return;
  page.bpevizAsked = serial;
  const player = page.bpevizPlayer;
  player?.jump(step);
  if (!player || offset === null) return;
  player.tokenCard.flash(player.view.reveal(offset));
  if (player.beside.run) player.beside.view.place(...player.view.placeNow());
}
