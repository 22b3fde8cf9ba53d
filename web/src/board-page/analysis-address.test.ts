import { expect, test } from "vitest";
import { gameKey, packMoves, readAddress, unpackMoves, writeAddress } from "./analysis-address";

test("moves survive packing and unpacking, even with spaces", () => {
  for (const moves of [[], ["11-15", "23x14x7"], ["a1 north"], ["a b", "c"]])
    expect(unpackMoves(packMoves(moves))).toEqual(moves);
});

test("an address survives writing and reading", () => {
  const address = {
    record: null,
    play: null,
    game: "chess",
    start: "8/8/8/8/8/8/8/8 w - - 0 1",
    moves: ["e2e4"],
    ply: null,
    from: 1,
    line: ["e7e5"],
  };
  const url = new URL(writeAddress(address, new URLSearchParams("view=tree&x=1")), "http://host");
  expect(readAddress(url.pathname.split("/").slice(2), url.searchParams)).toEqual(address);
  expect(url.searchParams.get("view")).toBe("tree");
  expect(url.searchParams.has("x")).toBe(false);
});

test("a library game is addressed by its ID", () => {
  const { record } = readAddress(["q1-Z_x0Pp3aa8-Lm"], new URLSearchParams());
  expect(record).toBe("q1-Z_x0Pp3aa8-Lm");
  expect(readAddress(["../secret"], new URLSearchParams()).record).toBeNull();
  const address = { ...readAddress([], new URLSearchParams()), record };
  expect(writeAddress(address, new URLSearchParams())).toBe("/analyse/q1-Z_x0Pp3aa8-Lm");
});

test("the position does not affect the game key", () => {
  const key = (query: string): string => gameKey(readAddress(["12"], new URLSearchParams(query)), "checkers");
  expect(key("ply=3")).toBe(key("from=1&line=a"));
});
