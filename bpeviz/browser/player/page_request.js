// @ts-check
// Asks Python for the run as a page. The page arrives in page_file.js.

import { stage } from "./stage.js";

/** What waits for a page. @typedef {{ asked: number, done(file: Blob): void, fail(why: string): void }} PageRequest */

const PATIENCE = 120_000; // milliseconds: a long text on a busy server

/**
 * The page as a file; `ask` sends the request with its number.
 * @param {(asked: number) => void} ask
 * @returns {Promise<Blob>}
 */
export function requestPage(ask) {
  cancelPage("you asked for another page");
  const asked = Date.now();
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      stage.pageRequest = null;
    };
    const timer = setTimeout(() => cancelPage("the server doesn't answer. Try again."), PATIENCE);
    stage.pageRequest = {
      asked,
      done(file) {
        end();
        resolve(file);
      },
      fail(why) {
        end();
        reject(new Error(why));
      },
    };
    ask(asked);
  });
}

/** @param {string} why */
export function cancelPage(why) {
  stage.pageRequest?.fail(why);
}
