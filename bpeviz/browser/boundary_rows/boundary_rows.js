// @ts-check
// The rows of tokens as a component of the page.

import { showRows } from "./rows_table.js";

/** @import { ComponentArguments } from "../shared/types" */
/** @import { SentRows } from "./rows_table.js" */

/** @param {ComponentArguments<SentRows>} component */
export default function ({ data, parentElement }) {
  showRows(parentElement, data);
}
