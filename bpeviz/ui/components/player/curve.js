// The scrubber: the curve of bytes per token over all merges, with a tick under every merge that was a tie.
// And what every curve shares: the line through many points, and the pointer that is dragged along it.

const CURVE_WIDTH = 1000;
const CURVE_HEIGHT = 54;

class Curve {
  constructor(root, go) {
    this.svg = root.querySelector(".curve");
    this.done = root.querySelector(".done");
    this.marker = root.querySelector(".marker");
    clipBy(this.svg.querySelector("clipPath"), this.svg.querySelector(".made"));
    onDrag(this.svg, ({ clientX }) => {
      const box = this.svg.getBoundingClientRect();
      go(Math.round(((clientX - box.left) / box.width) * this.merges));
    });
  }

  load(pack) {
    this.merges = pack.num_merges;
    const lowest = bytesPerToken(pack, 0);
    const highest = Math.max(bytesPerToken(pack, this.merges), lowest * 1.01);
    const y = (k) => {
      const share = (bytesPerToken(pack, k) - lowest) / (highest - lowest);
      return CURVE_HEIGHT - 4 - share * (CURVE_HEIGHT - 12);
    };
    const line = linePath(this.merges + 1, (k) => this.x(k), y);
    const area = `M0 ${CURVE_HEIGHT}L${line}L${CURVE_WIDTH} ${CURVE_HEIGHT}Z`;
    for (const path of this.svg.querySelectorAll(".area")) path.setAttribute("d", area);
    this.svg.querySelector(".ties").setAttribute("d", this.ticks(pack.tied));
    this.svg.setAttribute("aria-valuemin", "0");
    this.svg.setAttribute("aria-valuemax", String(this.merges));
  }

  // One tick a tie, but no more than the curve has room for.
  ticks(tied) {
    const width = Math.max(1.2, (CURVE_WIDTH / Math.max(1, this.merges)) * 0.7);
    let path = "";
    let free = 0;
    for (let k = 0; k < this.merges; k++) {
      const x = this.x(k);
      if (tied[k] < 2 || x < free) continue;
      path += `M${x.toFixed(1)} ${CURVE_HEIGHT - 3}h${width.toFixed(1)}v3h-${width.toFixed(1)}z`;
      free = x + width;
    }
    return path;
  }

  x(k) {
    return this.merges ? (k / this.merges) * CURVE_WIDTH : 0;
  }

  show(step) {
    const x = this.x(step);
    this.done.setAttribute("width", x);
    this.marker.setAttribute("x1", x);
    this.marker.setAttribute("x2", x);
    this.svg.setAttribute("aria-valuenow", String(step));
    this.svg.setAttribute("aria-valuetext", `${step} of ${this.merges} merges`);
  }
}

const bytesPerToken = (pack, step) => pack.text_bytes / pack.totals[step];

// Clip paths are found by id in the whole document, so each needs its own.
function clipBy(clipPath, clipped) {
  clipPath.id = `bpeviz-${Math.random().toString(36).slice(2)}`;
  clipped.setAttribute("clip-path", `url(#${clipPath.id})`);
}

// Call with the pointer's event when it is pressed and while it is dragged. A finger may mean to scroll the
// page, so it counts once it is drawn along, or lifted where it was put.
function onDrag(element, moved) {
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

// The coordinates of a line through points with ascending x. Of those that share a pixel column only the
// first, the highest, the lowest and the last are kept: more would not be seen.
function linePath(points, x, y) {
  const kept = [];
  let low, high, first;
  let column = null;
  const close = (last) => {
    for (const k of [...new Set([first, low, high, last])].sort((a, b) => a - b)) kept.push(k);
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
