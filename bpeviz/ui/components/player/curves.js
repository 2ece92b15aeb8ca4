// Three curves over all merges: bytes per token, the winning count, vocabulary size against tokens. A line is
// drawn once a run and a width; a step only moves its marker. A click on a line goes to the step there.

const CHART_HEIGHT = 206;
const PLOT_TOP = 46;
const PLOT_BOTTOM = CHART_HEIGHT - 34;
const PLOT_RIGHT_ROOM = 12; // pixels, for half of the last tick's number
const REST = 250; // milliseconds without a step, after which the charts' descriptions follow

// What each chart shows. A point's number is the step at which it is on show; x only ascends.
const CHARTS = [
  {
    name: "ratio",
    title: "Bytes per token",
    xAxis: { label: "merges" },
    yAxis: { label: "bytes per token", fractions: true },
    points: (pack) => pack.num_merges + 1,
    x: (_, step) => step,
    y: (pack, step) => bytesPerToken(pack, step),
    value: (pack, step) => decimals(bytesPerToken(pack, step), 2),
  },
  {
    name: "count",
    title: "Winning count",
    // A logarithm needs ranks from 1, which is also how the sentence above the text numbers merges.
    xAxis: { label: "merge (its rank + 1), log scale", log: true },
    yAxis: { label: "count, log scale", log: true },
    points: (pack) => pack.num_merges,
    x: (_, step) => step + 1,
    y: (pack, step) => pack.counts[step],
    value: (pack, step) => `${decimals(pack.counts[step])} for merge ${decimals(step + 1)}`,
  },
  {
    name: "vocabulary",
    title: "Vocabulary size and tokens",
    xAxis: { label: "vocabulary size" },
    yAxis: { label: "tokens" },
    points: (pack) => pack.num_merges + 1,
    x: (pack, step) => pack.vocab_sizes[step],
    y: (pack, step) => pack.totals[step],
    value: (pack, step) => `${decimals(pack.vocab_sizes[step])} entries, ${decimals(pack.totals[step])} tokens`,
  },
];

class Curves {
  constructor(root, go) {
    this.charts = CHARTS.map((kind) => new Chart(kind, go));
    this.step = 0;
    this.inSight = false; // while playing, charts that nobody sees cost nothing
    const list = root.querySelector(".charts");
    list.replaceChildren(...this.charts.map((chart) => chart.figure));
    this.resizeObserver = new ResizeObserver(() => this.charts.forEach((chart) => chart.draw()));
    this.resizeObserver.observe(list);
    this.sightObserver = new IntersectionObserver((changes) => this.sighted(changes.at(-1).isIntersecting));
    this.sightObserver.observe(list);
  }

  stop() {
    clearTimeout(this.restTimer);
    this.resizeObserver.disconnect();
    this.sightObserver.disconnect();
  }

  load(pack) {
    for (const chart of this.charts) chart.load(pack);
  }

  sighted(inSight) {
    this.inSight = inSight;
    if (inSight) this.move();
  }

  show(step) {
    this.step = step;
    if (this.inSight) this.move();
    clearTimeout(this.restTimer);
    this.restTimer = setTimeout(() => this.settle(), REST);
  }

  move() {
    for (const chart of this.charts) chart.show(this.step);
  }

  settle() {
    this.move();
    for (const chart of this.charts) chart.describe();
  }
}

class Chart {
  constructor(kind, go) {
    this.kind = kind;
    this.step = 0;
    this.figure = element("figure", "");
    this.figure.className = "chart";
    this.figure.dataset.chart = kind.name;
    this.svg = chartPart("svg", { role: "img", height: CHART_HEIGHT });
    this.grid = chartPart("g", {});
    this.value = chartPart("text", { class: "value", y: 30 });
    this.lines = [chartPart("path", { class: "line" }), chartPart("path", { class: "line past" })];
    this.past = chartPart("rect", { x: 0, y: 0, height: CHART_HEIGHT });
    this.marker = new Marker("here");
    this.pointed = new Marker("pointed");
    const clip = chartPart("clipPath", {});
    clip.append(this.past);
    clipBy(clip, this.lines[1]);
    const title = chartPart("text", { class: "name", y: 12 }, kind.title);
    this.svg.append(title, this.value, clip, this.grid, ...this.lines, this.pointed.group, this.marker.group);
    this.readout = element("div", "");
    this.readout.className = "readout";
    this.figure.append(this.svg, this.readout);
    onDrag(this.svg, (event) => go(this.stepAt(event)));
    this.svg.addEventListener("pointermove", (event) => this.point(event));
    this.svg.addEventListener("pointerleave", () => this.figure.classList.remove("pointing"));
  }

  load(pack) {
    this.pack = pack;
    this.points = this.kind.points(pack);
    this.width = null;
    this.draw();
  }

  x(step) {
    return this.xAxis.place(this.kind.x(this.pack, step));
  }

  y(step) {
    return this.yAxis.place(this.kind.y(this.pack, step));
  }

