// @ts-check
// What survives a reload: the text and the rules, in this browser only. It may refuse to keep anything.

/** @import { Settings } from "../trainer/rules.js" */

/** @typedef {{ text: string, name: string, settings: Settings }} Kept */

const KEPT_AS = "bpeviz-playground";

/** @param {Kept} kept */
export function keep(kept) {
  try {
    localStorage.setItem(KEPT_AS, JSON.stringify(kept));
  } catch {
    // full, or forbidden: then a reload begins with the first sample
  }
}

/** @returns {Partial<Kept>} */
export function keptBefore() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT_AS) ?? "{}");
    return kept && typeof kept === "object" ? kept : {};
  } catch {
    return {};
  }
}
