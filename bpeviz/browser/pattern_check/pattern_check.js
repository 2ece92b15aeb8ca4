// @ts-check
// The check of a split pattern: reports what the person types into Streamlit's field, which itself reports only when
// they leave it, and shows what the server finds.

import { create, find, write } from "../shared/elements.js";

/** @import { ComponentArguments } from "../shared/types" */

/**
 * What Python sends; see `mount_check` in pattern_check.py.
 * @typedef {object} Checked
 * @property {string} field the class of the field's element
 * @property {string} said
 * @property {boolean} bad
 * @property {[text: string, hue: number, covered: boolean][]} pieces
 * @property {string} formats
 */

const REST = 300; // milliseconds without a key before a report

/** @type {WeakMap<ShadowRoot, AbortController>} */
const listening = new WeakMap();

/** @param {ComponentArguments<Checked>} component */
export default function ({ data, parentElement, setStateValue }) {
  show(parentElement, data);
  listening.get(parentElement)?.abort();
  const stopping = new AbortController();
  listening.set(parentElement, stopping);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  document.addEventListener(
    "input",
    ({ target }) => {
      if (!(target instanceof HTMLInputElement) || !target.closest(`.${CSS.escape(data.field)}`)) return;
      clearTimeout(waiting);
      waiting = setTimeout(() => setStateValue("typed", target.value), REST);
    },
    { signal: stopping.signal },
  );
  return () => {
    clearTimeout(waiting);
    stopping.abort();
  };
}

/**
 * @param {ShadowRoot} root
 * @param {Checked} checked
 */
function show(root, { said, bad, pieces, formats }) {
  find(root, ".said").classList.toggle("bad", bad);
  write(root, ".said", said);
  write(root, ".formats", formats);
  find(root, ".pieces").replaceChildren(...pieces.map(pieceCell));
}

/** @param {[text: string, hue: number, covered: boolean]} piece */
function pieceCell([text, hue, covered]) {
  const cell = create("span", covered ? "tok" : "gap", text);
  if (covered) cell.style.setProperty("--hue", String(hue));
  else cell.title = "No match covers this";
  return cell;
}
