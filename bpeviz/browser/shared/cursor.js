// @ts-check
// The cursor for the field for a person's text: whoever opens its menu asks for it, the field takes it when it is there.

const ASKED = "bpevizCursorAsked";

export function askForCursor() {
  document.documentElement.dataset[ASKED] = "";
}

/** @param {HTMLElement} field */
export function takeCursor(field) {
  const { dataset } = document.documentElement;
  if (!(ASKED in dataset)) return;
  delete dataset[ASKED];
  field.focus();
}
