import { expect, it } from "vitest";
import type { Schemas } from "../../api/client";
import { evaluationLines } from "./evaluations";

function move(ply: number, side: string, value: number | null): Schemas["PlayedMove"] {
  return { ply, side, text: "", notation: "", seconds: null, value_first: value };
}

it("places each agent's evaluations at its own moves", () => {
  const { xs, lines } = evaluationLines(
    [move(0, "black", 0.5), move(1, "white", 0.6), move(2, "black", null)],
    [
      { side: "black", name: "Easy", current: null },
      { side: "white", name: "Hard", current: null },
    ],
  );
  expect(xs).toEqual([1, 2, 3]);
  expect(lines.map((line) => line.values)).toEqual([
    [0.5, null, null],
    [null, 0.6, null],
  ]);
});

it("adds the evaluation of a running search at the end", () => {
  const { xs, lines } = evaluationLines(
    [move(0, "black", 0.5)],
    [
      { side: "black", name: "Easy", current: null },
      { side: "white", name: "Hard", current: 0.7 },
    ],
  );
  expect(xs).toEqual([1, 2]);
  expect(lines[1]?.values).toEqual([null, 0.7]);
});
