// @ts-check
// Brings the pairs of all steps to the panel of pairs, after everything else of the page.

import { sameBytes } from "../shared/bytes.js";
import { stage } from "./stage.js";

/** @import { ComponentArguments } from "../shared/types" */

/** @param {ComponentArguments<Uint8Array>} component */
export default function ({ data }) {
  if (sameBytes(stage.pairPack, data)) return;
  stage.pairPack = data;
  stage.pairs?.load(data);
}
