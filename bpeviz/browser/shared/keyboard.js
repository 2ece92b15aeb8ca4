// @ts-check
// The keyboard. Keys work wherever the focus is, unless the focused element needs them itself.

/**
 * A key and what it does. `run` returns false if there is nothing to do; then the browser handles the key. Without
 * `shift`, the shift key must be up for letters and named keys; for signs it doesn't matter, as keyboards differ.
 * @typedef {{ key: string, shift?: boolean, run: () => unknown }} KeyBinding
 */

// Elements that use keys themselves while they have the focus. A dialog that has just been closed keeps it for a moment.
const FIELDS =
  "input, textarea, select, [contenteditable], [role=grid], [role=dialog], [role=listbox], [role=combobox], dialog[open]";
const WITH_ARROWS = "[role=slider], [role=tab], [role=radio]";
const SCROLLED = ".text, .log"; // by Home and End

export class Keyboard {
  /**
   * @param {EventTarget} target where we listen for keys
   * @param {KeyBinding[]} bindings
   * @param {object} [options]
   * @param {Element | null} [options.slider] a slider of ours, which the bindings move
   * @param {string} [options.withSpace] elements that use space themselves if the person got there by keyboard
   */
  constructor(target, bindings, { slider = null, withSpace = "button, summary" } = {}) {
    this.bindings = bindings;
    this.slider = slider;
    this.withSpace = withSpace;
    this.focusByPointer = false;
    this.stopping = new AbortController();
    const { signal } = this.stopping;
    target.addEventListener("keydown", (event) => this.pressed(/** @type {KeyboardEvent} */ (event)), {
      signal,
    });
    document.addEventListener("pointerdown", () => (this.focusByPointer = true), { signal });
  }

  stop() {
    this.stopping.abort();
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (event.key === "Tab") this.focusByPointer = false;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return; // another one took it
    const binding = this.bindings.find((each) => isPressed(each, event));
    if (!binding || this.isNeededBy(event.composedPath()[0], event.key)) return;
    if (binding.run() !== false) event.preventDefault();
  }

  /**
   * Whether the focused element needs a key itself.
   * @param {EventTarget | undefined} target
   * @param {string} key
   */
  isNeededBy(target, key) {
    if (!(target instanceof Element)) return false;
    const option = target.matches("[data-option]"); // a box of ours, which needs only space
    if (!option && target.closest(FIELDS)) return true;
    // A button reached by keyboard keeps space for itself; one clicked with the mouse does not.
    if (key === " " && !this.focusByPointer && (option || target.matches(this.withSpace))) return true;
    if (target !== this.slider && target.closest(WITH_ARROWS)) return true;
    return (key === "Home" || key === "End") && target.matches(SCROLLED);
  }
}

/**
 * @param {{ key: string, shift?: boolean }} binding
 * @param {{ key: string, shiftKey: boolean }} event
 */
export function isPressed({ key, shift = false }, event) {
  const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key; // caps lock or not
  const sign = key.length === 1 && /[^a-z ]/.test(key);
  return pressed === key && (sign || event.shiftKey === shift);
}
