// @ts-check
// The controls that a person needs now and then: they are hidden until “More” shows them, and the browser remembers that.

import { find } from "../shared/elements.js";

const MORE_KEPT_AS = "bpeviz-more";

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
    this.show(keptOn());
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
    try {
      localStorage.setItem(MORE_KEPT_AS, on ? "on" : "off");
    } catch {
      // Then it lasts until the person leaves the page.
    }
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

function keptOn() {
  try {
    return localStorage.getItem(MORE_KEPT_AS) === "on";
  } catch {
    return false;
  }
}
