// @ts-check
// The panel of pairs as a component of the page.

import { madeOnce } from "../shared/component.js";
import { PairPanel } from "./pair_panel.js";
import { stage } from "./stage.js";

/** @import { ComponentArguments } from "../shared/types" */

/** @param {ComponentArguments<{ card: boolean, marked: [number, number] | null }>} component */
export default function ({ data, parentElement, setTriggerValue }) {
  const [panel, stop] = madeOnce(parentElement, () => new PairPanel(parentElement));
  panel.setTriggerValue = setTriggerValue;
  panel.hasCard = data.card;
  if (!data.card) stage.pick(data.marked);
  return stop;
}
