import { expect, it } from "vitest";
import { exactEvaluation, intervalText, provenText, searchEvaluation, valueText } from "./evaluation";

const sides = ["black", "white"];

it("shows bounds as bounds", () => {
  expect(valueText({ value: 0.61, bound: null })).toBe("61%");
  expect(valueText({ value: 0.47, bound: "upper" })).toBe("≤ 47%");
  expect(valueText({ value: 0.47, bound: "lower" })).toBe("≥ 47%");
  expect(valueText({ value: null, bound: null })).toBe("–");
});
it("shows confidence intervals only for estimates", () => {
  expect(intervalText({ value: 0.5, bound: null, low: 0.48, high: 0.52 })).toBe("±2");
  expect(intervalText({ value: 0.5, bound: null, low: 0.5, high: 0.5 })).toBe("");
  expect(intervalText({ value: 0.5, bound: "upper", low: 0, high: 0.5 })).toBe("");
  expect(intervalText({ value: null, bound: null, low: 0, high: 1 })).toBe("");
});
it("prefers exact results to those proven by the search", () => {
  const exact = { result: "draw", distance: null, source: "tables" } as const;
  expect(provenText({ exact, proven: "win", distance: 3 })).toBe("draw");
  expect(provenText({ exact: null, proven: "win", distance: 3 })).toBe("win in 3");
  expect(provenText({ exact: null, proven: null, distance: null })).toBeNull();
});
it("names the winner of an exact result", () => {
  const exact = { result: "loss", distance: 12 } as const;
  expect(exactEvaluation(exact, "black", sides)).toEqual({
    value: 0,
    source: "Exact",
    result: "White wins in 12 plies",
  });
  expect(exactEvaluation(exact, "white", sides)).toMatchObject({ value: 1, result: "Black wins in 12 plies" });
  expect(exactEvaluation({ result: "draw", distance: null }, "white", sides).value).toBe(0.5);
});
it("returns no evaluation for a search without a value", () => {
  const analysis = { value_first: null, proven: null, distance: null, turn: "black" };
  expect(searchEvaluation(analysis, "Engine", sides)).toBeNull();
  expect(searchEvaluation({ ...analysis, value_first: 0.4 }, "Engine", sides)).toEqual({
    value: 0.4,
    source: "Engine",
    result: null,
  });
});
