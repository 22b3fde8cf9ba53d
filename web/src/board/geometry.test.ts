import { expect, test } from "vitest";
import { Geometry } from "./geometry";
import type { Facts } from "./types";

const names = ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"];
const facts = {
  style: "lines",
  input: "cell",
  rows: 3,
  columns: 3,
  squares: names.map((name, at) => ({ name, row: Math.floor(at / 3), column: at % 3 })),
} as unknown as Facts;

test("finds one run along a straight line in any direction", () => {
  const board = new Geometry(facts, false);
  expect(board.longestRuns(["a2", "b2", "c2"])).toEqual([["a2", "c2"]]);
  expect(board.longestRuns(["a1", "a3", "a2"])).toEqual([["a3", "a1"]]);
  expect(board.longestRuns(["a1", "b2", "c3"])).toEqual([["c3", "a1"]]);
  expect(board.longestRuns([])).toEqual([]);
});

test("finds two runs in crossing lines", () => {
  const ends = new Geometry(facts, false).longestRuns(["a1", "b2", "c3", "a3", "c1"]);
  expect(ends).toEqual(
    expect.arrayContaining([
      ["a3", "c1"],
      ["c3", "a1"],
    ]),
  );
  expect(ends).toHaveLength(2);
});

test("a flipped board has the same runs", () => {
  expect(new Geometry(facts, true).longestRuns(["a1", "a2", "a3"])).toEqual([["a1", "a3"]]);
});
