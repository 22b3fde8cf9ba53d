import { expect, it } from "vitest";
import { axisOf, formatProbability, points, score, scoreInterval } from "./statistics";

it("counts a draw as half a point", () => {
  expect(score({ wins: 1, draws: 1, losses: 0 })).toBe(0.75);
  expect(score({ wins: 0, draws: 0, losses: 0 })).toBeNull();
});
it("formats half points", () => {
  expect([
    points({ wins: 3, draws: 1 }),
    points({ wins: 0, draws: 1 }),
    points({ wins: 2, draws: 2 }),
    points({ wins: 0, draws: 0 }),
  ]).toEqual(["3½", "½", "3", "0"]);
});
it("computes the Wilson score interval", () => {
  const [low, high] = scoreInterval({ wins: 8, draws: 0, losses: 2 }) ?? [0, 0];
  expect(low).toBeCloseTo(0.49, 2);
  expect(high).toBeCloseTo(0.943, 2);
  expect(scoreInterval({ wins: 0, draws: 0, losses: 0 })).toBeNull();
});
it("clamps intervals to the range 0 to 1", () => {
  expect(scoreInterval({ wins: 4, draws: 0, losses: 0 })?.[1]).toBe(1);
  expect(scoreInterval({ wins: 0, draws: 0, losses: 4 })?.[0]).toBe(0);
});
it("computes an axis that contains every interval", () => {
  const [low, high] = axisOf([
    { rating: 0, low: -50, high: 50 },
    { rating: 100, low: 80, high: 150 },
  ]);
  expect(low).toBeLessThan(-50);
  expect(high).toBeGreaterThan(150);
});
it("does not round probabilities to certainty", () => {
  expect([formatProbability(0.999), formatProbability(0.97), formatProbability(0.001)]).toEqual([">99%", "97%", "<1%"]);
});
