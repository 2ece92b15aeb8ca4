// @ts-check
// Sends the player on the page to a step, for other parts of the page.

/** @import { ComponentArguments } from "../shared/types" */
/** @import { PlayerPage } from "./player.js" */

/** @param {ComponentArguments<{ serial: number, step: number }>} component */
export default function ({ data }) {
  /** @type {PlayerPage} */
  const page = document;
  const { serial, step } = data;
  if (serial === 0 || page.bpevizAsked === serial) return;
  page.bpevizAsked = serial;
  page.bpevizPlayer?.jump(step);
}
