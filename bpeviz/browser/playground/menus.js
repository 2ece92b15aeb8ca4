// @ts-check
// The menus of the page: lists under a button, which a click elsewhere or Esc closes; and the one about the program.

import { create, find } from "../shared/elements.js";

/** What needs the program, and how to install it. @typedef {{ needs: string[], install: string, licence: string }} Needs */

/** @param {ParentNode} root */
export function watchMenus(root) {
  /** @param {EventTarget[]} path of the click */
  const close = (path) => {
    for (const menu of root.querySelectorAll("details")) if (!path.includes(menu)) menu.open = false;
  };
  document.addEventListener("pointerdown", (event) => close(event.composedPath()));
  document.addEventListener("keydown", ({ key }) => key === "Escape" && close([]));
}

/**
 * @param {ParentNode} root
 * @param {Needs} needs
 */
export function listNeeds(root, { needs, install, licence }) {
  const list = find(root, ".needs .list");
  find(list, "ul").append(...needs.map((each) => create("li", "", each)));
  find(list, "pre").textContent = install;
  find(list, ".licence").textContent = licence;
}
