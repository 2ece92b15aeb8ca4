// @ts-check
// Fetches the file of a part, and asks again until it comes. It is part of Streamlit's first page, because what Streamlit
// sends for each part with each run has to be short: see load_part.js.

/** @import { ComponentArguments } from "../shared/types" */

/** @typedef {{ default: (component: ComponentArguments<unknown>) => void | (() => void), html: string, css: string }} Part */
/** @typedef {Document & { bpevizPart: (address: string) => Promise<Part> }} PageWithParts */

/** Happens when Streamlit's connection opens. */
export const CONNECTED = "bpeviz-connected";
const WAITS = [1_000, 2_000, 4_000]; // milliseconds before a file is asked for again
const LONGEST_WAIT = 30_000; // later, if nothing says that there is a connection

/** @type {Map<string, Promise<Part>>} */
const parts = new Map();

/**
 * The part in a file, which is fetched once for all its places on the page.
 * @param {string} address
 */
export function fetchedPart(address) {
  const part = parts.get(address) ?? untilLoaded((again) => import(`${address}${again}`), waitForConnection);
  parts.set(address, part);
  return part;
}

/**
 * What a file has, asked for until it comes: a connection may be cut, or a server start again. Each time at another
 * address, because the browser remembers that one has failed.
 * @template Loaded
 * @param {(again: string) => Promise<Loaded>} load
 * @param {(milliseconds: number) => Promise<void>} wait
 */
export async function untilLoaded(load, wait) {
  for (let tries = 0; ; tries++) {
    try {
      return await load(tries ? `?again=${tries}` : "");
    } catch {
      await wait(WAITS[tries] ?? LONGEST_WAIT);
    }
  }
}

/**
 * Wait for a while, or until there is a connection again.
 * @param {number} milliseconds
 * @returns {Promise<void>}
 */
function waitForConnection(milliseconds) {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      for (const name of ["online", CONNECTED]) removeEventListener(name, done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    for (const name of ["online", CONNECTED]) addEventListener(name, done);
  });
}
