import { describe, expect, it } from "vitest";
import { optimisticCells, trackPieces, type TrackedPiece } from "./piece-tracking";

const side = (letter: string): string => (letter.toLowerCase() === "b" ? "black" : "white");
const start = (cells: Record<string, string>): TrackedPiece[] => trackPieces([], cells, [], side).pieces;

describe("trackPieces", () => {
  it("moves a piece along its path and removes captured pieces", () => {
    const before = start({ "1": "b", "6": "w", "14": "w" });
    const change = trackPieces(before, { "17": "b" }, [["1", "10", "17"]], side);
    expect(change.pieces.map((piece) => piece.id)).toEqual([before.find((piece) => piece.square === "1")?.id]);
    expect([...change.paths.values()]).toEqual([["1", "10", "17"]]);
    expect(change.removed.map((piece) => piece.square).sort()).toEqual(["14", "6"]);
  });
  it("moves the piece back when the move is undone", () => {
    const before = start({ "17": "b" });
    const change = trackPieces(before, { "1": "b", "6": "w", "14": "w" }, [["17", "10", "1"]], side);
    expect([...change.paths.values()]).toEqual([["17", "10", "1"]]);
    expect(change.added.size).toBe(2);
  });
  it("matches a man with the king it becomes", () => {
    const before = start({ "27": "b" });
    const change = trackPieces(before, { "32": "B" }, [], side);
    expect(change.pieces[0]).toEqual({ id: before[0]?.id, letter: "B", square: "32" });
  });
  it("does not animate a move that is already on the board", () => {
    const before = start({ "15": "b" });
    expect(trackPieces(before, { "15": "b" }, [["11", "15"]], side).paths.size).toBe(0);
  });
  it("does not animate changes between unrelated boards", () => {
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`${at}`, "b"]));
    const change = trackPieces(start({ x: "w" }), many, [], side);
    expect([change.paths.size, change.added.size, change.removed.length]).toEqual([0, 0, 0]);
  });
});

describe("optimisticCells", () => {
  it("moves or places the piece and removes captured pieces", () => {
    const jump = { text: "1x10", notation: "1x10", path: ["1", "10"], captures: ["6"], choice: null };
    expect(optimisticCells({ "1": "b", "6": "w" }, jump, null)).toEqual({ "10": "b" });
    const drop = { text: "4", notation: "4", path: ["d1"], captures: [], choice: null };
    expect(optimisticCells({}, drop, "r")).toEqual({ d1: "r" });
  });
});
