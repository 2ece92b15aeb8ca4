// @ts-check
// Every key of the player, and the list of them.

import { create, find } from "../shared/elements.js";
import { openPanel } from "../shared/streamlit_page.js";
import { stage } from "./stage.js";

/** @import { KeyBinding } from "../shared/keyboard.js" */
/** @import { Player } from "./merge_player.js" */

/**
 * A key and what the list says about it, which shows `shown`, or the key. A key without `does` is not in the list.
 * @typedef {KeyBinding & { does?: string, shown?: string }} ListedKey
 */

/**
 * @param {Player} player
 * @returns {ListedKey[]}
 */
export function playerKeys(player) {
  const { tokenCard } = player;
  const { options } = player.view;
  const panels = player.alone ? 2 : 5;
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
    { key: "t", does: "To the next tie", run: () => player.command("next-tie") },
    {
      key: "t",
      shift: true,
      shown: "⇧ t",
      does: "Back to the tie before",
      run: () => player.command("latest-tie"),
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
    {
      key: "/",
      does: "Find a token",
      run: () => {
        player.more.open();
        tokenCard.finder.input.focus();
      },
    },
    { key: "n", does: "Next occurrence of the token picked", run: () => tokenCard.jumpBy(1) },
    { key: "p", does: "Previous occurrence", run: () => tokenCard.jumpBy(-1) },
    ...options.keys,
    { key: "c", does: "Curves over all merges: show or hide", run: () => player.toggleCurves() },
    { key: "o", does: "More controls: show or hide", run: () => player.more.toggle() },
    {
      key: "f",
      does: "Present: the player alone, in large type, for a projector",
      run: () => player.command("present"),
    },
    {
      key: "b",
      does: player.alone
        ? "To the bars of pairs: ↑ ↓ walk"
        : "To the bars of pairs: ↑ ↓ walk, Enter looks at one, M merges it next, V never merges it",
      run: () => (stage.pairs?.root.isConnected && stage.pairs.chart.visit()) ?? false,
    },
    ...Array.from({ length: panels }, (_, n) => ({
      key: `${n + 1}`,
      ...(n
        ? {}
        : {
            shown: `1 … ${panels}`,
            does: "Show another panel beside the text; presenting, 1 shows the bars",
          }),
      run: () => (player.presents ? n === 0 && player.toggleBars() : openPanel(n)),
    })),
    { key: "+", shown: "+ -", does: "Larger or smaller type, presenting", run: () => player.enlarge(1.1) },
    { key: "=", run: () => player.enlarge(1.1) }, // + without the shift key
    { key: "-", run: () => player.enlarge(1 / 1.1) },
    { key: "?", does: "This list", run: () => player.command("keys") },
    {
      key: "Escape",
      shown: "Esc",
      does: "Close the token's card or this list, leave the token, or end presenting",
      run: () => leaveToken(player),
    },
  ];
}

/** @param {Player} player */
function leaveToken(player) {
  const { reading: view, readingDetails: details, tokenCard } = player;
  if (tokenCard.clear()) return true;
  const focused = view.focusedCell() !== null;
  if (!focused && !details.shown) return endPresenting(player);
  if (focused) view.leaveToken();
  details.hide();
  return true;
}

/** @param {Player} player */
function endPresenting(player) {
  if (!player.presents) return false;
  player.present(false);
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
    const rows = keys.flatMap(({ key, shown = key, does }) =>
      does ? [keyNames(shown), create("dd", "", does)] : [],
    );
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
