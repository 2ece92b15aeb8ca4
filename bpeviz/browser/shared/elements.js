// @ts-check
// Make the elements of a page, and find those that its HTML has.

/**
 * An HTML element with its class and content.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {string} [className]
 * @param {...(Node | string)} content
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function create(name, className = "", ...content) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...content);
  return made;
}

/**
 * An SVG element with its attributes.
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string | number>} [attributes]
 * @param {string} [text]
 * @returns {SVGElementTagNameMap[Name]}
 */
export function createSvg(name, attributes = {}, text = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  setAttributes(made, attributes);
  made.textContent = text;
  return made;
}

/**
 * @param {Element} element
 * @param {Record<string, string | number>} attributes
 */
export function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
}

/**
 * The first element that a selector finds. The page's own HTML has it, so it is an error if there is none.
 * @template {Element} [Kind=HTMLElement]
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => Kind} [kind] the element's class
 * @returns {Kind}
 */
export function find(
  root,
  selector,
  kind = /** @type {new () => Kind} */ (/** @type {unknown} */ (HTMLElement)),
) {
  const found = root.querySelector(selector);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${selector}`);
}

/**
 * Write the text of the element that a selector finds.
 * @param {ParentNode} root
 * @param {string} selector
 * @param {string} text
 */
export function write(root, selector, text) {
  find(root, selector).textContent = text;
}

/**
 * All HTML elements that a selector finds.
 * @param {ParentNode} root
 * @param {string} selector
 * @returns {HTMLElement[]}
 */
export function findAll(root, selector) {
  return /** @type {HTMLElement[]} */ ([...root.querySelectorAll(selector)]);
}

/**
 * The event's target, or its nearest ancestor, that matches a selector.
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function closest({ target }, selector) {
  return target instanceof Element ? target.closest(selector) : null;
}
