// @ts-check
// The controls that a person needs now and then: they are hidden until “More” shows them, and the browser remembers that.

import { find } from "../shared/elements.js";
import { keepSwitch, keptSwitch } from "../shared/kept_switch.js";

export class More {
  /**
   * @param {ParentNode} root
   * @param {HTMLElement} shell its class says whether they are shown
   * @param {() => void} onChange
   */
  constructor(root, shell, onChange) {
    this.shell = shell;
    this.onChange = onChange;
    this.button = find(root, "[data-go=more]");
    this.show(keptSwitch("more") ?? false);
  }

  get on() {
    return this.shell.classList.contains("more");
  }

  toggle() {
    this.set(!this.on);
  }

  // A key wants one of the controls.
  open() {
    if (!this.on) this.set(true);
  }

  /** @param {boolean} on */
  set(on) {
    keepSwitch("more", on);
    this.show(on);
    this.onChange();
  }

  /** @param {boolean} on */
  show(on) {
    this.shell.classList.toggle("more", on);
    this.button.setAttribute("aria-expanded", String(on));
    document.documentElement.dataset.bpevizMore = on ? "on" : "off"; // the app's page has some, too
  }
}
