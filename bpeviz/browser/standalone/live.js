// @ts-check
// The browser's end of a live player. A player is a document in an iframe, which shows and works without Python.
// anywidget calls `initialize` as soon as Python makes the player. From then on this module carries the step and the
// picked token between the iframes of that player and Python. `render` draws the iframe where a widget is wanted, such
// as in a box of ipywidgets.

/**
 * What this module uses of anywidget's model.
 * @typedef {object} Model
 * @property {(name: string) => unknown} get
 * @property {(name: string, value: unknown) => void} set
 * @property {() => void} save_changes
 * @property {(content: unknown) => void} send
 * @property {(event: string, listener: (content?: unknown) => void) => void} on
 * @property {(event: string, listener: (content?: unknown) => void) => void} off
 */

/**
 * What the document of a player says to the window around it.
 * @typedef {object} Said
 * @property {unknown} bpeviz "ready", "step" or "picked"
 * @property {unknown} player
 * @property {unknown} [step]
 * @property {unknown} [token]
 */

/** The iframes that `render` drew. They may be in a shadow root, where the document doesn't find them. */
const drawn = /** @type {Set<HTMLIFrameElement>} */ (new Set());

/**
 * The windows of all iframes that show a player.
 * @param {string} player its id
 * @returns {Window[]}
 */
function windowsOf(player) {
  const frames = new Set([...document.querySelectorAll("iframe"), ...drawn]);
  const own = [...frames].filter((frame) => frame.dataset.bpevizPlayer === player);
  return own.flatMap((frame) => frame.contentWindow ?? []);
}

/**
 * Connect the iframes of a player with Python.
 * @param {{ model: Model }} given
 * @returns {() => void} ends the connection
 */
function initialize({ model }) {
  const player = String(model.get("player_id"));
  /** The step that each document is at, as far as we know. @type {WeakMap<MessageEventSource, unknown>} */
  const steps = new WeakMap();

  const showStep = () => {
    const step = model.get("step");
    for (const shown of windowsOf(player)) {
      if (steps.get(shown) === step) continue;
      steps.set(shown, step);
      tell(shown, { bpeviz: "go", step });
    }
  };

  /** @param {MessageEvent<Said | null>} event */
  const hear = ({ data, source }) => {
    if (!source || data?.player !== player || !windowsOf(player).some((shown) => shown === source)) return;
    if (data.bpeviz === "picked") return save(model, "picked", data.token);
    steps.set(source, data.step);
    // A document that loads shows the step at which Python displayed it; Python's own may be newer.
    if (data.bpeviz === "ready") showStep();
    else if (data.bpeviz === "step") save(model, "step", data.step);
  };

  window.addEventListener("message", hear);
  model.on("change:step", showStep);
  for (const shown of windowsOf(player)) tell(shown, { bpeviz: "hello" });
  return () => {
    window.removeEventListener("message", hear);
    model.off("change:step", showStep);
  };
}

/**
 * Draw a player in an element. Python sends the iframe when asked, so that the model stays small.
 * @param {{ model: Model, el: HTMLElement }} given
 * @returns {() => void} forgets the iframe
 */
function render({ model, el }) {
  /** @type {HTMLIFrameElement | null} */
  let frame = null;
  /** @param {unknown} [said] */
  const receive = (said) => {
    const { iframe } = /** @type {{ iframe?: unknown }} */ (said ?? {});
    if (frame || typeof iframe !== "string") return;
    el.innerHTML = iframe;
    frame = el.querySelector("iframe");
    if (frame) drawn.add(frame);
  };
  model.on("msg:custom", receive);
  model.send({ ask: "iframe" });
  return () => {
    model.off("msg:custom", receive);
    if (frame) drawn.delete(frame);
  };
}

/**
 * Send a value to Python, if it is new.
 * @param {Model} model
 * @param {string} name
 * @param {unknown} value
 */
function save(model, name, value) {
  if (model.get(name) === value) return;
  model.set(name, value);
  model.save_changes();
}

/**
 * Speak to a document. Its iframe has no origin that could be named.
 * @param {Window} shown
 * @param {{ bpeviz: "hello" } | { bpeviz: "go", step: unknown }} message
 */
function tell(shown, message) {
  shown.postMessage(message, "*");
}

export default { initialize, render };