  // All that a step does not change. Nothing where it is drawn for this width, or has none.
  draw() {
    const width = this.svg.clientWidth;
    if (!this.pack || !width || width === this.width) return;
    this.width = width;
    const { pack, kind, points } = this;
    this.yAxis = new Axis(kind.yAxis, extremes(points, (k) => kind.y(pack, k)), PLOT_BOTTOM, PLOT_TOP, 36, true);
    const labels = this.yAxis.ticks.map((tick) => this.yAxis.write(tick));
    this.left = 26 + DIGIT_WIDTH * Math.max(...labels.map((label) => label.length));
    const ends = [kind.x(pack, 0), kind.x(pack, points - 1)];
    this.xAxis = new Axis(kind.xAxis, ends, this.left, width - PLOT_RIGHT_ROOM, 46, false);
    this.svg.setAttribute("viewBox", `0 0 ${width} ${CHART_HEIGHT}`);
    this.grid.replaceChildren(...this.xGrid(), ...this.yGrid());
    const path = `M${linePath(points, (k) => this.x(k), (k) => this.y(k))}`;
    for (const line of this.lines) line.setAttribute("d", path);
    this.show(this.step);
    this.describe();
  }

  *xGrid() {
    for (const tick of this.xAxis.ticks) {
      const x = this.xAxis.place(tick);
      yield chartPart("line", { class: "grid", x1: x, x2: x, y1: PLOT_TOP, y2: PLOT_BOTTOM });
      yield chartPart("text", { class: "tick", x, y: PLOT_BOTTOM + 14, "text-anchor": "middle" }, this.xAxis.write(tick));
    }
    const middle = (this.left + this.width - PLOT_RIGHT_ROOM) / 2;
    yield chartPart("text", { class: "axis", x: middle, y: CHART_HEIGHT - 4, "text-anchor": "middle" }, this.xAxis.label);
  }

  *yGrid() {
    for (const tick of this.yAxis.ticks) {
      const y = this.yAxis.place(tick);
      yield chartPart("line", { class: "grid", x1: this.left, x2: this.width - PLOT_RIGHT_ROOM, y1: y, y2: y });
      yield chartPart("text", { class: "tick", x: this.left - 6, y: y + 3.5, "text-anchor": "end" }, this.yAxis.write(tick));
    }
    const middle = (PLOT_TOP + PLOT_BOTTOM) / 2;
    const turned = { transform: `translate(10 ${middle}) rotate(-90)`, "text-anchor": "middle" };
    yield chartPart("text", { class: "axis", ...turned }, this.yAxis.label);
  }

  // The step's own point; after the last merge no count wins, and the last that did stays marked.
  show(step) {
    this.step = step;
    if (!this.width) return;
    const point = Math.min(step, this.points - 1);
    const x = this.x(point);
    this.marker.move(x, this.y(point));
    this.past.setAttribute("width", x);
    this.value.textContent = this.kind.value(this.pack, point);
  }

  describe() {
    if (this.width) this.svg.setAttribute("aria-label", `${this.kind.title}: ${this.value.textContent}, ${after(this.step)}`);
  }

  // The step whose point is nearest by x; where several share it, as when a token is made again, by y.
  stepAt({ clientX, clientY }) {
    const box = this.svg.getBoundingClientRect();
    const x = clientX - box.left;
    const y = clientY - box.top;
    let low = 0;
    let high = this.points - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.x(middle) < x) low = middle + 1;
      else high = middle;
    }
    if (low > 0 && x - this.x(low - 1) < this.x(low) - x) low--;
    let nearest = low;
    const nearer = (step) => {
      if (Math.abs(this.y(step) - y) < Math.abs(this.y(nearest) - y)) nearest = step;
    };
    const shared = this.x(low);
    for (let step = low - 1; step >= 0 && this.x(step) === shared; step--) nearer(step);
    for (let step = low + 1; step < this.points && this.x(step) === shared; step++) nearer(step);
    return nearest;
  }

  point(event) {
    const step = this.stepAt(event);
    const x = this.x(step);
    const y = this.y(step);
    this.pointed.move(x, y);
    this.readout.replaceChildren(element("b", this.kind.value(this.pack, step)), element("span", after(step)));
    this.figure.classList.add("pointing");
    const { offsetWidth, offsetHeight } = this.readout;
    const left = x + 10 + offsetWidth > this.width ? x - 10 - offsetWidth : x + 10;
    const top = y - 8 - offsetHeight < 0 ? y + 10 : y - 8 - offsetHeight;
    this.readout.style.left = `${Math.max(0, left)}px`;
    this.readout.style.top = `${top}px`;
  }
}

// A dot on a line, and a line down through it.
class Marker {
  constructor(name) {
    this.group = chartPart("g", { class: name });
    this.line = chartPart("line", { y1: PLOT_TOP, y2: PLOT_BOTTOM });
    this.dot = chartPart("circle", { r: 4 });
    this.group.append(this.line, this.dot);
  }

  move(x, y) {
    this.line.setAttribute("x1", x);
    this.line.setAttribute("x2", x);
    this.dot.setAttribute("cx", x);
    this.dot.setAttribute("cy", y);
  }
}

const after = (step) => `after ${decimals(step)} ${step === 1 ? "merge" : "merges"}`;
