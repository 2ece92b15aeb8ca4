// @ts-check
// How the text is shown, as the person last chose it on any page. The browser keeps it, and this module does for
// browsers that keep nothing.

import { findAll } from "./elements.js";
import { keepSwitch, keptSwitch } from "./kept_switch.js";

/** @import { KeyBinding } from "./keyboard.js" */

/** @typedef {"glyphs" | "walls" | "ids"} TextOption */

const textOptions = { glyphs: true, walls: false, ids: false };

/** @type {Record<TextOption, [key: string, does: string]>} */
const KEYS_OF_OPTIONS = {
  glyphs: ["g", "Show or hide signs for spaces, tabs and line ends"],
  walls: ["w", "Show or hide word ends: the ends of pre-tokens, which no merge crosses"],
  ids: ["i", "Show or hide the ids of tokens"],
};

/** @param {HTMLInputElement} box */
const optionOf = (box) => /** @type {TextOption} */ (box.dataset.option);

export class TextOptions {
  /**
   * @param {Element} shell its classes say which options are on
   * @param {() => void} [onChange]
   */
  constructor(shell, onChange = () => {}) {
    this.shell = shell;
    this.boxes = /** @type {HTMLInputElement[]} */ (findAll(shell, "input[data-option]"));
    /** @param {Event} event of any part: each part has its own copy of this module */
    this.apply = (event) => {
      Object.assign(textOptions, /** @type {CustomEvent<Partial<typeof textOptions>>} */ (event).detail);
      this.show();
      onChange();
    };
    for (const box of this.boxes) box.addEventListener("change", () => this.set(optionOf(box), box.checked));
    addEventListener("bpeviz-options", this.apply); // sent to every text of the page
    for (const name of /** @type {TextOption[]} */ (Object.keys(textOptions))) {
      textOptions[name] = keptSwitch(name) ?? textOptions[name];
    }
    this.show();
  }

  get ids() {
    return textOptions.ids;
  }

  /**
   * The keys of the boxes.
   * @returns {(KeyBinding & { does: string })[]}
   */
  get keys() {
    return this.boxes.map(optionOf).map((name) => {
      const [key, does] = KEYS_OF_OPTIONS[name];
      return { key, does, run: () => this.toggle(name) };
    });
  }

  stop() {
    removeEventListener("bpeviz-options", this.apply);
  }

  /**
   * @param {TextOption} name
   * @param {boolean} on
   */
  set(name, on) {
    keepSwitch(name, on);
    dispatchEvent(new CustomEvent("bpeviz-options", { detail: { [name]: on } }));
  }

  /** @param {TextOption} name */
  toggle(name) {
    this.set(name, !textOptions[name]);
  }

  show() {
    for (const [name, on] of Object.entries(textOptions)) this.shell.classList.toggle(name, on);
    for (const box of this.boxes) box.checked = textOptions[optionOf(box)];
  }
}
