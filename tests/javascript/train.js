// @ts-check
// Trains as the browser does, for tests/parity/test_browser_trainer.py: reads the table and orders as JSON from standard
// input, and writes a line for each order: the packs in base64.

import { text } from "node:stream/consumers";
import { packsOf } from "../../bpeviz/browser/trainer/trained_pack.js";

/** @import { TrainerTable } from "../../bpeviz/browser/trainer/rules.js" */
/** @import { Order } from "../../bpeviz/browser/trainer/trained_pack.js" */

/** @type {{ table: TrainerTable, orders: Order[] }} */
const { table, orders } = JSON.parse(await text(process.stdin));

/** @param {Uint8Array} bytes */
const base64 = (bytes) => Buffer.from(bytes).toString("base64");

for (const order of orders) {
  const { player, pairs } = packsOf(table, order);
  console.log(JSON.stringify([base64(player), base64(pairs)]));
}
