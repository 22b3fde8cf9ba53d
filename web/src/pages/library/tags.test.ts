import { expect, it } from "vitest";
import { splitTags, tagCounts } from "./tags";

it("splits tags at commas and removes duplicates", () => {
  expect(splitTags(" club, 2024,,club , ")).toEqual(["club", "2024"]);
  expect(splitTags("")).toEqual([]);
});
it("counts games by tag", () => {
  expect([...tagCounts([{ tags: ["a", "b"] }, { tags: ["a"] }])]).toEqual([
    ["a", 2],
    ["b", 1],
  ]);
});
