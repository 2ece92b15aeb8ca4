// Two tokenizers on one text. Python sends the text with the gap ranks of both; at which merge each stands, and
// everything that follows from it, is drawn here. Python is told once both have come to rest.

const REPORT_AFTER = 400; // milliseconds without a change
const SLIDE_STEPS = 1000;

class Comparer {
  constructor(root) {
    this.root = root;
    this.view = new AlignedView(root.querySelector(".aligned"));
    this.details = new AlignedDetails(root.querySelector(".aligned"), this.view);
    this.chart = new RivalsChart(root.querySelector(".rivals"), (side, merges) => this.go(side, merges));
    this.disagreements = new Disagreements(root.querySelector(".disagreements"), this.view);
    this.lock = root.querySelector(".lock input");
    this.lock.addEventListener("change", () => this.go(0, this.merges[0]));
    this.fields = [0, 1].map((side) => new SideFields(root.querySelector(`[data-side="${side}"]`), (merges) => this.go(side, merges)));
    this.tiles = new Map([...root.querySelectorAll("[data-tile]")].map((tile) => [tile.dataset.tile, tile]));
    this.view.scroller.addEventListener("keydown", (event) => this.walked(event));
  }

  stop() {
    clearTimeout(this.restTimer);
    cancelAnimationFrame(this.frame);
    this.view.stop();
    this.details.stop();
    this.chart.stop();
  }

  load(bytes) {
    const pack = readPack(bytes);
    this.sides = pack.sides.map((side, i) => ({ ...side, text: pack.text, gaps: pack[`gaps_${i}`], ids: pack[`ids_${i}`], sizes: pack[`sizes_${i}`] }));
    this.text = pack.text;
    this.merges = this.sides.map((side) => Math.min(side.start, side.num_merges));
    this.lock.checked = pack.locked;
    this.serial = pack.serial;
    this.totals = this.sides.map((side) => tokenTotals(side.gaps, side.num_merges));
    const names = this.sides.map(({ name }) => name);
    names.forEach((name, side) => {
      this.fields[side].load(this.sides[side]);
      for (const place of this.root.querySelectorAll(`.name-${side}`)) place.textContent = name;
    });
    this.view.open(pack.text, this.sides.map(({ gaps }) => gaps), this.merges);
    this.details.open({ text: pack.text, gaps: this.view.union }, this.sides, () => this.merges);
    this.chart.load(this.totals, names);
    this.disagreements.load(pack.text, names);
    this.show();
    requestAnimationFrame(() => setTimeout(() => this.rested())); // once the text is on the screen
  }

  // Take a side to a number of merges, and the other along where both are locked to equal vocabulary sizes.
  go(side, merges) {
    const other = 1 - side;
    this.merges[side] = Math.max(0, Math.min(this.sides[side].num_merges, merges));
    if (this.lock.checked) this.merges[other] = Math.max(0, upperBound(this.sides[other].sizes, this.sides[side].sizes[this.merges[side]]) - 1);
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => {
      this.view.show(this.merges);
      this.details.stepped();
      this.show();
      this.rest();
    });
  }

  rest() {
    clearTimeout(this.restTimer);
    this.restTimer = setTimeout(() => this.rested(), REPORT_AFTER);
  }

  rested() {
    this.disagreements.show();
    const [left, right] = this.merges;
    this.setStateValue("at", { left, right, locked: this.lock.checked, serial: this.serial });
  }

  show() {
    this.merges.forEach((merges, side) => this.fields[side].show(merges, this.totals[side][merges], this.text.length));
    const { shared, only, precision, recall, f1 } = this.view.figures;
    this.tile("shared", decimals(shared));
    only.forEach((count, side) => this.tile(`only-${side}`, decimals(count)));
    for (const [name, share] of Object.entries({ precision, recall, f1 })) this.tile(name, decimals(share, 3));
    const equal = mergesFor(this.totals[1], this.totals[0][this.merges[0]]);
    this.chart.show(this.merges, equal);
    this.root.querySelector(".say").replaceChildren(this.equalSentence(equal), " ", this.crossingSentence());
  }

  tile(name, value) {
    this.tiles.get(name).textContent = value;
  }

  equalSentence(equal) {
    const [first, second] = this.sides;
    const merges = this.merges[0];
    const mine = `${first.yours ? "your" : `${first.name}’s`} ${counted(merges)}`;
    if (equal !== null) return `On this text ${mine} ${merges === 1 ? "does" : "do"} what ${second.name} does with ${decimals(equal)}.`;
    const tokens = this.totals[0][merges];
    const least = this.totals[1][second.num_merges];
    return `On this text ${mine} ${merges === 1 ? "does" : "do"} what ${second.name} never does: ${decimals(tokens)} tokens, where all its ${decimals(second.num_merges)} merges leave ${decimals(least)}.`;
  }

  crossingSentence() {
    const crossing = lastCrossing(this.totals);
    const [first, second] = this.totals;
    const last = Math.min(first.length, second.length) - 1;
    if (first[last] === second[last]) return "";
    const fewer = this.sides[first[last] < second[last] ? 0 : 1].name;
    if (crossing === null) return `With equally many merges ${fewer} needs fewer tokens.`;
    return `With equally many merges the curves cross at ${decimals(crossing)}: from there on ${fewer} needs fewer tokens.`;
  }

  // From cell to cell with the keys that the player's text has.
  walked(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "." || event.key === ",") this.view.moveCursor(event.key === "." ? 1 : -1);
    else if (event.key === "Escape") this.view.leaveToken();
    else return;
    event.preventDefault();
  }
}

