// @ts-check
// The marks of forks on the scrubber: a flag with a name at each merge that the person chose or vetoed.

import { create, findAll } from "../shared/elements.js";
import { decimals } from "../shared/numbers.js";

/** @import { Fork, Run } from "../shared/types" */

/**
 * Put the marks over a scrubber; those of the run before go.
 * @param {SVGSVGElement} scrubber
 * @param {Run} run
 */
export function markForks(scrubber, run) {
  const row = create("div", "fork-marks");
  row.append(
    ...run.forks.map((fork) => flagAt(fork.rank, "fork", forkSays(fork, run.labels), run.num_merges)),
  );
  const learned = run.start_ranks?.findIndex((rank, step) => rank < 0 && !run.chosen.includes(step)) ?? -1;
  if (learned >= 0) row.append(flagAt(learned, "new", newFrom(learned, run.start_name), run.num_merges));
  const { nextElementSibling: old } = scrubber;
  if (old?.classList.contains("fork-marks")) old.replaceWith(row);
  else scrubber.after(row);
}

/**
 * What the forks do whose flags are at a place in the window. Their own tips never show: clicks go to the scrubber.
 * @param {SVGSVGElement} scrubber
 * @param {number} clientX
 * @param {number} clientY
 */
export function forksAt(scrubber, clientX, clientY) {
  const flags = findAll(scrubber.parentElement ?? document, ".fork-mark");
  const there = flags.filter((flag) => {
    const { left, right, top, bottom } = flag.getBoundingClientRect();
    return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
  });
  return there.map(({ title }) => title);
}

/**
 * @param {number} step
 * @param {string} name
 * @param {string} says
 * @param {number} merges
 */
function flagAt(step, name, says, merges) {
  const share = forkShare(step, merges);
  const flag = create("span", "fork-mark", name);
  flag.title = says;
  flag.style.left = `${share * 100}%`;
  flag.classList.toggle("left", share > 0.9); // else it would leave the scrubber
  return flag;
}

/**
 * @param {number} step
 * @param {string} name
 */
const newFrom = (step, name) =>
  `From merge ${decimals(step + 1)} on the merges are new: ${name} has none left here`;

/**
 * What the person chose, in a sentence.
 * @param {Fork} fork
 * @param {Record<string, string>} labels of tokens by id
 */
export function forkSays({ rank, pair, action }, labels) {
  const merge = `merge ${decimals(rank + 1)}`;
  const [left, right] = pair.map((id) => `\u2068${labels[id]}\u2069`);
  return action === "merge" ? `You chose ${merge}` : `From ${merge} on you never merge ${left} + ${right}`;
}

/**
 * Where a fork is along the scrubber, from 0 to 1: before its merge is made.
 * @param {number} rank
 * @param {number} merges
 */
export const forkShare = (rank, merges) => (merges ? Math.min(1, rank / merges) : 0);
