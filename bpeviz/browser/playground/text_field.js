// @ts-check
// The field for the text: typed, pasted, of a file or of a sample.

import { find } from "../shared/elements.js";
import { counted, decimals } from "../shared/numbers.js";

/** @typedef {{ title: string, shows: string, text: string }} Sample */

const MOST_SHOWN = 100_000; // characters: a longer file would make the field slow
const DRAGGED = "dragged";

export class TextField {
  /**
   * @param {ParentNode} root
   * @param {Sample[]} samples
   * @param {number} most bytes of a text
   * @param {() => void} onText called when there is another text
   * @param {(problem: string) => void} onProblem called when a file can't be read
   */
  constructor(root, samples, most, onText, onProblem) {
    this.text = ""; // the field has other line ends than a file
    this.name = "";
    this.most = most;
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
      ? `${name}, ${counted(text.length, "character")}. Type here to train on another text.`
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
    const file = files?.[0];
    if (!file) return;
    const data = file.size > this.most ? null : await file.arrayBuffer();
    this.files.value = "";
    if (data === null) return this.onProblem(tooLong(file.size, this.most));
    try {
      this.show(new TextDecoder("utf-8", { fatal: true }).decode(data), file.name);
    } catch {
      return this.onProblem(`${file.name} is not UTF-8. Save it as plain text in UTF-8.`);
    }
    this.onText();
  }
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
