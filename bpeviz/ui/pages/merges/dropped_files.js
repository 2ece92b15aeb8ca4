// @ts-check
// Shows the field for dropped files while a person drags files over the page: see dropped_files.py.

import { madeOnce } from "../../components/shared/component.js";

/** @import { ComponentArguments } from "../../components/shared/types" */

const DRAGGED = "bpevizDragged";

class DropZone {
  constructor() {
    this.stopping = new AbortController();
    const { signal } = this.stopping;
    document.addEventListener("dragenter", (event) => this.entered(event), { signal });
    document.addEventListener("dragleave", (event) => this.left(event), { signal });
    document.addEventListener("drop", () => this.hide(), { signal });
  }

  stop() {
    this.stopping.abort();
    this.hide();
  }

  /** @param {DragEvent} event */
  entered(event) {
    if (event.dataTransfer?.types.includes("Files")) document.documentElement.dataset[DRAGGED] = "";
  }

  /** @param {DragEvent} event */
  left(event) {
    if (event.relatedTarget === null) this.hide(); // out of the window
  }

  hide() {
    delete document.documentElement.dataset[DRAGGED];
  }
}

/** @param {ComponentArguments<null>} component */
export default function ({ parentElement }) {
  return madeOnce(parentElement, () => new DropZone())[1];
}
