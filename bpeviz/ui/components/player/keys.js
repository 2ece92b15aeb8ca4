// @ts-check
// Every key of the player, and the list of them.

import { create, find } from "../shared/elements.js";

/** @import { KeyBinding } from "../shared/keyboard.js" */
/** @import { Player } from "./player.js" */

/** A key and what the list says about it; it shows `shown`, or the key. @typedef {KeyBinding & { does: string, shown?: string }} ListedKey */

/**
 * @param {Player} player
 * @returns {ListedKey[]}
 */
export function playerKeys(player) {
  const { tokenCard } = player;
  const { options } = player.view;
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
    { key: "Home", does: "Back to the start", run: () => player.command("first") },
    { key: "End", does: "To the last merge", run: () => player.command("last") },
    {
      key: ".",
      does: "To the next token in the text, from the first in view",
      run: () => player.reading.moveCursor(1),
    },
    { key: ",", does: "To the token before", run: () => player.reading.moveCursor(-1) },
    { key: "Enter", does: "Pick the token you are at", run: () => player.reading.pickFocused() },
    { key: "n", does: "Next occurrence of the token picked", run: () => tokenCard.jumpBy(1) },
    { key: "p", does: "Previous occurrence", run: () => tokenCard.jumpBy(-1) },
    {
      key: "g",
      does: "Glyphs for spaces, tabs and line ends: on or off",
      run: () => options.toggle("glyphs"),
    },
    {
      key: "w",
      does: "Walls between pre-tokens, which no merge crosses: on or off",
      run: () => options.toggle("walls"),
    },
    { key: "?", does: "This list", run: () => player.command("keys") },
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
    const rows = keys.flatMap(({ key, shown = key, does }) => [keyNames(shown), create("dd", "", does)]);
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
