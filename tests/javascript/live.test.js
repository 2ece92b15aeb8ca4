// @ts-check
// The browser's end of a live player, between a model like anywidget's and iframes that are only windows here.
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import live from "../../bpeviz/browser/standalone/live.js";

/** An iframe and what was said to its document. */
class Frame {
  /** @param {string} player */
  constructor(player) {
    this.dataset = { bpevizPlayer: player };
    /** @type {object[]} */
    this.told = [];
    this.contentWindow = { postMessage: (/** @type {object} */ message) => this.told.push(message) };
  }
}

/** A model that remembers what it saved and sent. */
class Model {
  /** @param {Record<string, unknown>} state */
  constructor(state) {
    this.state = state;
    /** @type {unknown[]} */
    this.sent = [];
    this.saved = 0;
    /** @type {Map<string, Set<(content?: unknown) => void>>} */
    this.listeners = new Map();
  }

  /** @param {string} name */
  get(name) {
    return this.state[name];
  }

  /**
   * @param {string} name
   * @param {unknown} value
   */
  set(name, value) {
    this.state[name] = value;
    this.emit(`change:${name}`);
  }

  save_changes() {
    this.saved += 1;
  }

  /** @param {unknown} content */
  send(content) {
    this.sent.push(content);
  }

  /**
   * @param {string} event
   * @param {(content?: unknown) => void} listener
   */
  on(event, listener) {
    this.listeners.set(event, (this.listeners.get(event) ?? new Set()).add(listener));
  }

  /**
   * @param {string} event
   * @param {(content?: unknown) => void} listener
   */
  off(event, listener) {
    this.listeners.get(event)?.delete(listener);
  }

  /**
   * @param {string} event
   * @param {unknown} [content]
   */
  emit(event, content) {
    for (const listener of this.listeners.get(event) ?? []) listener(content);
  }
}

/** @type {Frame[]} */
let frames = [];
const GLOBALS = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (globalThis));

beforeEach(() => {
  frames = [new Frame("a"), new Frame("b")];
  GLOBALS.window = new EventTarget();
  GLOBALS.document = { querySelectorAll: () => frames };
});

afterEach(() => {
  delete GLOBALS.window;
  delete GLOBALS.document;
});

/**
 * The document in an iframe says something to the window around it.
 * @param {Frame} frame
 * @param {unknown} data
 */
function say({ contentWindow }, data) {
  const event = Object.assign(new Event("message"), { data, source: contentWindow });
  /** @type {EventTarget} */ (GLOBALS.window).dispatchEvent(event);
}

/**
 * A model that is connected, and what ends the connection.
 * @param {string} player
 * @param {number} step
 */
function connected(player, step) {
  const model = new Model({ player_id: player, step, picked: null });
  return { model, stop: live.initialize({ model }) };
}

test("iframes that were there before the model are asked for their step, and get Python's", () => {
  const { model } = connected("a", 7);
  assert.deepEqual(frames[0].told, [{ bpeviz: "hello" }]);
  assert.deepEqual(frames[1].told, []);
  say(frames[0], { bpeviz: "ready", player: "a", step: 2 });
  assert.deepEqual(frames[0].told.at(-1), { bpeviz: "go", step: 7 });
  assert.equal(model.saved, 0);
});

test("a document that loads at Python's step is left alone", () => {
  connected("a", 7);
  frames[0].told = [];
  say(frames[0], { bpeviz: "ready", player: "a", step: 7 });
  assert.deepEqual(frames[0].told, []);
});

test("Python gets a step of a document, which is not sent back to it", () => {
  const { model } = connected("a", 0);
  frames[0].told = [];
  say(frames[0], { bpeviz: "step", player: "a", step: 3 });
  assert.deepEqual([model.get("step"), model.saved], [3, 1]);
  say(frames[0], { bpeviz: "step", player: "a", step: 3 });
  assert.equal(model.saved, 1);
  assert.deepEqual(frames[0].told, []);
});

test("a step goes to every iframe of its player and to no other", () => {
  frames.push(new Frame("a"));
  const { model } = connected("a", 0);
  for (const frame of frames) frame.told = [];
  say(frames[0], { bpeviz: "step", player: "a", step: 3 });
  assert.deepEqual(
    frames.map(({ told }) => told),
    [[], [], [{ bpeviz: "go", step: 3 }]],
  );
  model.set("step", 4);
  assert.deepEqual(frames[0].told, [{ bpeviz: "go", step: 4 }]);
  assert.deepEqual(frames[1].told, []);
});

test("a document that answers a step is not moved again", () => {
  const { model } = connected("a", 0);
  model.set("step", 4);
  frames[0].told = [];
  say(frames[0], { bpeviz: "step", player: "a", step: 4 });
  assert.deepEqual([model.saved, frames[0].told], [0, []]);
});

test("Python gets the picked token", () => {
  const { model } = connected("a", 0);
  const token = { start: 0, end: 2, id: 256, text: "th", bytes: "7468", rank: 0 };
  say(frames[0], { bpeviz: "picked", player: "a", token });
  assert.deepEqual([model.get("picked"), model.saved], [token, 1]);
  say(frames[0], { bpeviz: "picked", player: "a", token: null });
  assert.deepEqual([model.get("picked"), model.saved], [null, 2]);
});

test("nobody else moves a player", () => {
  const { model } = connected("a", 0);
  for (const data of [
    null,
    5,
    "step",
    {},
    { bpeviz: "step", step: 3 },
    { bpeviz: "other", player: "a", step: 3 },
  ]) {
    say(frames[0], data);
  }
  say(frames[1], { bpeviz: "step", player: "a", step: 3 });
  say(frames[0], { bpeviz: "step", player: "b", step: 3 });
  say(new Frame("a"), { bpeviz: "step", player: "a", step: 3 });
  assert.deepEqual([model.get("step"), model.saved], [0, 0]);
});

test("a closed model hears and says nothing", () => {
  const { model, stop } = connected("a", 0);
  stop();
  frames[0].told = [];
  say(frames[0], { bpeviz: "step", player: "a", step: 3 });
  model.set("step", 5);
  assert.deepEqual([model.saved, frames[0].told], [0, []]);
});

test("a widget's view shows the iframe that Python sends, and connects it", () => {
  frames = [];
  const frame = new Frame("a");
  const el = /** @type {HTMLElement} */ (
    /** @type {unknown} */ ({ innerHTML: "", querySelector: () => frame })
  );
  const { model } = connected("a", 0);
  const forget = live.render({ model, el });
  assert.deepEqual(model.sent, [{ ask: "iframe" }]);
  model.emit("msg:custom", { other: 1 });
  assert.equal(el.innerHTML, "");
  model.emit("msg:custom", { iframe: "<iframe>" });
  model.emit("msg:custom", { iframe: "for another view" });
  assert.equal(el.innerHTML, "<iframe>");
  say(frame, { bpeviz: "step", player: "a", step: 3 });
  assert.equal(model.get("step"), 3);
  forget();
  say(frame, { bpeviz: "step", player: "a", step: 4 });
  assert.equal(model.get("step"), 3);
});
