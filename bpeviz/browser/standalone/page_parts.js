// @ts-check
// What a standalone page has instead of the app around its parts: their places, their data, and messages to the page
// that it is embedded in.

/**
 * What the loader leaves for the program; see page.py.
 * @typedef {object} PageSettings
 * @property {string} player its name in messages
 * @property {string[]} panels
 * @property {number} speed merges a second
 * @property {Record<string, number>} packs the size of each, in their order
 */
/** @typedef {{ html: string, css: string }} Part */
/**
 * `worker` is the script that trains, empty on a page that doesn't.
 * @typedef {{ settings: PageSettings, parts: Record<string, Part>, worker: string, packs: Uint8Array }} Content
 */

/** @returns {Content} */
export function contentOfPage() {
  const { bpevizContent } = /** @type {Document & { bpevizContent?: Content }} */ (document);
  if (!bpevizContent) throw new Error("the loader has not run");
  return bpevizContent;
}

/**
 * The bytes of one pack.
 * @param {Content} content
 * @param {string} wanted
 */
export function packOf({ settings, packs }, wanted) {
  let start = 0;
  for (const [name, size] of Object.entries(settings.packs)) {
    if (name === wanted) return packs.subarray(start, start + size);
    start += size;
  }
  throw new Error(`the page has no data for ${wanted}`);
}

/**
 * Make the place of a part, with its HTML and styles apart from the rest of the page.
 * @param {Content} content
 * @param {string} name
 * @param {string} [place] the id of the element that gets it
 * @returns {ShadowRoot}
 */
export function makePart({ parts }, name, place = "parts") {
  const host = document.createElement("div");
  host.className = name;
  document.getElementById(place)?.append(host);
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(parts[name].css);
  root.adoptedStyleSheets = [sheet];
  root.innerHTML = parts[name].html; // our own
  return root;
}

// The page is live now: what people read without JavaScript is for paper only.
export function showLive() {
  document.documentElement.classList.add("live");
}

/**
 * Messages to the page around this one, if there is any.
 * @param {string} player
 * @param {{ step: () => number, go: (step: number) => void }} connected
 */
export function connect(player, { step, go }) {
  if (parent === window) return () => {};
  /** @param {Record<string, unknown>} message */
  const send = (message) => parent.postMessage({ player, ...message }, "*");
  addEventListener("message", ({ source, data }) => {
    if (source !== parent) return;
    if (data?.bpeviz === "hello") send({ bpeviz: "ready", step: step() });
    if (data?.bpeviz === "go" && Number.isSafeInteger(data.step)) go(data.step);
  });
  send({ bpeviz: "ready", step: step() });
  return send;
}

/**
 * Call a function at most every so many milliseconds, and once more at the end.
 * @param {number} pause
 * @param {() => void} run
 */
export function spaced(pause, run) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let last = -Infinity;
  return () => {
    clearTimeout(timer);
    const wait = last + pause - performance.now();
    const now = () => {
      last = performance.now();
      run();
    };
    if (wait <= 0) now();
    else timer = setTimeout(now, wait);
  };
}
