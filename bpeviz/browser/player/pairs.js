// @ts-check
// The panel of pairs as a component of the page.

import { madeOnce } from "../shared/component.js";
import { PairPanel } from "./pair_panel.js";

/** @import { ComponentArguments } from "../shared/types" */

/** @param {ComponentArguments<null>} component */
export default function ({ parentElement, setTriggerValue }) {
  const [panel, stop] = madeOnce(parentElement, () => new PairPanel(parentElement));
  panel.setTriggerValue = setTriggerValue;
  return stop;
}
