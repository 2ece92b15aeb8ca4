// @ts-check
// A field for a person's own text. Python gets the text while the person types, and sends it back in the tokens of
// several tokenizers.

import { bytesOfHex } from "../shared/bytes.js";
import { directionOf } from "../shared/characters.js";
import { madeOnce } from "../shared/component.js";
import { takeCursor } from "../shared/cursor.js";
import { create, find } from "../shared/elements.js";
import { decimals } from "../shared/numbers.js";
import { fileField } from "../shared/streamlit_page.js";
import { tokenRow } from "../shared/token_row.js";

/** @import { ComponentArguments } from "../shared/types" */

/**
 * The tokens are bytes in hexadecimal; `missing` says why there are none.
 * @typedef {{ name: string, total: number, tokens: string[], missing: string }} SentRow
 */
/**
 * What Python sends; see text_box.py. `most`, `largest` and `retrained` are numbers of bytes.
 * @typedef {{ session: number, text: string, most: number, largest: number, retrained: number, busy: boolean,
 *   cost: string, problem: string, rows: SentRow[] }} Sent
 */

/** What the field says of its text. @typedef {{ rows: SentRow[], cost: string }} Results */

/** @type {Results} */
const NOTHING = { rows: [], cost: "" };
const TOO_LONG = "Too long to show while you type. Press “Watch it”.";
const REPORT_AFTER = 20; // milliseconds without a key
const NAME = "your text"; // of a long text, as a file

// Texts that are too long to report at each key: the field shows them again after it was off the page.
/** @type {Map<number, string>} */
const longTexts = new Map();

/**
 * What the person typed that Python doesn't know yet, in which saved session. It outlives the field: after a lost
 * connection the page of a new session has a new one.
 * @type {Document & { bpevizUnsent?: { session: string, text: string } | null } | undefined}
 */
const page = globalThis.document; // none in the tests

const savedSession = () => new URLSearchParams(location.search).get("session") ?? "";

class TextBox {
  /** @param {ShadowRoot} root */
  constructor(root) {
    this.root = root;
    this.field = find(root, "textarea", HTMLTextAreaElement);
    this.button = find(root, ".watch", HTMLButtonElement);
    this.problem = find(root, ".problem");
    this.note = find(root, ".note");
    this.started = false;
    this.sent = /** @type {Sent} */ ({});
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {ComponentArguments<Sent>["setStateValue"]} */
    this.setStateValue = () => {}; // set before load is called
    this.field.addEventListener("input", () => this.changed());
    this.field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.watch();
    });
    this.button.addEventListener("click", () => this.watch());
    find(root, ".choose").addEventListener("click", () => fileField()?.click());
  }

  stop() {
    clearTimeout(this.timer);
  }

  /** @param {Sent} sent */
  load(sent) {
    this.sent = sent;
    let unsent = null;
    if (!this.started) {
      unsent = page?.bpevizUnsent?.session === savedSession() ? page.bpevizUnsent.text : null;
      this.field.value = longTexts.get(sent.session) ?? unsent ?? sent.text;
    }
    this.started = true;
    if (page && this.field.value === sent.text) page.bpevizUnsent = null;
    this.say(resultsOf(sent, this.field.value) ?? sent); // of a text just before, while a person types on
    this.show();
    if (unsent !== null && this.field.value !== sent.text) this.changed();
  }

  /** @param {Results} results */
  say({ rows, cost }) {
    const direction = directionOf(this.sent.text) ?? "ltr"; // a row may begin with bytes such as "D7"
    find(this.root, ".rows").replaceChildren(...rows.flatMap((row) => partsOf(row, direction)));
    find(this.root, ".cost").textContent = cost;
  }

  changed() {
    if (page) page.bpevizUnsent = this.isLong() ? null : { session: savedSession(), text: this.field.value };
    this.show();
    clearTimeout(this.timer);
    const results = resultsOf(this.sent, this.field.value);
    if (this.isLong()) {
      this.say(results ?? NOTHING);
      longTexts.set(this.sent.session, this.field.value);
      return;
    }
    const wasLong = longTexts.delete(this.sent.session);
    if (wasLong) this.say(results ?? NOTHING);
    this.timer = setTimeout(() => this.report(), REPORT_AFTER);
  }

  report() {
    this.setStateValue("typed", { text: this.field.value });
  }

  // Streamlit can lose a trigger if the player reports while the server is busy; a value it sends again.
  watch() {
    clearTimeout(this.timer);
    if (this.button.disabled) return;
    if (this.isLong()) giveFile(this.field.value);
    else this.setStateValue("train", { text: this.field.value, pressed: Date.now() });
  }

  // Whether the text is too long to report at each key: then it trains as a file does.
  isLong() {
    return byteLength(this.field.value) > this.sent.most;
  }

  // Show what can be done with the text in the field.
  show() {
    const { sent } = this;
    const { value } = this.field;
    const tooLong = byteLength(value) > sent.largest;
    const problem = value === sent.text ? sent.problem : "";
    this.problem.textContent = tooLong
      ? `This text has ${decimals(byteLength(value))} bytes. The page takes up to ${decimals(sent.largest)}.`
      : problem;
    this.problem.hidden = !this.problem.textContent;
    this.button.disabled = !value || tooLong || sent.busy;
    const again = value && byteLength(value) <= sent.retrained;
    this.note.textContent = again ? "Trains again as you type." : "";
  }
}

/**
 * What can be said of the text in the field; null until Python has counted it. A text that is too long to be reported
 * has no results: those of the text before are not its own.
 * @param {Sent} sent
 * @param {string} value
 * @returns {Results | null}
 */
export function resultsOf(sent, value) {
  const length = byteLength(value);
  if (length > sent.largest) return NOTHING; // the field says how long it is
  if (length > sent.most) return { ...NOTHING, cost: TOO_LONG };
  return value === sent.text ? sent : null;
}

/**
 * Give the page a text as a file that a person drops.
 * @param {string} text
 */
function giveFile(text) {
  const field = fileField();
  if (!field) return;
  const files = new DataTransfer();
  files.items.add(new File([text], NAME, { type: "text/plain" }));
  field.files = files.files;
  field.dispatchEvent(new Event("change", { bubbles: true }));
}

/** @param {string} text */
const byteLength = (text) => new TextEncoder().encode(text).length;

/**
 * @param {SentRow} row
 * @param {string} direction
 */
function partsOf({ name, total, tokens, missing }, direction) {
  if (missing) return [create("dt", "", create("b", "", name)), create("dd", "", create("p", "", missing))];
  return tokenRow(name, total, tokens.map(bytesOfHex), direction);
}

/** @param {ComponentArguments<Sent>} component */
export default function ({ data, parentElement, setStateValue }) {
  const [box, stop] = madeOnce(parentElement, () => new TextBox(parentElement));
  box.setStateValue = setStateValue;
  box.load(data);
  takeCursor(box.field);
  return stop;
}
