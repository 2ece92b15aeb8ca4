// @ts-check
// What the page says in a browser that is too old, or while its server doesn't answer; and the still picture of the first
// step until the player is there. It is part of Streamlit's first page and runs before Streamlit's scripts: see ui/server/first_page.py.

import { tooOld } from "../shared/too_old.js";
import { CONNECTED, fetchedPart } from "./fetch_part.js";

const AFTER = 3000; // milliseconds until the page says something
const EVERY = 250;
const LONGEST_PICTURE = 20_000;

/**
 * Of the connection, in milliseconds: when the page began, when it was cut off, and since when something that the page
 * sent has no answer. `known`: whether there ever was a connection.
 * @typedef {{ began: number, known: boolean, lostAt: number | null, sentAt: number | null }} Link
 */

/**
 * What to say; empty if all is well.
 * @param {Link} link
 * @param {number} now
 */
export function whatToSay({ began, known, lostAt, sentAt }, now) {
  if (!known) {
    if (now - began < AFTER) return "";
    return "No connection to the server yet. The page needs a WebSocket, which a proxy may block. Reload the page, or ask the person who runs it.";
  }
  if (lostAt !== null) {
    if (now - lostAt < AFTER) return "";
    return "The server is away. Your session is saved, and the player still works. The page reconnects by itself.";
  }
  if (sentAt === null || now - sentAt < AFTER) return "";
  return `The server hasn't answered for ${Math.floor((now - sentAt) / 1000)} s. Your session is saved. Wait, or reload the page.`;
}

const OUR_PAGE = /\/(?:compare|encode|vocabulary|recipes|learn)$/; // all paths of ui/page.py

/**
 * Where the server of one of our pages is; null of other addresses. Streamlit would first ask at the page's own
 * address, where no server answers: two errors in the console, and a round trip.
 * @param {string} address
 */
export function serverOf(address) {
  return OUR_PAGE.test(new URL(address).pathname) ? new URL(".", address).href : null;
}

/** @type {Link} */
const link = { began: Date.now(), known: false, lostAt: null, sentAt: null };

/**
 * Note what happens on Streamlit's connection.
 * @param {WebSocket} socket
 */
function watchSocket(socket) {
  socket.addEventListener("open", () => {
    Object.assign(link, { known: true, lostAt: null, sentAt: null });
    dispatchEvent(new Event(CONNECTED));
  });
  socket.addEventListener("message", () => {
    link.sentAt = null;
  });
  socket.addEventListener("close", () => {
    link.lostAt ??= Date.now();
  });
}

// Streamlit's own message, which names a command of Streamlit and covers the player. Closed once, it stays away until
// there is a connection again.
function closeStreamlitsMessage() {
  const shown = document.querySelector("[role=dialog]");
  if (!shown?.textContent?.startsWith("Connection error")) return;
  /** @type {HTMLElement | null} */ (shown.querySelector("button[aria-label=Close]"))?.click();
}

function showBar() {
  const said = tooOld() || whatToSay(link, Date.now());
  let bar = document.getElementById("bpeviz-connection");
  if (said && !bar) {
    bar = document.createElement("p");
    bar.id = "bpeviz-connection";
    bar.setAttribute("role", "status");
    document.body.append(bar);
  }
  if (bar && bar.textContent !== said) bar.textContent = said;
  if (bar) bar.hidden = !said;
  if (link.lostAt !== null || !link.known) closeStreamlitsMessage();
}

// The player draws its first text in the frame after it has a run. Another page, or an error, needs no picture.
function removePicture() {
  const picture = document.getElementById("bpeviz-picture");
  /** @type {Document & { bpevizStage?: { player: { run?: { text?: unknown } } | null } }} */
  const page = document;
  const app = /** @type {HTMLElement | null} */ (document.querySelector("[data-testid=stApp]"));
  const drawn = page.bpevizStage?.player?.run?.text || app?.dataset.testScriptState === "notRunning";
  if (picture && (drawn || Date.now() - link.began > LONGEST_PICTURE)) {
    requestAnimationFrame(() => requestAnimationFrame(() => picture.remove()));
  }
}

if (globalThis.window) {
  Object.assign(document, { bpevizPart: fetchedPart });
  const server = serverOf(location.href);
  if (server) Object.assign(window, { __streamlit: { BACKEND_BASE_URL: server } });
  const Native = window.WebSocket;
  window.WebSocket = class extends Native {
    /**
     * @param {string | URL} address
     * @param {string | string[]} [protocols]
     */
    constructor(address, protocols) {
      super(address, protocols);
      watchSocket(this);
    }

    /**
     * @override
     * @param {Parameters<WebSocket["send"]>[0]} data
     */
    send(data) {
      link.sentAt ??= Date.now();
      super.send(data);
    }
  };
  setInterval(() => {
    showBar();
    removePicture();
  }, EVERY);
  for (const press of ["pointerdown", "keydown"]) {
    addEventListener(press, () => document.getElementById("bpeviz-picture")?.remove(), true);
  }
}
