// The keyboard. Keys work wherever the page's focus is, unless it is in something that needs them itself.

// Every key there is: what it does as the list says it, and the doing. The doing gives false where there is
// nothing to do; the key is the browser's then. Without `shift`, letters and named keys are taken without the
// shift key, and signs with it or not, as the keyboard has them.
const KEYS = [
  { key: "ArrowRight", shown: "→", does: "Next merge", run: (player) => player.command("next") },
  { key: "ArrowLeft", shown: "←", does: "Back one merge", run: (player) => player.command("back") },
  { key: "ArrowRight", shift: true, shown: "⇧ →", does: "Next merge that changes what is in view", run: (player) => player.command("next-change") },
  { key: "ArrowLeft", shift: true, shown: "⇧ ←", does: "Back to before the latest merge that changed what is in view", run: (player) => player.command("latest-change") },
  { key: " ", shown: "space", does: "Play or pause", run: (player) => player.command("play") },
  { key: "Home", shown: "Home", does: "Back to the start", run: (player) => player.command("first") },
  { key: "End", shown: "End", does: "To the last merge", run: (player) => player.command("last") },
  { key: ".", shown: ".", does: "To the next token in the text, from the first in view", run: (player) => player.reading.moveCursor(1) },
  { key: ",", shown: ",", does: "To the token before", run: (player) => player.reading.moveCursor(-1) },
  { key: "Enter", shown: "Enter", does: "Pick the token you are at", run: (player) => player.reading.pickFocused() },
  { key: "n", shown: "n", does: "Next occurrence of the token picked", run: ({ tokenCard }) => tokenCard.jumpBy?.(1) },
  { key: "p", shown: "p", does: "Previous occurrence", run: ({ tokenCard }) => tokenCard.jumpBy?.(-1) },
  { key: "g", shown: "g", does: "Glyphs for spaces, tabs and line ends: on or off", run: ({ view }) => view.options.toggle("glyphs") },
  { key: "w", shown: "w", does: "Walls between pre-tokens, which no merge crosses: on or off", run: ({ view }) => view.options.toggle("walls") },
  { key: "?", shown: "?", does: "This list", run: (player) => player.command("keys") },
  { key: "Escape", shown: "Esc", does: "Leave the token, or close this list", run: (player) => leaveToken(player) },
];

function leaveToken({ reading: view, readingDetails: details }) {
  const focused = view.focusedCell() !== null;
  if (!focused && !details.shown) return false;
  if (focused) view.leaveToken();
  details.hide();
  return true;
}

class Keys {
  constructor(root, player) {
    this.root = root;
    this.player = player;
    this.list = new KeyList(root);
    this.focusByPointer = false;
    this.onKey = (event) => this.key(event);
    this.onPointer = () => {
      this.focusByPointer = true;
    };
    document.addEventListener("keydown", this.onKey);
    document.addEventListener("pointerdown", this.onPointer);
  }

  stop() {
    document.removeEventListener("keydown", this.onKey);
    document.removeEventListener("pointerdown", this.onPointer);
  }

  key(event) {
    if (event.key === "Tab") this.focusByPointer = false;
    if (!this.player.pack || event.ctrlKey || event.metaKey || event.altKey) return;
    const [target] = event.composedPath();
    const entry = KEYS.find((entry) => isPressed(entry, event));
    if (!entry || this.isNeededBy(target, event.key)) return;
    if (entry.run(this.player) !== false) event.preventDefault();
  }

  isNeededBy(target, key) {
    if (!(target instanceof Element)) return false;
    const option = target.matches("[data-option]"); // a box of ours: of all keys it needs space alone
    if (!option && target.closest("input, textarea, select, [contenteditable], [role=grid], [role=dialog], [role=listbox], dialog")) return true;
    // A button reached by keyboard keeps space for itself; one clicked with the mouse does not.
    if (key === " " && !this.focusByPointer && (option || target.matches("button, [role=tab], summary"))) return true;
    if (target !== this.root.querySelector(".curve") && target.matches("[role=slider], [role=tab], [role=radio]")) return true;
    return target.matches(".text") && (key === "Home" || key === "End");
  }
}

function isPressed({ key, shift = false }, event) {
  const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key; // caps lock or not
  const sign = key.length === 1 && /[^a-z ]/.test(key);
  return pressed === key && (sign || event.shiftKey === shift);
}

// All keys, in a dialog: the browser keeps the focus in it, closes it on Esc and gives the focus back.
class KeyList {
  constructor(root) {
    this.dialog = root.querySelector(".keys");
    const rows = KEYS.flatMap(({ shown, does }) => [keyNames(shown), element("dd", does)]);
    this.dialog.querySelector("dl").replaceChildren(...rows);
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog) this.dialog.close(); // outside of it
    });
    this.dialog.addEventListener("keydown", (event) => {
      if (event.key === "?") this.dialog.close();
    });
  }

  open() {
    if (!this.dialog.open) this.dialog.showModal();
  }
}

function keyNames(shown) {
  const names = document.createElement("dt");
  for (const name of shown.split(" ")) names.append(element("kbd", name), " ");
  return names;
}
