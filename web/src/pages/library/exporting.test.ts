import { expect, it } from "vitest";
import { joined } from "./exporting";

it("leaves a single game as it is", () => {
  expect(joined(["{}"], "json")).toBe("{}");
});
it("makes a collection of JSON games", () => {
  const made = JSON.parse(joined(['{"format":"plyground-game","version":1,"game":"chess"}', '{"format":"plyground-game","version":1,"game":"checkers"}'], "json")) as unknown;
  expect(made).toEqual({ format: "plyground-games", version: 1, games: [{ game: "chess" }, { game: "checkers" }] });
});
it("writes game after game in PGN", () => {
  expect(joined(["1. e4 *\n", "1. d4 *\n\n"], "pgn")).toBe("1. e4 *\n\n1. d4 *\n");
});
