// @ts-check
// What survives a reload: the text and the rules, in this browser only. It may refuse to keep anything.

/** @import { Settings } from "../trainer/rules.js" */

/** @typedef {{ text: string, name: string, settings: Settings }} Kept */
/** @typedef {{ text: string, name: string, settings: Partial<Settings> }} Received what came back: its settings may be anything */

const MOST_NAME = 200; // characters

const KEPT_AS = "bpeviz-playground";

/** @param {Kept} kept */
export function keep(kept) {
  try {
    localStorage.setItem(KEPT_AS, JSON.stringify(kept));
  } catch {
    // full, or forbidden: then a reload begins with the first sample
  }
}

/** @returns {Received | null} */
export function keptBefore() {
  try {
    return keptIn(localStorage.getItem(KEPT_AS) ?? "{}");
  } catch {
    return null;
  }
}

/**
 * What JSON from a stranger holds: null without a text. Settings are checked where they are used. Throws what
 * JSON.parse throws.
 * @param {string} json
 * @returns {Received | null}
 */
export function keptIn(json) {
  const { text, name, settings } = JSON.parse(json) ?? {};
  if (typeof text !== "string" || !text) return null;
  return {
    text,
    name: typeof name === "string" ? [...name].slice(0, MOST_NAME).join("") : "",
    settings: settings && typeof settings === "object" ? settings : {},
  };
}
