import { expect, it } from "vitest";
import { keepOrder, rankMoves } from "./row-order";

const known = { value: 0.5, bound: null };
const a = { move: "a", visits: 5, share: 0.5, ...known };
const b = { move: "b", visits: 3, share: 0.3, ...known };
const c = { move: "c", visits: 2, share: 0.2, ...known };

it("keeps the order while the search is running", () => {
  expect(keepOrder(["c", "a"], [a, b, c], true, "a")).toEqual(["c", "a", "b"]);
});
it("sorts the moves when the search has stopped", () => {
  expect(keepOrder(["c", "a"], [c, b, a], false, "a")).toEqual(["a", "b", "c"]);
});
it("drops moves that are no longer listed", () => {
  expect(keepOrder(["x", "b"], [a, b], true, "a")).toEqual(["b", "a"]);
});
it("ranks the best move first, even if another one has more visits", () => {
  expect(rankMoves([a, b, c], "c")).toEqual(["c", "a", "b"]);
  expect(keepOrder(["a", "b", "c"], [a, b, c], false, "b")).toEqual(["b", "a", "c"]);
});
it("lists moves with values before those with bounds", () => {
  const unvisited = { visits: 0, share: 0 };
  const good = { move: "good", ...unvisited, value: 0.6, bound: null };
  const poor = { move: "poor", ...unvisited, value: 0.3, bound: null };
  const bounded = { move: "bounded", ...unvisited, value: 0.7, bound: "upper" as const };
  expect(keepOrder([], [bounded, poor, good], false, null)).toEqual(["good", "poor", "bounded"]);
});
