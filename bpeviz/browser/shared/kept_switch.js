// @ts-check
// Switches that the browser remembers from visit to visit; where it remembers nothing, they last as long as the page.

/**
 * Whether the person left a switch on; null if they never used it.
 * @param {string} name
 */
export function keptSwitch(name) {
  try {
    const kept = localStorage.getItem(`bpeviz-${name}`);
    return kept === null ? null : kept === "on";
  } catch {
    return null;
  }
}

/**
 * @param {string} name
 * @param {boolean} on
 */
export function keepSwitch(name, on) {
  try {
    localStorage.setItem(`bpeviz-${name}`, on ? "on" : "off");
  } catch {
    // Then it lasts until the person leaves the page.
  }
}
