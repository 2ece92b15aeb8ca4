// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { Axis, extremes, tickStep } from "../../bpeviz/browser/shared/axis.js";

test("ticks stand 1, 2 or 5 times a power of ten apart, at most as many as fit", () => {
  assert.equal(tickStep(0, 10, 10, false), 1);
  assert.equal(tickStep(0, 10, 5, false), 2);
  assert.equal(tickStep(0, 10, 3, false), 5);
  assert.equal(tickStep(0, 10, 1.5, false), 10);
  assert.equal(tickStep(0, 1, 10, true), 0.1);
  assert.equal(tickStep(0, 1, 10, false), 1); // counts have no fractions
});

test("an axis from 0 to 10 in 100 pixels", () => {
  const axis = new Axis({ label: "merges" }, [0, 10], 0, 100, 20, false);
  assert.deepEqual(axis.ticks, [0, 2, 4, 6, 8, 10]);
  assert.deepEqual([axis.place(0), axis.place(5), axis.place(10)], [0, 50, 100]);
  assert.equal(axis.write(10), "10");
});

test("a widened axis begins and ends at a tick; one that is drawn upwards goes down in pixels", () => {
  const axis = new Axis({ label: "bytes per token", fractions: true }, [1.07, 2.93], 100, 0, 25, true);
  assert.deepEqual([axis.low, axis.high], [1, 3]);
  assert.deepEqual([axis.place(1), axis.place(3)], [100, 0]);
  assert.equal(axis.write(1), "1.0");
});

test("a logarithmic axis has powers of ten; of few, also 2 and 5 times as much", () => {
  const wide = new Axis({ label: "merges", log: true }, [1, 1000], 0, 300, 40, false);
  assert.deepEqual(wide.ticks, [1, 10, 100, 1000]);
  assert.deepEqual(
    [1, 10, 1000].map((value) => Math.round(wide.place(value))),
    [0, 100, 300],
  );
  const narrow = new Axis({ label: "merges", log: true }, [1, 50], 0, 300, 40, false);
  assert.deepEqual(narrow.ticks, [1, 2, 5, 10, 20, 50]);
});

test("an axis of one value has room around it", () => {
  const axis = new Axis({ label: "tokens" }, [5, 5], 0, 100, 20, false);
  assert.deepEqual([axis.low, axis.place(5), axis.high], [4, 50, 6]);
  const log = new Axis({ label: "count", log: true }, [8, 8], 0, 100, 20, false);
  assert.deepEqual([log.low, Math.round(log.place(8)), log.high], [4, 50, 16]);
});

test("large numbers are written short", () => {
  const axis = new Axis({ label: "tokens" }, [0, 2_000_000], 0, 400, 40, false);
  assert.equal(axis.write(500_000), "500k");
  assert.equal(axis.write(2_000_000), "2M");
});

test("ticks of any axis have different texts, with few values and with many", () => {
  for (const log of [false, true])
    for (const fractions of [false, true])
      for (const [low, high] of [
        [1, 1],
        [1, 2],
        [1, 3],
        [256, 259],
        [1, 500],
        [256, 756],
        [12_345, 12_350],
        [0.9, 1.07],
        [1, 20_000],
        [1_000_000, 1_000_300],
        [1, 3_000_000],
      ])
        for (const widen of [false, true])
          for (const length of [150, 300, 900]) {
            const axis = new Axis({ label: "x", log, fractions }, [low, high], 0, length, 46, widen);
            const texts = axis.ticks.map((tick) => axis.write(tick));
            assert.equal(new Set(texts).size, texts.length, `${texts} from ${low} to ${high}`);
            assert.ok(texts.length >= 1, `no ticks from ${low} to ${high}`);
          }
});

test("extremes of a curve", () => {
  assert.deepEqual(
    extremes(3, (k) => [4, 1, 7][k]),
    [1, 7],
  );
});
