import { describe, expect, it } from "vitest";
import { press, targets, written } from "./narrow";
import type { Move } from "./types";

function move(text: string, path: string, captures = "", choice: string | null = null): Move {
  const words = (list: string): string[] => list.split(" ").filter(Boolean);
  return { text, notation: text, path: words(path), captures: words(captures), choice };
}

const quiet = [move("11-15", "11 15"), move("11-16", "11 16"), move("10-15", "10 15")];
const fork = [move("1x10x17", "1 10 17", "6 14"), move("1x10x19", "1 10 19", "6 15")];
const round = [move("3x10x19x12", "3 10 19 12", "7 15 16"), move("3x8x15x12", "3 8 15 12", "a b c")];
const promotion = ["queen", "rook"].map((kind) => move(`e7e8${kind[0]}`, "e7 e8", "", kind));

describe("press", () => {
  it("picks a piece that can move, and nothing else", () => {
    expect(press(quiet, [], "11")).toEqual({ kind: "path", path: ["11"] });
    expect(press(quiet, [], "15")).toEqual({ kind: "nothing" });
    expect(press(quiet, ["11"], "3")).toEqual({ kind: "nothing" });
  });
  it("plays when only one move is left", () => {
    expect(press(quiet, ["11"], "16")).toEqual({ kind: "play", move: quiet[1] });
  });
  it("changes to another piece", () => {
    expect(press(quiet, ["11"], "10")).toEqual({ kind: "path", path: ["10"] });
  });
  it("puts a piece back that is pressed again", () => {
    expect(press(quiet, ["11"], "11")).toEqual({ kind: "nothing" });
  });
  it("plays a forced single capture with one press, at its start or its end", () => {
    const only = [move("22x15", "22 15", "18")];
    expect(press(only, [], "22").kind).toBe("play");
    expect(press(only, [], "15").kind).toBe("play");
    expect(press(only, [], "18").kind).toBe("nothing");
  });
  it("does not play a lone quiet move with one press", () => {
    expect(press([move("1-5", "1 5")], [], "1").kind).toBe("path");
  });
  it("walks a long capture square by square where it forks", () => {
    expect(press(fork, ["1"], "10")).toEqual({ kind: "path", path: ["1", "10"] });
    expect(press(fork, ["1", "10"], "19")).toEqual({ kind: "play", move: fork[1] });
  });
  it("plays a long capture by its last square when that is clear", () => {
    expect(press(fork, ["1"], "17")).toEqual({ kind: "play", move: fork[0] });
  });
  it("asks for the way where two ways have the same end, and takes the one a drag went", () => {
    expect(press(round, ["3"], "12")).toEqual({ kind: "unclear" });
    expect(press(round, ["3"], "12", ["3", "8", "15", "12"])).toEqual({ kind: "play", move: round[1] });
  });
  it("asks where moves differ in more than their squares", () => {
    expect(press(promotion, ["e7"], "e8")).toEqual({ kind: "choice", moves: promotion });
  });
  it("plays on one square at once", () => {
    expect(press([move("4", "d1"), move("5", "e1")], [], "d1").kind).toBe("play");
  });
});

describe("targets", () => {
  it("shows next squares and clear ends", () => {
    expect(targets(fork, ["1"]).map((one) => [one.square, one.far])).toEqual([
      ["17", true],
      ["19", true],
      ["10", false],
    ]);
    expect(targets(round, ["3"]).map((one) => one.square)).toEqual(["10", "8"]);
  });
});

describe("written", () => {
  it("takes texts as people write them", () => {
    expect(written(quiet, " 11 - 15 ")).toBe(quiet[0]);
    expect(written(fork, "1:10:19")).toBe(fork[1]);
    expect(written([move("e2e4", "e2 e4")], "E2-E4")?.text).toBe("e2e4");
    expect(written(quiet, "15")).toBeUndefined();
    expect(written(quiet, "")).toBeUndefined();
  });
});
