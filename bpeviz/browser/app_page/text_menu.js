// @ts-check
// Opens the menu for the text when Python asks for it, once for each request. Its field then takes the cursor.

import { askForCursor } from "../shared/cursor.js";
import { textMenuButton } from "../shared/streamlit_page.js";

/** @import { ComponentArguments } from "../shared/types" */

/** @type {Document & { bpevizMenuAsked?: number }} */
const page = globalThis.document; // the script may load again: what it has done is kept here

/** @param {ComponentArguments<{ asked: number }>} component */
export default function ({ data }) {
  const button = textMenuButton();
  if (!data.asked || data.asked === page.bpevizMenuAsked || !button) return;
  page.bpevizMenuAsked = data.asked;
  askForCursor();
  button.click();
}
