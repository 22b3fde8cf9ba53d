import { expect, it } from "vitest";
import { keepOrder } from "./row-order";

const a = { move: "a", visits: 5, share: 0.5 };
const b = { move: "b", visits: 3, share: 0.3 };
const c = { move: "c", visits: 2, share: 0.2 };

it("keeps rows where they are while the search runs", () => {
  expect(keepOrder(["c", "a"], [a, b, c], true)).toEqual(["c", "a", "b"]);
});
it("sorts them when it has stopped", () => {
  expect(keepOrder(["c", "a"], [c, b, a], false)).toEqual(["a", "b", "c"]);
});
it("drops moves that are no longer there", () => {
  expect(keepOrder(["x", "b"], [a, b], true)).toEqual(["b", "a"]);
});
