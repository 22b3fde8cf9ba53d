import { expect, it } from "vitest";
import { splitTags, tagCounts } from "./tags";

it("splits tags at commas, once each", () => {
  expect(splitTags(" club, 2024,,club , ")).toEqual(["club", "2024"]);
  expect(splitTags("")).toEqual([]);
});
it("counts the games of each tag", () => {
  expect([...tagCounts([{ tags: ["a", "b"] }, { tags: ["a"] }])]).toEqual([
    ["a", 2],
    ["b", 1],
  ]);
});
