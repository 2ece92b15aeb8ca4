// How many tokens the text has after every number of merges, of both sides in one chart: where the lines cross,
// and with how many merges one does what the other does now.

const RIVALS_HEIGHT = 300;
const RIVALS_TOP = 12;
const RIVALS_BOTTOM = RIVALS_HEIGHT - 34;
const RIVALS_RIGHT_ROOM = 16;

class RivalsChart {
  // `go(side, merges)`: take a side there.
  constructor(card, go) {
    this.svg = card.querySelector("svg");
    this.svg.setAttribute("height", RIVALS_HEIGHT);
    this.grid = chartPart("g", {});
    this.guide = chartPart("line", { class: "guide" });
    this.lines = ["first", "second"].map((name) => chartPart("path", { class: `line ${name}` }));
    this.markers = [chartPart("circle", { class: "marker first", r: 5 }), chartPart("rect", { class: "marker second", width: 9, height: 9 })];
    this.crossing = chartPart("text", { class: "crossing", y: 0, "text-anchor": "middle" }, "✕");
    this.svg.append(this.grid, this.guide, ...this.lines, this.crossing, ...this.markers);
    this.resizeObserver = new ResizeObserver(() => this.draw());
    this.resizeObserver.observe(card);
    onDrag(this.svg, (event) => go(...this.nearest(event)));
  }

  stop() {
    this.resizeObserver.disconnect();
  }

  // `totals`: for each side the tokens after 0, 1, … merges.
  load(totals, names) {
    this.totals = totals;
    this.names = names;
    this.merges = null; // those of the former sides, of which the new ones may not have as many
    this.width = null;
    this.draw();
  }

  x(merges) {
    return this.xAxis.place(Math.max(1, merges)); // a logarithm has no 0
  }

  y(side, merges) {
    return this.yAxis.place(this.totals[side][merges]);
  }

  // All that moving a slider does not change.
  draw() {
    const width = this.svg.clientWidth;
    if (!this.totals || !width || width === this.width) return;
    this.width = width;
    const most = Math.max(2, ...this.totals.map((totals) => totals.length - 1));
    const ends = this.totals.flatMap((totals) => [totals[0], totals[totals.length - 1]]);
    this.yAxis = new Axis({ label: "tokens" }, [Math.min(...ends), Math.max(...ends)], RIVALS_BOTTOM, RIVALS_TOP, 40, true);
    this.left = 12 + DIGIT_WIDTH * Math.max(...this.yAxis.ticks.map((tick) => this.yAxis.write(tick).length));
    this.xAxis = new Axis({ label: "merges, log scale", log: true }, [1, most], this.left, width - RIVALS_RIGHT_ROOM, 46, false);
    this.svg.setAttribute("viewBox", `0 0 ${width} ${RIVALS_HEIGHT}`);
    this.grid.replaceChildren(...this.gridLines());
    this.lines.forEach((line, side) => {
      const first = Math.min(1, this.totals[side].length - 1); // no merge at all has no place of its own
      const points = this.totals[side].length - first;
      line.setAttribute("d", `M${linePath(points, (k) => this.x(k + first), (k) => this.y(side, k + first))}`);
    });
    const crossing = lastCrossing(this.totals);
    this.crossing.style.display = crossing === null ? "none" : "";
    if (crossing !== null) {
      this.crossing.setAttribute("x", this.x(crossing));
      this.crossing.setAttribute("y", this.y(0, crossing) + 5);
    }
    if (this.merges) this.show(this.merges, this.equal);
  }

  *gridLines() {
    const right = this.width - RIVALS_RIGHT_ROOM;
    for (const tick of this.xAxis.ticks) {
      const x = this.xAxis.place(tick);
      yield chartPart("line", { class: "grid", x1: x, x2: x, y1: RIVALS_TOP, y2: RIVALS_BOTTOM });
      yield chartPart("text", { class: "tick", x, y: RIVALS_BOTTOM + 14, "text-anchor": "middle" }, this.xAxis.write(tick));
    }
    for (const tick of this.yAxis.ticks) {
      const y = this.yAxis.place(tick);
      yield chartPart("line", { class: "grid", x1: this.left, x2: right, y1: y, y2: y });
      yield chartPart("text", { class: "tick", x: this.left - 6, y: y + 3.5, "text-anchor": "end" }, this.yAxis.write(tick));
    }
    yield chartPart("text", { class: "axis", x: (this.left + right) / 2, y: RIVALS_HEIGHT - 4, "text-anchor": "middle" }, this.xAxis.label);
  }

  // `equal`: the merges with which the second side has no more tokens than the first has now, or null.
  show(merges, equal) {
    this.merges = merges;
    this.equal = equal;
    if (!this.width) return;
    const [first, second] = merges.map((k, side) => [this.x(k), this.y(side, k)]);
    this.markers[0].setAttribute("cx", first[0]);
    this.markers[0].setAttribute("cy", first[1]);
    this.markers[1].setAttribute("x", second[0] - 4.5);
    this.markers[1].setAttribute("y", second[1] - 4.5);
    const to = equal === null ? this.width - RIVALS_RIGHT_ROOM : this.x(equal);
    for (const [name, value] of Object.entries({ x1: first[0], x2: to, y1: first[1], y2: first[1] })) this.guide.setAttribute(name, value);
    const tokens = (side) => `${this.names[side]} after ${decimals(merges[side])} merges: ${decimals(this.totals[side][merges[side]])}`;
    this.svg.setAttribute("aria-label", `Tokens against merges. ${tokens(0)}. ${tokens(1)}.`);
  }

  // The side whose line is nearer at the pointer, and the merges there.
  nearest({ clientX, clientY }) {
    const box = this.svg.getBoundingClientRect();
    const { low, high, start, end } = this.xAxis;
    const share = Math.max(0, Math.min(1, (clientX - box.left - start) / (end - start)));
    const merges = Math.round(10 ** (Math.log10(low) + share * (Math.log10(high) - Math.log10(low))));
    const far = (side) => Math.abs(this.y(side, Math.min(merges, this.totals[side].length - 1)) - (clientY - box.top));
    return [far(1) < far(0) ? 1 : 0, merges];
  }
}

// Tokens after 0, 1, … merges, from gap ranks.
function tokenTotals(gaps, merges) {
  const closed = new Float64Array(merges + 1);
  let tokens = 0;
  for (let i = 0; i < gaps.length; i++) {
    const rank = gaps[i];
    if (rank < 0 || rank === SKIPPED) continue;
    tokens++;
    if (rank < merges) closed[rank]++;
  }
  const totals = new Float64Array(merges + 1);
  for (let k = 0; k <= merges; k++) {
    totals[k] = tokens;
    tokens -= closed[k];
  }
  return totals;
}

// The fewest merges after which a side has at most so many tokens, null if it never has.
function mergesFor(totals, tokens) {
  if (totals[totals.length - 1] > tokens) return null;
  let low = 0;
  let high = totals.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (totals[middle] <= tokens) high = middle;
    else low = middle + 1;
  }
  return low;
}

// The last number of merges from which on the other side is the one with fewer tokens; null if there is none.
function lastCrossing([first, second]) {
  const shared = Math.min(first.length, second.length);
  let ahead = 0; // who had fewer tokens last
  let crossing = null;
  for (let k = 0; k < shared; k++) {
    const now = Math.sign(first[k] - second[k]);
    if (now && ahead && now !== ahead) crossing = k;
    if (now) ahead = now;
  }
  return crossing;
}
