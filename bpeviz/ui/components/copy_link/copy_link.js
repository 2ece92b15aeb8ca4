// @ts-check
// Copies a link and says so.

import { find, write } from "../shared/elements.js";

/** @import { ComponentArguments } from "../shared/types" */

/** @param {ComponentArguments<{ link: string, focus: boolean }>} component */
export default function ({ data, parentElement }) {
  const link = new URL(data.link, location.href).href;
  const field = find(parentElement, "input", HTMLInputElement);
  if (field.value !== link) {
    field.value = link;
    write(parentElement, "[role=status]", "");
    if (data.focus) find(parentElement, "button").focus();
  }
  field.onfocus = () => field.select(); // no listeners: Streamlit calls us again
  find(parentElement, "button").onclick = () => copy(parentElement, field);
}

/**
 * @param {ShadowRoot} root
 * @param {HTMLInputElement} field
 */
async function copy(root, field) {
  try {
    await navigator.clipboard.writeText(field.value);
    write(root, "[role=status]", "Copied");
  } catch {
    field.focus(); // over plain HTTP, a browser gives no clipboard to a page of another machine
    field.select();
    write(root, "[role=status]", "The link is selected. Press Ctrl+C or ⌘C to copy it.");
  }
}
