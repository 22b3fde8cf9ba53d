import { expect, test } from "vitest";
import { Geometry } from "./geometry";
import type { Facts } from "./types";

const names = ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"];
const facts = {
  look: "lines",
  input: "cell",
  rows: 3,
  columns: 3,
  squares: names.map((name, at) => ({ name, row: Math.floor(at / 3), column: at % 3 })),
} as unknown as Facts;

test("a line is drawn from end to end, whichever way it goes", () => {
  const board = new Geometry(facts, false);
  expect(board.runs(["a2", "b2", "c2"])).toEqual([["a2", "c2"]]);
  expect(board.runs(["a1", "a3", "a2"])).toEqual([["a3", "a1"]]);
  expect(board.runs(["a1", "b2", "c3"])).toEqual([["c3", "a1"]]);
  expect(board.runs([])).toEqual([]);
});

test("two lines that cross are two, and what only touches is none", () => {
  const ends = new Geometry(facts, false).runs(["a1", "b2", "c3", "a3", "c1"]);
  expect(ends).toEqual(expect.arrayContaining([["a3", "c1"], ["c3", "a1"]]));
  expect(ends).toHaveLength(2);
});

test("a board seen from the other side has the same lines", () => {
  expect(new Geometry(facts, true).runs(["a1", "a2", "a3"])).toEqual([["a1", "a3"]]);
});
