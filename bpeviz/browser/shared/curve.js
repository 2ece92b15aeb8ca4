// @ts-check
// What every curve shares: the line through many points, and dragging along it.

/**
 * Clip an element. Ids count in the whole document, so each clip path gets its own.
 * @param {SVGClipPathElement} clipPath
 * @param {Element} clipped
 */
export function clipBy(clipPath, clipped) {
  clipPath.id = `bpeviz-${Math.random().toString(36).slice(2)}`;
  clipped.setAttribute("clip-path", `url(#${clipPath.id})`);
}

/**
 * Call with the pointer's event when it is pressed and while it is dragged. A finger may only want to scroll, so
 * it counts once it is dragged along the curve, or lifted without moving.
 * @param {SVGElement} element
 * @param {(event: PointerEvent) => void} moved
 */
export function onDrag(element, moved) {
  element.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    const finger = event.pointerType === "touch";
    if (!finger) moved(event);
    element.setPointerCapture(event.pointerId);
    element.onpointermove = moved;
    element.onpointerup = element.onpointercancel = (end) => {
      element.onpointermove = null;
      if (finger && end.type === "pointerup") moved(end);
    };
  });
}

/**
 * The coordinates of a line through points with ascending x. Of those in one pixel column only the
 * first, the highest, the lowest and the last are kept: nobody could see more.
 * @param {number} points
 * @param {(k: number) => number} x
 * @param {(k: number) => number} y
 */
export function linePath(points, x, y) {
  /** @type {number[]} */
  const kept = [];
  let low = 0;
  let high = 0;
  let first = 0;
  /** @type {number | null} */
  let column = null;
  /** @param {number} last */
  const close = (last) => {
    kept.push(...[...new Set([first, low, high, last])].sort((a, b) => a - b));
  };
  for (let k = 0; k < points; k++) {
    const here = Math.floor(x(k));
    if (here !== column) {
      if (column !== null) close(k - 1);
      column = here;
      first = low = high = k;
    }
    if (y(k) < y(low)) low = k;
    if (y(k) > y(high)) high = k;
  }
  if (points) close(points - 1);
  return kept.map((k) => `${x(k).toFixed(1)} ${y(k).toFixed(1)}`).join("L");
}
