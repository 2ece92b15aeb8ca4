// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { nearestPoint } from "../../bpeviz/browser/player/curves.js";
import { bytesPerToken, tieTicks } from "../../bpeviz/browser/player/scrubber.js";
import { linePath } from "../../bpeviz/browser/shared/curve.js";
import { run } from "./examples.js";

test("a line through few points has them all", () => {
  const path = linePath(
    3,
    (k) => 10 * k,
    (k) => [5, 0, 2][k],
  );
  assert.equal(path, "0.0 5.0L10.0 0.0L20.0 2.0");
  assert.equal(
    linePath(
      1,
      () => 3,
      () => 7,
    ),
    "3.0 7.0",
  );
  assert.equal(
    linePath(
      0,
      () => 0,
      () => 0,
    ),
    "",
  );
});

test("of points in one pixel column stay the first, the highest, the lowest and the last", () => {
  const ys = [5, 9, 4, 1, 6, 7];
  const path = linePath(
    6,
    (k) => k / 10,
    (k) => ys[k],
  );
  assert.equal(path, "0.0 5.0L0.1 9.0L0.3 1.0L0.5 7.0");
});

test("aaabdaaabac: bytes per token", () => {
  assert.deepEqual(
    [0, 1, 2, 3].map((step) => bytesPerToken(run(), step)),
    [1, 11 / 9, 11 / 7, 2.2],
  );
});

test("a tick under each tie, but none over another", () => {
  assert.equal(tieTicks(Int32Array.from([1, 2]), 2), "M500.0 51h350.0v3h-350.0z");
  assert.equal(tieTicks(Int32Array.from([1, 1]), 2), "");
  const many = tieTicks(new Int32Array(5000).fill(2), 5000); // a fifth of a unit apart, each 1.2 wide
  const places = [...many.matchAll(/M([\d.]+) /g)].map(([, x]) => Number(x));
  assert.ok(places.length > 700);
  for (const [i, x] of places.slice(1).entries()) assert.ok(x - places[i] > 1.15); // written with one digit
});

test("the nearest point is so by x, and by y among those at the same x", () => {
  const xs = [0, 10, 10, 20];
  const ys = [0, 5, 50, 0];
  /**
   * @param {number} x
   * @param {number} y
   */
  const nearest = (x, y) =>
    nearestPoint(
      4,
      (k) => xs[k],
      (k) => ys[k],
      x,
      y,
    );
  assert.deepEqual([nearest(-5, 0), nearest(4, 0), nearest(16, 0), nearest(99, 0)], [0, 0, 3, 3]);
  assert.deepEqual([nearest(9, 0), nearest(11, 60)], [1, 2]);
});
