// @ts-check
// The browser's history: one entry a page, and Back opens what the address names.

/** @import { ComponentArguments } from "../shared/types" */

const SESSION = "session"; // the parameter of a saved session's id

// Of this page, as the server knows it; empty if nothing is saved.
let shown = "";

/** @param {ComponentArguments<{ session: string }>} component */
export default function ({ data }) {
  shown = data.session;
  if ("bpevizHistory" in window) return; // the script runs again whenever the id changes
  Object.assign(window, { bpevizHistory: true });
  keepOneEntry();
  window.addEventListener("popstate", () => {
    if (namesAnother(location.href, shown)) location.reload();
  });
}

// Streamlit makes an entry of every change of the address. One that only adds the session's id is the same
// page. A button that leads to another page makes two changes: it removes the parameters, then it changes the path.
function keepOneEntry() {
  const push = history.pushState;
  let presses = 0;
  let pushedAt = -1;
  for (const kind of ["pointerdown", "keydown"]) window.addEventListener(kind, () => presses++, true);
  history.pushState = (state, title, to) => {
    const [old, now] = [new URL(location.href), new URL(to ?? "", location.href)];
    const between = pushedAt === presses && old.pathname !== now.pathname;
    const change = between || addsSession(old.href, now.href) ? history.replaceState : push;
    change.call(history, state, title, to);
    pushedAt = presses;
  };
}

/**
 * Whether an address is another one with the id of a session: /learn?stop=2 -> /learn?session=…&stop=2
 * @param {string} from
 * @param {string} to may be relative
 */
export function addsSession(from, to) {
  const [old, now] = [new URL(from), new URL(to, from)];
  if (old.searchParams.has(SESSION) || !now.searchParams.has(SESSION)) return false;
  now.searchParams.delete(SESSION);
  for (const each of [old, now]) each.searchParams.sort();
  return old.origin + old.pathname + old.searchParams === now.origin + now.pathname + now.searchParams;
}

/**
 * Whether an address names a saved session that is not the one on the page.
 * @param {string} address
 * @param {string} session the id of the one on the page
 */
export function namesAnother(address, session) {
  const named = new URL(address).searchParams.get(SESSION);
  return named !== null && named !== session;
}
