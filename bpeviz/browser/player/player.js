// @ts-check
// The merge player as a component of the page.

import { loadPack, madeOnce } from "../shared/component.js";
import { Player } from "./merge_player.js";

/** @import { ComponentArguments } from "../shared/types" */

/** @param {ComponentArguments<Uint8Array>} component */
export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  const [player, stop] = madeOnce(parentElement, () => new Player(parentElement));
  player.setStateValue = setStateValue;
  player.setTriggerValue = setTriggerValue;
  loadPack(player, data);
  return stop;
}
