// @ts-check
// Numbers as the page writes them.

/** @type {Record<number, Intl.NumberFormat>} */
const formats = {}; // by digits after the point: making one takes longer than writing a number

/**
 * @param {number} value
 * @param {number} [digits] after the point
 */
export function decimals(value, digits = 0) {
  formats[digits] ??= new Intl.NumberFormat("en", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return formats[digits].format(value);
}

/**
 * A number with its noun: "1 merge", "2 merges".
 * @param {number} value
 * @param {string} noun
 */
export const counted = (value, noun) => `${decimals(value)} ${noun}${value === 1 ? "" : "s"}`;

/**
 * Words with a capital letter, to begin a sentence.
 * @param {string} words
 */
export const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/**
 * A place in an order: "1st", "22nd", "1,013th".
 * @param {number} place
 */
export function ordinal(place) {
  const end = endings[ordinals.select(place)] ?? "th";
  return `${decimals(place)}${end}`;
}

/** @type {Record<string, string>} */
const endings = { one: "st", two: "nd", few: "rd" };
const ordinals = new Intl.PluralRules("en", { type: "ordinal" });

/** @param {number} count */
export const times = (count) => (count === 1 ? "once" : `${decimals(count)} times`);
