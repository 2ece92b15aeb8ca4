// @ts-check
// A term of the glossary that explains itself. Its style is in term.css.

import { create, findAll } from "./elements.js";
import { GLOSSARY } from "./glossary.js";

/**
 * An element with a term that explains itself on hover, focus or tap.
 * @param {string} name as in bpeviz/glossary.py
 * @param {string} [words] what to show instead of the name, such as its plural
 * @returns {HTMLElement}
 */
export function term(name, words = name) {
  const meaning = GLOSSARY[name];
  if (meaning === undefined) throw new Error(`the glossary has no ${name}`);
  const made = create("button", "term", words, create("span", "meaning", meaning));
  made.type = "button";
  return made;
}

/**
 * Have the elements that name a term in `data-term` explain it.
 * @param {ParentNode} root
 */
export function explainTerms(root) {
  for (const element of findAll(root, "[data-term]")) {
    element.replaceChildren(term(element.dataset.term ?? "", element.textContent));
  }
}
