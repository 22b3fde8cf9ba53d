import { expect, it } from "vitest";
import { count, displayName, plyCount } from "./format";

it("uses the singular for one", () => {
  expect([count(0, "visit"), count(1, "visit"), count(1200, "visit")]).toEqual(["0 visits", "1 visit", "1,200 visits"]);
  expect([plyCount(1), plyCount(2)]).toEqual(["1 ply", "2 plies"]);
});

it("formats identifiers as display names", () => {
  expect(["random_fraction", "lambda_", "back-rank", "c"].map(displayName)).toEqual([
    "Random fraction",
    "Lambda",
    "Back rank",
    "c",
  ]);
});
