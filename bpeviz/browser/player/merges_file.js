// @ts-check
// The table of merges as CSV.

import { bytesOf, hexBytes } from "../shared/bytes.js";
import { decoded } from "../shared/characters.js";
import { Lexicon } from "./lexicon.js";

/** @import { Run } from "../shared/types" */

const MERGE_COLUMNS = "rank,left_id,right_id,token_id,left,right,token,token_bytes,count,tied,tokens_after";

/** @param {Run} run */
export function mergesTable(run) {
  const lexicon = new Lexicon(run);
  const rows = [MERGE_COLUMNS];
  for (let rank = 0; rank < run.num_merges; rank++) {
    const ids = [run.lefts[rank], run.rights[rank], run.ids[rank]];
    const tokens = ids.map((id) => bytesOf(lexicon.spelling(id)));
    const hex = hexBytes(tokens[2]);
    const figures = [run.counts[rank], run.tied[rank], run.totals[rank + 1]];
    rows.push(
      [rank, ...ids, ...tokens.map((token) => csvField(tokenLiteral(token))), hex, ...figures].join(","),
    );
  }
  return `${rows.join("\r\n")}\r\n`;
}

/**
 * A token as a JSON string, which is no formula in a spreadsheet; or its bytes if it isn't whole characters.
 * @param {Uint8Array} bytes
 */
function tokenLiteral(bytes) {
  const characters = decoded(bytes);
  return characters === null ? `<${hexBytes(bytes)}>` : JSON.stringify(characters);
}

/** @param {string} text */
const csvField = (text) => `"${text.replaceAll('"', '""')}"`;
