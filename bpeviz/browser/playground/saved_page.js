// @ts-check
// The run on show as a page of its player, as bpeviz/standalone/page.py writes it. Python wrote the page of an empty run;
// what differs is put into it here. A person's text gets in as packed data, or through the DOM, which escapes it.

import { create } from "../shared/elements.js";
import { counted } from "../shared/numbers.js";
import { withFields } from "../shared/pack.js";
import { tokensAt } from "../standalone/paper.js";
import { packed } from "./packed.js";

/** @import { Player } from "../player/merge_player.js" */
/** @import { Packs } from "../trainer/trained_pack.js" */

const TITLE = "@title@"; // as in bpeviz/standalone/playground.py
const READABLE = "@readable@";
const SIZES = '"packs": {"player": 0, "pairs": 0}';
const DATA = /(<script type="application\/gzip" id="packs">)[^<]*/;

/**
 * @param {string} empty the page of an empty run
 * @param {Player} player
 * @param {Packs} packs
 * @param {string} title
 */
export async function savedPage(empty, player, packs, title) {
  const run = withFields(packs.player, { start: player.step });
  const data = await packed([run, packs.pairs], "gzip");
  const sizes = `"packs": {"player": ${run.length}, "pairs": ${packs.pairs.length}}`;
  return withValues(empty, [
    [TITLE, create("p", "", title).innerHTML],
    [READABLE, readable(player, title).innerHTML],
    [SIZES, sizes],
    [DATA, data],
  ]);
}

/**
 * A page with a value in place of each mark. It is cut at all marks first: a person's text may hold one.
 * @param {string} page
 * @param {[mark: string | RegExp, value: string][]} values each mark is there; one that is an expression begins with
 *   what stays, as its first group
 */
export function withValues(page, values) {
  const places = values.map(([mark, value]) => {
    if (typeof mark === "string") {
      const start = page.indexOf(mark);
      return { start, end: start + mark.length, value };
    }
    const { 0: all, 1: stays, index } = /** @type {RegExpExecArray} */ (mark.exec(page));
    return { start: index + stays.length, end: index + all.length, value };
  });
  places.sort((one, other) => one.start - other.start);
  const parts = places.map(({ start, value }, i) => page.slice(i ? places[i - 1].end : 0, start) + value);
  return parts.join("") + page.slice(places[places.length - 1].end);
}

/**
 * What people read without JavaScript, and on paper.
 * @param {Player} player
 * @param {string} title
 */
export function readable({ run, step }, title) {
  const after = create("p", "", `The text after ${counted(step, "merge")}:`);
  after.id = "after";
  const tokens = create("pre", "", "\n", ...tokensAt(run.text, run.gaps, step)); // HTML drops the first line end
  tokens.id = "tokens";
  tokens.dir = "auto";
  const { counts, ids, labels, lefts, rights, totals } = run;
  const rows = Array.from(ids, (id, rank) => [
    rank + 1,
    labels[lefts[rank]],
    labels[rights[rank]],
    labels[id],
    counts[rank],
    totals[rank + 1],
  ]);
  const head = ["merge", "left", "right", "makes", "count", "tokens after"].map((name) =>
    create("th", "", name),
  );
  const cells = rows.map((row) => create("tr", "", ...row.map((each) => create("td", "", String(each)))));
  const table = create("table", "", create("tr", "", ...head), ...cells);
  return create("div", "", create("h1", "", title), after, tokens, create("h2", "", "Merges"), table);
}
