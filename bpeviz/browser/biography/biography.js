// @ts-check
// The biography of a word as a component of the page.

import { madeOnce } from "../shared/component.js";
import { WordGrowth } from "./word_growth.js";

/** @import { ComponentArguments } from "../shared/types" */
/** @import { Biography } from "./word_growth.js" */

/** @param {ComponentArguments<Biography>} component */
export default function ({ data, parentElement }) {
  const [growth, stop] = madeOnce(parentElement, () => new WordGrowth(parentElement));
  if (JSON.stringify(growth.data) !== JSON.stringify(data)) growth.load(data);
  return stop;
}