// The slider and field of one side. The slider is logarithmic: the first merges matter most.
class SideFields {
  constructor(section, go) {
    this.section = section;
    this.slide = section.querySelector(".slide");
    this.step = section.querySelector(".step");
    this.figures = new Map([...section.querySelectorAll("[data-figure]")].map((place) => [place.dataset.figure, place]));
    this.go = go;
    this.slide.addEventListener("input", () => go(Math.round((this.last + 1) ** (this.slide.value / SLIDE_STEPS) - 1)));
    this.slide.addEventListener("keydown", (event) => this.keyed(event));
    this.step.addEventListener("change", () => this.typed());
  }

  load({ name, num_merges: last, sizes }) {
    this.last = last;
    this.sizes = sizes;
    this.section.querySelector(".name").textContent = name;
    this.section.querySelector(".of").textContent = decimals(last);
    this.slide.setAttribute("aria-label", `Merges of ${name}`);
    this.step.setAttribute("aria-label", `Merges of ${name}, as a number`);
    this.step.max = String(last);
  }

  // Arrows go merge by merge, pages by a tenth.
  keyed(event) {
    const tenth = Math.max(1, Math.round(this.merges / 10));
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: tenth, PageDown: -tenth, Home: -Infinity, End: Infinity }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    this.go(Math.max(0, Math.min(this.last, this.merges + by)));
  }

  typed() {
    const merges = Math.round(Number(this.step.value));
    this.go(this.step.value === "" || Number.isNaN(merges) ? this.merges : merges);
  }

  show(merges, tokens, bytes) {
    this.merges = merges;
    const share = this.last ? Math.log(merges + 1) / Math.log(this.last + 1) : 0;
    this.slide.value = String(Math.round(share * SLIDE_STEPS));
    this.slide.setAttribute("aria-valuetext", counted(merges));
    this.step.value = String(merges);
    this.figures.get("vocabulary").textContent = decimals(this.sizes[merges]);
    this.figures.get("tokens").textContent = decimals(tokens);
    this.figures.get("ratio").textContent = decimals(tokens ? bytes / tokens : 0, 2);
  }
}

const counted = (merges) => `${decimals(merges)} ${merges === 1 ? "merge" : "merges"}`;

// Streamlit calls this again on the same element when the data or the theme changes, without cleaning up.
export default function (component) {
  const { data, parentElement, setStateValue } = component;
  const comparer = (parentElement.bpevizComparer ??= new Comparer(parentElement));
  comparer.setStateValue = setStateValue;
  if (comparer.bytes !== data && !sameBytes(comparer.bytes, data)) {
    comparer.bytes = data;
    comparer.load(data);
  }
  return () => {
    comparer.stop();
    delete parentElement.bpevizComparer;
  };
}
