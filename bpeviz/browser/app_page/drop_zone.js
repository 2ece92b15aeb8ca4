// @ts-check
// Shows the field for dropped files, or why there is none, while a person drags files over the page: see drop_zone.py.
// The browser would open a file that no field takes, and the page would be gone.

import { madeOnce } from "../shared/component.js";

/** @import { ComponentArguments } from "../shared/types" */

const DRAGGED = "bpevizDragged";

class DropZone {
  constructor() {
    this.stopping = new AbortController();
    const { signal } = this.stopping;
    document.addEventListener("dragenter", (event) => this.entered(event), { signal });
    document.addEventListener("dragleave", (event) => this.left(event), { signal });
    document.addEventListener("dragover", (event) => this.over(event), { signal });
    document.addEventListener("drop", (event) => this.dropped(event), { signal });
  }

  stop() {
    this.stopping.abort();
    this.hide();
  }

  /** @param {DragEvent} event */
  entered(event) {
    if (hasFiles(event)) document.documentElement.dataset[DRAGGED] = "";
  }

  /**
   * A drag that began before this script was there enters no more.
   * @param {DragEvent} event
   */
  over(event) {
    holdBack(event);
    this.entered(event);
  }

  /** @param {DragEvent} event */
  left(event) {
    if (event.relatedTarget === null) this.hide(); // out of the window
  }

  /** @param {DragEvent} event */
  dropped(event) {
    holdBack(event);
    this.hide();
  }

  hide() {
    delete document.documentElement.dataset[DRAGGED];
  }
}

/** @param {DragEvent} event */
const hasFiles = (event) => event.dataTransfer?.types.includes("Files") ?? false;

/** @param {DragEvent} event */
function holdBack(event) {
  if (hasFiles(event)) event.preventDefault();
}

/** @param {ComponentArguments<null>} component */
export default function ({ parentElement }) {
  return madeOnce(parentElement, () => new DropZone())[1];
}
