// @ts-check
// Trains as the browser does, for tests/parity/test_browser_trainer.py: reads the table and orders as JSON from standard
// input, and writes a line for each order: the packs in base64, also that of a comparison with a known tokenizer, and the files of its tokenizer,
// or why there are none.

import { text } from "node:stream/consumers";
import { gpt2Files, tokenizerJson } from "../../bpeviz/browser/playground/tokenizer_files.js";
import { comparisonPack } from "../../bpeviz/browser/playground/with_known.js";
import { readPack } from "../../bpeviz/browser/shared/pack.js";
import { gapsByRank } from "../../bpeviz/browser/trainer/ranked_merges.js";
import { rulesOf } from "../../bpeviz/browser/trainer/rules.js";
import { packsOf } from "../../bpeviz/browser/trainer/trained_pack.js";

/** @import { TrainerTable } from "../../bpeviz/browser/trainer/rules.js" */
/** @import { Order } from "../../bpeviz/browser/trainer/trained_pack.js" */

/** @import { Formats } from "../../bpeviz/browser/playground/tokenizer_files.js" */

/** @import { RankedMerges } from "../../bpeviz/browser/trainer/ranked_merges.js" */

/** @type {{ table: TrainerTable, formats: Formats, known: RankedMerges, orders: Order[] }} */
const { table, formats, known, orders } = JSON.parse(await text(process.stdin));

/** @param {Uint8Array} bytes */
const base64 = (bytes) => Buffer.from(bytes).toString("base64");

/** @param {() => unknown} write */
function written(write) {
  try {
    return write();
  } catch (error) {
    return error instanceof Error ? `Error: ${error.message}` : "";
  }
}

for (const order of orders) {
  const { player, pairs } = packsOf(table, order);
  const [run, rules] = [readPack(player), rulesOf(table, order.settings)];
  const files = [tokenizerJson, gpt2Files].map((write) => written(() => write(run, rules, formats)));
  const compared = comparisonPack(run, gapsByRank(order.text, known, table), known, table, rules.recipe.name);
  console.log(JSON.stringify([...[player, pairs, compared].map(base64), files]));
}
