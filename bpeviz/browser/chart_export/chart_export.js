// @ts-check
// Buttons that save one chart of the page as a file.

import { saveChart } from "../shared/chart_file.js";
import { findAll, write } from "../shared/elements.js";

/** @import { ComponentArguments } from "../shared/types" */

/** @param {ComponentArguments<{ name: string }>} component */
export default function ({ data: { name }, parentElement }) {
  for (const button of findAll(parentElement, "[data-format]")) {
    const format = button.dataset.format ?? "";
    button.setAttribute("aria-label", `${name} as ${format}`);
    // not a listener: Streamlit calls us again
    button.onclick = async () =>
      write(parentElement, "[role=status]", await saveChart(parentElement, name, format));
  }
}
