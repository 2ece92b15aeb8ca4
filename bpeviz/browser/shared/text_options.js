// @ts-check
// How the text is shown, as the person last chose it on any page. The browser keeps it, and this module does for
// browsers that keep nothing.

import { findAll } from "./elements.js";

/** @typedef {"glyphs" | "walls"} TextOption */

const textOptions = { glyphs: true, walls: false };

/** @param {HTMLInputElement} box */
const optionOf = (box) => /** @type {TextOption} */ (box.dataset.option);

export class TextOptions {
  /** @param {Element} shell its classes say which options are on */
  constructor(shell) {
    this.shell = shell;
    this.boxes = /** @type {HTMLInputElement[]} */ (findAll(shell, "input[data-option]"));
    this.apply = () => this.show();
    for (const box of this.boxes) box.addEventListener("change", () => this.set(optionOf(box), box.checked));
    addEventListener("bpeviz-options", this.apply); // sent to every text of the page
    for (const name of /** @type {TextOption[]} */ (Object.keys(textOptions))) {
      try {
        const kept = localStorage.getItem(`bpeviz-${name}`);
        if (kept !== null) textOptions[name] = kept === "on";
      } catch {
        break;
      }
    }
    this.show();
  }

  stop() {
    removeEventListener("bpeviz-options", this.apply);
  }

  /**
   * @param {TextOption} name
   * @param {boolean} on
   */
  set(name, on) {
    textOptions[name] = on;
    try {
      localStorage.setItem(`bpeviz-${name}`, on ? "on" : "off");
    } catch {
      // Then it lasts until the person leaves the page.
    }
    dispatchEvent(new Event("bpeviz-options"));
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
