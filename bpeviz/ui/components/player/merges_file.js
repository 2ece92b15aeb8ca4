// The table of merges as CSV.

const MERGE_COLUMNS =
  "rank,left_id,right_id,token_id,left,right,token,token_bytes,count,tied,tokens_after";

function mergesTable(pack) {
  const { spellings } = new Lexicon(pack);
  const rows = [MERGE_COLUMNS];
  for (let rank = 0; rank < pack.num_merges; rank++) {
    const ids = [pack.lefts[rank], pack.rights[rank], pack.ids[rank]];
    const tokens = ids.map((id) => bytesOf(spellings.get(id)));
    const hex = Array.from(tokens[2], hexByte).join(" ");
    const figures = [pack.counts[rank], pack.tied[rank], pack.totals[rank + 1]];
    rows.push([rank, ...ids, ...tokens.map((token) => csvField(tokenLiteral(token))), hex, ...figures].join(","));
  }
  return `${rows.join("\r\n")}\r\n`;
}

// A token as a JSON string, which no spreadsheet takes for a formula; its bytes where it is no whole characters.
function tokenLiteral(bytes) {
  try {
    return JSON.stringify(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return `<${Array.from(bytes, hexByte).join(" ")}>`;
  }
}

const csvField = (text) => `"${text.replaceAll('"', '""')}"`;
