// @ts-check
// Draws a part of the page. Its script, HTML and styles are a file that the browser keeps, so that a run of Python sends
// only data: see bpeviz/browser/part_files.py. This is sent with each run, so the first page has what fetches: fetch_part.js.

/** @import { ComponentArguments } from "../shared/types" */
/** @import { PageWithParts } from "./fetch_part.js" */

/** The elements with the HTML of their part. @type {WeakSet<ShadowRoot>} */
const drawn = new WeakSet();

/**
 * Return what Streamlit calls for a part.
 * @param {string} file its address, beside that of the page
 * @returns {(component: ComponentArguments<unknown>) => Promise<void | (() => void)>}
 */
export function partIn(file) {
  return async (component) => {
    const part = await /** @type {PageWithParts} */ (document).bpevizPart(new URL(file, location.href).href);
    draw(component.parentElement, part.html, part.css);
    return part.default(component);
  };
}

/**
 * @param {ShadowRoot} element
 * @param {string} html
 * @param {string} css
 */
function draw(element, html, css) {
  if (drawn.has(element) || !html) return;
  drawn.add(element);
  const place = document.createElement("div");
  place.innerHTML = html;
  const style = document.createElement("style");
  style.textContent = css;
  element.append(style, place);
}
