// @ts-check
// Numbers as the page writes them.

/**
 * @param {number} value
 * @param {number} [digits] after the point
 */
export const decimals = (value, digits = 0) =>
  value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });

/**
 * A number with its noun: "1 merge", "2 merges".
 * @param {number} value
 * @param {string} noun
 */
export const counted = (value, noun) => `${decimals(value)} ${noun}${value === 1 ? "" : "s"}`;
