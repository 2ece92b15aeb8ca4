// @ts-check
// Opens the menu for the text when Python asks for it, once for each request. Its field then takes the cursor.

import { askForCursor } from "../shared/cursor.js";

/** @import { ComponentArguments } from "../shared/types" */

const BUTTON = ".st-key-text_menu [data-testid=stPopoverButton]";

/** @type {Document & { bpevizMenuAsked?: number }} */
const page = globalThis.document; // the script may load again: what it has done is kept here

/** @param {ComponentArguments<{ asked: number }>} component */
export default function ({ data }) {
  const button = document.querySelector(BUTTON);
  if (!data.asked || data.asked === page.bpevizMenuAsked || !(button instanceof HTMLElement)) return;
  page.bpevizMenuAsked = data.asked;
  askForCursor();
  button.click();
}
