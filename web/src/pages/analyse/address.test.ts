import { expect, test } from "vitest";
import { packMoves, readAddress, sourceOf, unpackMoves, writeAddress } from "./address";

test("moves survive being written into an address, also those with spaces", () => {
  for (const moves of [[], ["11-15", "23x14x7"], ["a1 north"], ["a b", "c"]]) expect(unpackMoves(packMoves(moves))).toEqual(moves);
});

test("an address that is written is read again as the same", () => {
  const asked = { record: null, play: null, game: "chess", start: "8/8/8/8/8/8/8/8 w - - 0 1", moves: ["e2e4"], ply: null, from: 1, line: ["e7e5"] };
  const address = writeAddress(asked, new URLSearchParams("view=tree&x=1"));
  const url = new URL(address, "http://here");
  expect(readAddress(url.pathname.split("/").slice(2), url.searchParams)).toEqual(asked);
  expect(url.searchParams.get("view")).toBe("tree");
  expect(url.searchParams.has("x")).toBe(false);
});

test("where one stands does not change which game it is", () => {
  const read = (text: string): string => sourceOf(readAddress(["12"], new URLSearchParams(text)), "checkers");
  expect(read("ply=3")).toBe(read("from=1&line=a"));
});
