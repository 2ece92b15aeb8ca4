// Axes and parts of charts that are drawn here, in SVG.

const DIGIT_WIDTH = 6.4;

// From values to pixels, with round numbers to write beside them at least so many pixels apart.
class Axis {
  constructor({ label, log = false, fractions = false }, [low, high], start, end, apart, widen) {
    this.label = label;
    this.bend = log ? Math.log10 : (value) => value;
    this.start = start;
    this.end = end;
    if (low === high) [low, high] = log ? [low / 2, high * 2] : [low - Math.max(1, low / 10), high + Math.max(1, high / 10)];
    else if (log && widen) [low, high] = [low / 1.2, high * 1.2];
    const most = Math.max(2, Math.abs(end - start) / apart);
    this.every = tickStep(low, high, most, fractions);
    if (widen && !log) {
      low = Math.floor(low / this.every) * this.every;
      high = Math.ceil(high / this.every) * this.every;
    }
    this.low = low;
    this.high = high;
    this.ticks = log ? logTicks(low, high, this.every) : multiples(this.every, low, high);
  }

  place(value) {
    const { bend, low, high, start, end } = this;
    return start + ((bend(value) - bend(low)) / (bend(high) - bend(low))) * (end - start);
  }

  write(tick) {
    if (this.high < 10_000) return decimals(tick, Math.max(0, -Math.floor(Math.log10(this.every))));
    return tick.toLocaleString("en", { notation: "compact", maximumFractionDigits: 3 }).replace("K", "k");
  }
}

// 1, 2 or 5 times a power of ten, at which an axis has no more ticks than there may be.
function tickStep(low, high, most, fractions) {
  const least = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= least * 0.999) * power;
  return fractions ? step : Math.max(1, step);
}

function multiples(step, low, high) {
  const slack = step * 1e-6; // fractions add up inexactly
  const first = Math.ceil((low - slack) / step);
  const last = Math.floor((high + slack) / step);
  return Array.from({ length: last - first + 1 }, (_, n) => (first + n) * step);
}

// Powers of ten; where there are too few, 2 and 5 times as much too; within less than that, even steps.
function logTicks(low, high, every) {
  const powers = multiples(1, Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))).map((power) => 10 ** power);
  const inside = (factors) =>
    powers.flatMap((power) => factors.map((factor) => factor * power)).filter((tick) => tick >= Math.max(1, low) && tick <= high);
  return [inside([1]), inside([1, 2, 5])].find((ticks) => ticks.length >= 3) ?? multiples(every, low, high);
}

function extremes(points, value) {
  let low = Infinity;
  let high = -Infinity;
  for (let k = 0; k < points; k++) {
    low = Math.min(low, value(k));
    high = Math.max(high, value(k));
  }
  return [low, high];
}

function chartPart(name, attributes, text = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.textContent = text;
  return made;
}

const decimals = (value, digits = 0) =>
  value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
