// @ts-check
// The field for the text: typed, pasted, of a file or of a sample.

import { find } from "../shared/elements.js";
import { counted, decimals } from "../shared/numbers.js";
import { joinedText } from "./text_files.js";

/** @import { FileKinds } from "./text_files.js" */

/** @typedef {{ title: string, shows: string, text: string }} Sample */

const MOST_SHOWN = 100_000; // units of UTF-16: a longer file would make the field slow
const DRAGGED = "dragged";

export class TextField {
  /**
   * @param {ParentNode} root
   * @param {Sample[]} samples
   * @param {number} most bytes of a text
   * @param {FileKinds} kinds of files that are no text
   * @param {() => void} onText called when there is another text
   * @param {(problem: string) => void} onProblem called when a file can't be read
   */
  constructor(root, samples, most, kinds, onText, onProblem) {
    this.text = ""; // the field has other line ends than a file
    this.name = "";
    this.most = most;
    this.kinds = kinds;
    this.onText = onText;
    this.onProblem = onProblem;
    this.field = find(root, "#own-text", HTMLTextAreaElement);
    this.files = find(root, "input[type=file]", HTMLInputElement);
    this.shell = find(root, ".playground");
    this.field.addEventListener("input", () => this.typed());
    const list = find(root, ".samples", HTMLSelectElement);
    list.append(
      ...samples.map(({ title, shows }, i) => Object.assign(new Option(title, String(i)), { title: shows })),
    );
    list.addEventListener("change", () => {
      const { title, text } = samples[Number(list.value)];
      list.value = "";
      this.show(text, title);
      onText();
    });
    find(root, ".choose").addEventListener("click", () => this.files.click());
    this.files.addEventListener("change", () => this.take(this.files.files));
    this.watchDrops();
  }

  typed() {
    this.text = wellFormed(this.field.value);
    this.name = "";
    this.onText();
  }

  /**
   * @param {string} text
   * @param {string} name of a file or sample; empty for what is typed
   */
  show(text, name) {
    this.text = text;
    this.name = name;
    const long = text.length > MOST_SHOWN;
    this.field.value = long ? "" : text;
    this.field.placeholder = long
      ? `${name}, ${counted(characterTotal(text), "character")}. Type here to train on another text.`
      : "Any language, code or emoji";
  }

  // A file that is dropped anywhere: the browser would open it, and the page would be gone.
  watchDrops() {
    /** @param {DragEvent} event */
    const holds = (event) => event.dataTransfer?.types.includes("Files") ?? false;
    for (const act of /** @type {const} */ (["dragenter", "dragover", "dragleave", "drop"])) {
      document.addEventListener(act, (event) => {
        if (!holds(event)) return;
        event.preventDefault();
        this.shell.classList.toggle(
          DRAGGED,
          act !== "drop" && (act !== "dragleave" || event.relatedTarget !== null),
        );
        if (act === "drop") this.take(event.dataTransfer?.files ?? null);
      });
    }
  }

  /** @param {FileList | null} files */
  async take(files) {
    const given = [...(files ?? [])]; // the list is empty once the field is
    this.files.value = "";
    if (!given.length) return;
    const size = given.reduce((sum, file) => sum + file.size, 0);
    if (size > this.most) return this.onProblem(tooLong(size, this.most));
    try {
      const { name, text } = joinedText(await Promise.all(given.map(bytesInFile)), this.kinds);
      this.show(text, name);
    } catch (error) {
      return this.onProblem(/** @type {Error} */ (error).message);
    }
    this.onText();
  }
}

/**
 * Throws an Error for a folder, which has no bytes.
 * @param {File} file
 */
async function bytesInFile(file) {
  try {
    return { name: file.name, data: new Uint8Array(await file.arrayBuffer()) };
  } catch {
    throw new Error(`${file.name} can't be read. Drop files of text, not folders.`);
  }
}

/**
 * How many characters a text has: a face such as 🙂 is one, and two units of UTF-16.
 * @param {string} text
 */
export function characterTotal(text) {
  let total = 0;
  for (const _ of text) total++;
  return total;
}

/**
 * A text without halves of surrogate pairs, which UTF-8 cannot hold.
 * @param {string} text
 */
export const wellFormed = (text) =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(text));

/**
 * @param {number} size in bytes
 * @param {number} most
 */
export const tooLong = (size, most) =>
  `This text has ${decimals(size)} bytes. The page takes up to ${decimals(most)}. Shorten it, or use the program.`;
