// @ts-check
// Brings the pairs of all steps to the panel of pairs, after everything else of the page.

import { sameBytes } from "../shared/bytes.js";
import { page } from "./page.js";

/** @import { ComponentArguments } from "../shared/types" */

/** @param {ComponentArguments<Uint8Array>} component */
export default function ({ data }) {
  if (sameBytes(page.bpevizPairPack ?? null, data)) return;
  page.bpevizPairPack = data;
  page.bpevizPairs?.load(data);
  page.bpevizPlayer?.say(); // of a tie it can say now what decides it
}
