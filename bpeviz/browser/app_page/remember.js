// @ts-check
// Has the browser remember the session of this page, so that a person who comes back finds it.

/** @import { ComponentArguments } from "../shared/types" */

/**
 * What Python sends; see remembering.py.
 * @typedef {{ name: string, session: string, seconds: number, path: string }} Remembered
 */

/** @param {ComponentArguments<Remembered>} component */
export default function ({ data: { name, session, seconds, path } }) {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs https, and this is one short value
  document.cookie = `${name}=${session}; Max-Age=${seconds}; Path=${path}; SameSite=Strict${secure}`;
}
