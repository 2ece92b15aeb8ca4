// @ts-check
// Files as a text: several are joined as the program joins them, and what is no text is refused by its kind.

/** What Python writes for files that are no text: a pattern of their first bytes, what they are, and the way out. */
/** @typedef {{ pattern: string, what: string, remedy: string }} FileKind */
/** @typedef {{ beginning: number, kinds: FileKind[], unmarked: Omit<FileKind, "pattern"> }} FileKinds */
/** @typedef {{ name: string, data: Uint8Array }} NamedBytes */

const FEWEST_BYTES = 8; // bytes that show UTF-16 without a mark
const LINE_MARKS = [..."\t\r\n"].map((character) => character.charCodeAt(0));
const FIRST_PRINTED = 0x20;

/**
 * The text of files; each but the last ends with a newline. Throws an Error that says what is wrong with one.
 * @param {NamedBytes[]} files
 * @param {FileKinds} kinds
 */
export function joinedText(files, kinds) {
  const texts = files.map((file) => textOfFile(file, kinds));
  const last = texts.length - 1;
  const text = texts.map((each, i) => (each.endsWith("\n") || i === last ? each : `${each}\n`)).join("");
  const name = files.length === 1 ? files[0].name : `${files.length} files`;
  if (!text) throw new Error(`${name} ${last ? "are" : "is"} empty. Choose a file with text.`);
  return { name, text };
}

/**
 * @param {NamedBytes} file
 * @param {FileKinds} kinds
 */
function textOfFile({ name, data }, kinds) {
  const kind = kindOf(data.subarray(0, kinds.beginning), kinds);
  if (kind) throw new Error(`${name} is ${kind.what}. ${kind.remedy}`);
  const encoding = encodingOf(data);
  if (encoding === "UTF-32") throw new Error(`${name} is UTF-32. Save it as plain text in UTF-8.`);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(data); // without its mark
  } catch {
    throw new Error(
      `${name} is not ${encoding.slice(0, 6).replace(/-$/, "")}. Save it as plain text in UTF-8.`,
    );
  }
}

/**
 * The encoding that the mark of a text says; UTF-8 without one.
 * @param {Uint8Array} data
 */
function encodingOf(data) {
  const [a, b, c, d] = data;
  if ((a === 0xff && b === 0xfe && c === 0 && d === 0) || (a === 0 && b === 0 && c === 0xfe && d === 0xff))
    return "UTF-32";
  if (a === 0xff && b === 0xfe) return "UTF-16LE";
  return a === 0xfe && b === 0xff ? "UTF-16BE" : "UTF-8";
}

/**
 * What a file is that is no text, by its first bytes; undefined if it may be a text.
 * @param {Uint8Array} beginning
 * @param {FileKinds} kinds
 */
function kindOf(beginning, { kinds, unmarked }) {
  const letters = Array.from(beginning, (byte) => String.fromCharCode(byte)).join("");
  const found = kinds.find(({ pattern }) => new RegExp(`^(?:${pattern})`, "s").test(letters));
  return found ?? (isUnmarked(beginning) ? unmarked : undefined);
}

/**
 * Whether bytes look like letters in UTF-16 or UTF-32 without a mark, as `_is_unmarked` in bpeviz/text/file_kinds.py says it.
 * @param {Uint8Array} beginning
 */
function isUnmarked(beginning) {
  if (beginning.length < FEWEST_BYTES || encodingOf(beginning) !== "UTF-8") return false;
  const [low, high] = [0, 1].map((place) => beginning.filter((_, i) => i % 2 === place));
  const zeros = [0, 1, 2, 3].map((place) =>
    shareOf(
      beginning.filter((_, i) => i % 4 === place),
      (byte) => byte === 0,
    ),
  );
  zeros.sort((one, other) => one - other);
  return areHalves(low, high) || areHalves(high, low) || (zeros[0] < 0.1 && zeros[1] > 0.9);
}

/**
 * @param {Uint8Array} low
 * @param {Uint8Array} high
 */
const areHalves = (low, high) =>
  high.filter((byte) => byte === 0).length > 1 &&
  shareOf(high, (byte) => byte < FIRST_PRINTED) > 0.8 &&
  shareOf(low, (byte) => byte >= FIRST_PRINTED || LINE_MARKS.includes(byte)) > 0.8;

/**
 * @param {Uint8Array} bytes
 * @param {(byte: number) => boolean} holds
 */
const shareOf = (bytes, holds) => bytes.filter(holds).length / bytes.length;
