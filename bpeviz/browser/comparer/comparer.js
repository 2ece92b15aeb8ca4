// @ts-check
// Two tokenizers on one text, as a component of the page.

import { loadPack, madeOnce } from "../shared/component.js";
import { Comparer } from "./compared_text.js";

/** @import { ComponentArguments } from "../shared/types" */

/** @param {ComponentArguments<Uint8Array>} component */
export default function ({ data, parentElement, setStateValue }) {
  const [comparer, stop] = madeOnce(parentElement, () => new Comparer(parentElement));
  comparer.setStateValue = setStateValue;
  loadPack(comparer, data);
  return stop;
}
