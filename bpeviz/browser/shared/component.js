// @ts-check
// What the scripts of several components share: how Streamlit calls them, and the buttons of the transport.

import { sameBytes } from "./bytes.js";
import { create, findAll } from "./elements.js";

/**
 * The object that draws a component on an element, and the function that removes it. Streamlit calls a component
 * again on the same element when the data or the theme changes, without cleaning up; so we make the object once.
 * @template {{ stop(): void }} Kind
 * @param {ShadowRoot} element
 * @param {() => Kind} make
 * @returns {[made: Kind, stop: () => void]}
 */
export function madeOnce(element, make) {
  /** @type {ShadowRoot & { bpevizComponent?: Kind }} */
  const place = element;
  const made = place.bpevizComponent ?? make();
  place.bpevizComponent = made;
  return [
    made,
    () => {
      made.stop();
      delete place.bpevizComponent;
    },
  ];
}

/**
 * Load a pack into a component, unless it already shows the same bytes.
 * @param {{ bytes: Uint8Array | null, load(bytes: Uint8Array): void }} component
 * @param {Uint8Array} data
 */
export function loadPack(component, data) {
  if (sameBytes(component.bytes, data)) return;
  component.bytes = data;
  component.load(data);
}

/**
 * Call with the name of a button's command when it is clicked.
 * @param {ParentNode} root
 * @param {(name: string | undefined) => void} run
 */
export function onCommands(root, run) {
  for (const button of findAll(root, "[data-go]")) {
    button.addEventListener("click", () => run(button.dataset.go));
  }
}

/**
 * Show on the play button whether we play; while we do, screen readers don't read the sentence aloud.
 * @param {HTMLElement} button
 * @param {HTMLElement} sentence
 * @param {boolean} playing
 */
export function showPlaying(button, sentence, playing) {
  const sign = create("span", "sign", playing ? "❚❚" : "▶\ufe0e");
  sign.setAttribute("aria-hidden", "true");
  button.replaceChildren(sign, " ", create("span", "name", playing ? "Pause" : "Play"));
  sentence.setAttribute("aria-live", playing ? "off" : "polite");
}
