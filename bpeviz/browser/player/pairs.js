// @ts-check
// The panel of pairs as a component of the page.

import { madeOnce } from "../shared/component.js";
import { PairPanel } from "./pair_panel.js";

/** @import { ComponentArguments } from "../shared/types" */

/** @param {ComponentArguments<{ card: boolean }>} component */
export default function ({ data, parentElement, setTriggerValue }) {
  const [panel, stop] = madeOnce(parentElement, () => new PairPanel(parentElement));
  panel.setTriggerValue = setTriggerValue;
  panel.hasCard = data.card;
  return stop;
}
