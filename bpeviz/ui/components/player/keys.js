// @ts-check
// Every key of the player, and the list of them.

import { create, find } from "../shared/elements.js";

/** @import { KeyBinding } from "../shared/keyboard.js" */
/** @import { Player } from "./player.js" */

/** A key as the list shows it, and what it does. @typedef {KeyBinding & { shown: string, does: string }} ListedKey */

/**
 * @param {Player} player
 * @returns {ListedKey[]}
 */
export function playerKeys(player) {
  return [
    { key: "ArrowRight", shown: "→", does: "Next merge", run: () => player.command("next") },
    { key: "ArrowLeft", shown: "←", does: "Back one merge", run: () => player.command("back") },
    {
      key: "ArrowRight",
      shift: true,
      shown: "⇧ →",
      does: "Next merge that changes what is in view",
      run: () => player.command("next-change"),
    },
    {
      key: "ArrowLeft",
      shift: true,
      shown: "⇧ ←",
      does: "Back to before the latest merge that changed what is in view",
      run: () => player.command("latest-change"),
    },
    { key: " ", shown: "space", does: "Play or pause", run: () => player.command("play") },
    { key: "Home", shown: "Home", does: "Back to the start", run: () => player.command("first") },
    { key: "End", shown: "End", does: "To the last merge", run: () => player.command("last") },
    {
      key: ".",
      shown: ".",
      does: "To the next token in the text, from the first in view",
      run: () => player.reading.moveCursor(1),
    },
    { key: ",", shown: ",", does: "To the token before", run: () => player.reading.moveCursor(-1) },
    {
      key: "Enter",
      shown: "Enter",
      does: "Pick the token you are at",
      run: () => player.reading.pickFocused(),
    },
    {
      key: "n",
      shown: "n",
      does: "Next occurrence of the token picked",
      run: () => player.tokenCard.jumpBy(1),
    },
    { key: "p", shown: "p", does: "Previous occurrence", run: () => player.tokenCard.jumpBy(-1) },
    {
      key: "g",
      shown: "g",
      does: "Glyphs for spaces, tabs and line ends: on or off",
      run: () => player.view.options.toggle("glyphs"),
    },
    {
      key: "w",
      shown: "w",
      does: "Walls between pre-tokens, which no merge crosses: on or off",
      run: () => player.view.options.toggle("walls"),
    },
    { key: "?", shown: "?", does: "This list", run: () => player.command("keys") },
    {
      key: "Escape",
      shown: "Esc",
      does: "Leave the token, or close this list",
      run: () => leaveToken(player),
    },
  ];
}

/** @param {Player} player */
function leaveToken({ reading: view, readingDetails: details }) {
  const focused = view.focusedCell() !== null;
  if (!focused && !details.shown) return false;
  if (focused) view.leaveToken();
  details.hide();
  return true;
}

// A dialog that lists all keys. The browser keeps the focus in it, closes it on Esc and gives the focus back.
export class KeyList {
  /**
   * @param {ParentNode} root
   * @param {ListedKey[]} keys
   */
  constructor(root, keys) {
    this.dialog = find(root, ".keys", HTMLDialogElement);
    const rows = keys.flatMap(({ shown, does }) => [keyNames(shown), create("dd", "", does)]);
    find(this.dialog, "dl").replaceChildren(...rows);
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog) this.dialog.close(); // a click outside
    });
    this.dialog.addEventListener("keydown", (event) => {
      if (event.key === "?") this.dialog.close();
    });
  }

  open() {
    if (!this.dialog.open) this.dialog.showModal();
  }
}

/** @param {string} shown */
const keyNames = (shown) =>
  create("dt", "", ...shown.split(" ").flatMap((name) => [create("kbd", "", name), " "]));
