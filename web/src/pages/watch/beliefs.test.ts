import { expect, it } from "vitest";
import type { Schemas } from "../../api/client";
import { beliefLines } from "./beliefs";

function move(ply: number, side: string, value: number | null): Schemas["PlayedMove"] {
  return { ply, side, text: "", notation: "", seconds: null, value_first: value };
}

it("gives each agent the moves that it made", () => {
  const { xs, lines } = beliefLines(
    [move(0, "black", 0.5), move(1, "white", 0.6), move(2, "black", null)],
    [
      { side: "black", name: "Easy", now: null },
      { side: "white", name: "Hard", now: null },
    ],
  );
  expect(xs).toEqual([1, 2, 3]);
  expect(lines.map((line) => line.values)).toEqual([
    [0.5, null, null],
    [null, 0.6, null],
  ]);
});

it("adds what is thought just now at the end", () => {
  const { xs, lines } = beliefLines([move(0, "black", 0.5)], [
    { side: "black", name: "Easy", now: null },
    { side: "white", name: "Hard", now: 0.7 },
  ]);
  expect(xs).toEqual([1, 2]);
  expect(lines[1]?.values).toEqual([null, 0.7]);
});
