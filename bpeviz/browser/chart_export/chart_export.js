// @ts-check
// Buttons that save one chart of the page as a file.

import { chartFile, download, pictureOf, plainName, pngFile, svgFile } from "../shared/chart_file.js";
import { findAll, write } from "../shared/elements.js";

/** @import { ComponentArguments } from "../shared/types" */

/** @type {Record<string, (picture: SVGSVGElement, name: string) => Blob | Promise<Blob>>} */
const FORMATS = { SVG: svgFile, PNG: pngFile, HTML: chartFile };

/** @param {ComponentArguments<{ name: string }>} component */
export default function ({ data: { name }, parentElement }) {
  for (const button of findAll(parentElement, "[data-format]")) {
    const format = button.dataset.format ?? "";
    button.setAttribute("aria-label", `${name} as ${format}`);
    button.onclick = () => save(parentElement, name, format); // not a listener: Streamlit calls us again
  }
}

/**
 * @param {ShadowRoot} root
 * @param {string} name
 * @param {string} format
 */
async function save(root, name, format) {
  const file = `bpeviz-${plainName(name)}.${format.toLowerCase()}`;
  try {
    download(file, await FORMATS[format](pictureOf([root], name), name));
    write(root, "[role=status]", `Saved as ${file}`);
  } catch (error) {
    const why = error instanceof Error ? error.message : error;
    write(root, "[role=status]", `Couldn't save the file: ${why}`);
  }
}
