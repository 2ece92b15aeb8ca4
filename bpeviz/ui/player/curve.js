// The scrubber: the curve of bytes per token over all merges, with a tick under every merge that was a tie.

const CURVE_WIDTH = 1000;
const CURVE_HEIGHT = 54;

class Curve {
  constructor(root, go) {
    this.svg = root.querySelector(".curve");
    this.done = root.querySelector(".done");
    this.marker = root.querySelector(".marker");
    this.go = go;
    // Clip paths are found by id in the whole document, so each player needs its own.
    const id = `bpeviz-${Math.random().toString(36).slice(2)}`;
    this.svg.querySelector("clipPath").id = id;
    this.svg.querySelector(".made").setAttribute("clip-path", `url(#${id})`);
    this.svg.addEventListener("pointerdown", (event) => this.drag(event));
  }

  load(pack) {
    this.merges = pack.num_merges;
    const bytesPerToken = (k) => pack.text_bytes / pack.totals[k];
    const highest = Math.max(bytesPerToken(this.merges), bytesPerToken(0) * 1.01);
    const lowest = bytesPerToken(0);
    const points = Math.min(this.merges, 500);
    let line = `M0 ${CURVE_HEIGHT}`;
    for (let p = 0; p <= points; p++) {
      const k = points ? Math.round((p / points) * this.merges) : 0;
      const share = (bytesPerToken(k) - lowest) / (highest - lowest);
      line += `L${this.x(k).toFixed(1)} ${(CURVE_HEIGHT - 4 - share * (CURVE_HEIGHT - 12)).toFixed(1)}`;
    }
    line += `L${CURVE_WIDTH} ${CURVE_HEIGHT}Z`;
    for (const area of this.svg.querySelectorAll(".area")) area.setAttribute("d", line);
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

  drag(event) {
    const move = ({ clientX }) => {
      const box = this.svg.getBoundingClientRect();
      this.go(Math.round(((clientX - box.left) / box.width) * this.merges));
    };
    move(event);
    this.svg.setPointerCapture(event.pointerId);
    this.svg.onpointermove = move;
    this.svg.onpointerup = this.svg.onpointercancel = () => {
      this.svg.onpointermove = null;
    };
  }
}
