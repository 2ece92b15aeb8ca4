// @ts-check
// Words for a mouse and for a finger.

/** Whether the person has fingers only: nothing can point without a press. */
export const onlyTouches = () => matchMedia("(any-hover: none)").matches;

/** How to copy what is selected, where the page can't. */
export const howToCopy = () =>
  onlyTouches() ? "Hold it and choose Copy." : "It is selected. Press Ctrl+C or ⌘C to copy it.";
