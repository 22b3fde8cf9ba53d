import { describe, expect, it } from "vitest";
import { provisional, track, type Tracked } from "./track";

const side = (letter: string): string => (letter.toLowerCase() === "b" ? "black" : "white");
const start = (cells: Record<string, string>): Tracked[] => track([], cells, [], side).pieces;

describe("track", () => {
  it("lets the piece that moved walk its path, and takes out what it captured", () => {
    const before = start({ "1": "b", "6": "w", "14": "w" });
    const change = track(before, { "17": "b" }, [["1", "10", "17"]], side);
    expect(change.pieces.map((piece) => piece.id)).toEqual([before.find((piece) => piece.square === "1")?.id]);
    expect([...change.walks.values()]).toEqual([["1", "10", "17"]]);
    expect(change.gone.map((piece) => piece.square).sort()).toEqual(["14", "6"]);
  });
  it("walks back when the move is taken back", () => {
    const before = start({ "17": "b" });
    const change = track(before, { "1": "b", "6": "w", "14": "w" }, [["17", "10", "1"]], side);
    expect([...change.walks.values()]).toEqual([["17", "10", "1"]]);
    expect(change.fresh.size).toBe(2);
  });
  it("follows a man that becomes a king", () => {
    const before = start({ "27": "b" });
    const change = track(before, { "32": "B" }, [], side);
    expect(change.pieces[0]).toEqual({ id: before[0]?.id, letter: "B", square: "32" });
  });
  it("does not move twice what was already shown", () => {
    const before = start({ "15": "b" });
    expect(track(before, { "15": "b" }, [["11", "15"]], side).walks.size).toBe(0);
  });
  it("moves nothing where the whole board is another", () => {
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`${at}`, "b"]));
    const change = track(start({ x: "w" }), many, [], side);
    expect([change.walks.size, change.fresh.size, change.gone.length]).toEqual([0, 0, 0]);
  });
});

describe("provisional", () => {
  it("shows what a hand would do", () => {
    const jump = { text: "1x10", notation: "1x10", path: ["1", "10"], captures: ["6"], choice: null };
    expect(provisional({ "1": "b", "6": "w" }, jump, null)).toEqual({ "10": "b" });
    const drop = { text: "4", notation: "4", path: ["d1"], captures: [], choice: null };
    expect(provisional({}, drop, "r")).toEqual({ d1: "r" });
  });
});
