import { describe, expect, it } from "vitest";
import { pressSquare, targets, parseTypedMove } from "./move-input";
import type { Move } from "./types";

function move(text: string, path: string, captures = "", choice: string | null = null): Move {
  const squares = (list: string): string[] => list.split(" ").filter(Boolean);
  return { text, notation: text, path: squares(path), captures: squares(captures), choice };
}

const quiet = [move("11-15", "11 15"), move("11-16", "11 16"), move("10-15", "10 15")];
const fork = [move("1x10x17", "1 10 17", "6 14"), move("1x10x19", "1 10 19", "6 15")];
const round = [move("3x10x19x12", "3 10 19 12", "7 15 16"), move("3x8x15x12", "3 8 15 12", "a b c")];
const promotion = ["queen", "rook"].map((kind) => move(`e7e8${kind[0]}`, "e7 e8", "", kind));

describe("pressSquare", () => {
  it("selects only pieces that can move", () => {
    expect(pressSquare(quiet, [], "11")).toEqual({ kind: "path", path: ["11"] });
    expect(pressSquare(quiet, [], "15")).toEqual({ kind: "none" });
    expect(pressSquare(quiet, ["11"], "3")).toEqual({ kind: "none" });
  });
  it("plays the move if only one matches", () => {
    expect(pressSquare(quiet, ["11"], "16")).toEqual({ kind: "play", move: quiet[1] });
  });
  it("switches to another piece", () => {
    expect(pressSquare(quiet, ["11"], "10")).toEqual({ kind: "path", path: ["10"] });
  });
  it("deselects a piece that is pressed again", () => {
    expect(pressSquare(quiet, ["11"], "11")).toEqual({ kind: "none" });
  });
  it("plays a forced single capture with one press, on its first or last square", () => {
    const only = [move("22x15", "22 15", "18")];
    expect(pressSquare(only, [], "22").kind).toBe("play");
    expect(pressSquare(only, [], "15").kind).toBe("play");
    expect(pressSquare(only, [], "18").kind).toBe("none");
  });
  it("does not play a lone quiet move with one press", () => {
    expect(pressSquare([move("1-5", "1 5")], [], "1").kind).toBe("path");
  });
  it("enters a branching capture square by square", () => {
    expect(pressSquare(fork, ["1"], "10")).toEqual({ kind: "path", path: ["1", "10"] });
    expect(pressSquare(fork, ["1", "10"], "19")).toEqual({ kind: "play", move: fork[1] });
  });
  it("plays a multi-jump capture when its last square is pressed, if unambiguous", () => {
    expect(pressSquare(fork, ["1"], "17")).toEqual({ kind: "play", move: fork[0] });
  });
  it("reports an ambiguous end square unless a drag shows the path", () => {
    expect(pressSquare(round, ["3"], "12")).toEqual({ kind: "ambiguous" });
    expect(pressSquare(round, ["3"], "12", ["3", "8", "15", "12"])).toEqual({ kind: "play", move: round[1] });
  });
  it("offers a choice between moves with the same squares", () => {
    expect(pressSquare(promotion, ["e7"], "e8")).toEqual({ kind: "choice", moves: promotion });
  });
  it("plays a single-square move immediately", () => {
    expect(pressSquare([move("4", "d1"), move("5", "e1")], [], "d1").kind).toBe("play");
  });
});

describe("targets", () => {
  it("contains the next squares and the unambiguous ends", () => {
    expect(targets(fork, ["1"]).map((target) => [target.square, target.far])).toEqual([
      ["17", true],
      ["19", true],
      ["10", false],
    ]);
    expect(targets(round, ["3"]).map((target) => target.square)).toEqual(["10", "8"]);
  });
});

describe("parseTypedMove", () => {
  it("accepts common notations of a move", () => {
    expect(parseTypedMove(quiet, " 11 - 15 ")).toBe(quiet[0]);
    expect(parseTypedMove(fork, "1:10:19")).toBe(fork[1]);
    expect(parseTypedMove([move("e2e4", "e2 e4")], "E2-E4")?.text).toBe("e2e4");
    expect(parseTypedMove(quiet, "15")).toBeUndefined();
    expect(parseTypedMove(quiet, "")).toBeUndefined();
  });
});
