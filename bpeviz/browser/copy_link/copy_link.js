// @ts-check
// Copies a link, or the line that embeds its page, and says so.

import { find, write } from "../shared/elements.js";
import { howToCopy } from "../shared/pointer.js";

/** @import { ComponentArguments } from "../shared/types" */

/** @param {ComponentArguments<{ link: string, focus: boolean, embeds: boolean, works: boolean }>} component */
export default function ({ data, parentElement }) {
  const link = new URL(data.link, location.href).href;
  const copied = data.embeds ? embedding(link) : link;
  const field = find(parentElement, "input", HTMLInputElement);
  const button = find(parentElement, "button", HTMLButtonElement);
  field.ariaLabel = data.embeds ? "Line of HTML" : "Link";
  field.disabled = button.disabled = !data.works; // the caption under it says why
  button.textContent = data.embeds ? "Copy line" : "Copy";
  if (field.value !== copied) {
    field.value = copied;
    write(parentElement, "[role=status]", "");
    if (data.focus) button.focus();
  }
  field.onfocus = () => field.select(); // no listeners: Streamlit calls us again
  button.onclick = () => copy(parentElement, field);
}

/**
 * The line of HTML that shows a page in a frame of another one.
 * @param {string} link
 */
function embedding(link) {
  const source = link.replaceAll("&", "&amp;");
  return `<iframe src="${source}" width="100%" height="600" style="border: 0" title="bpeviz"></iframe>`;
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
    write(root, "[role=status]", howToCopy());
  }
}
