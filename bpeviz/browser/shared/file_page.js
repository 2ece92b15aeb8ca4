// @ts-check
// A page that is saved as a file. It loads nothing and runs no script, whatever it contains. A person's text gets
// into it through the DOM and its serializers, never by pasting it into HTML.

import { setAttributes } from "./elements.js";

const FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'";

/**
 * A page with its title and styles, and an empty main element.
 * @param {string} title
 * @param {string} style
 */
export function filePage(title, style) {
  const page = document.implementation.createHTMLDocument(title);
  page.documentElement.lang = "en";
  /** @type {Record<string, string>[]} */
  const metas = [
    { charset: "utf-8" },
    { "http-equiv": "Content-Security-Policy", content: FILE_POLICY },
    { name: "viewport", content: "width=device-width, initial-scale=1" },
  ];
  for (const attributes of metas.reverse()) {
    const meta = page.createElement("meta");
    setAttributes(meta, attributes);
    page.head.prepend(meta);
  }
  page.head.append(Object.assign(page.createElement("style"), { textContent: style }));
  const main = page.createElement("main");
  page.body.append(main);
  return { page, main };
}

/** @param {Document} page */
export const pageSource = (page) => `<!doctype html>\n${page.documentElement.outerHTML}\n`;
