import { expect, it } from "vitest";
import { curveViews } from "./curves";

function curve(name: string, values: number[]): { name: string; words: string; steps: number[]; values: number[] } {
  return { name, words: `of ${name}`, steps: values.map((_, at) => (at + 1) * 20), values };
}

it("puts the score first and all weights into one chart", () => {
  const views = curveViews([curve("plies", [50, 60]), curve("score", [0.4, 0.6]), curve("weight/man", [1, 1.5]), curve("weight/king", [2, 1])]);
  expect(views.map((view) => view.name)).toEqual(["score", "plies", "weights"]);
  expect(views[0]?.share).toBe(true);
  expect(views[2]?.lines.map((line) => line.name)).toEqual(["King", "Man"]);
});

it("shows the weights that changed most and says of how many", () => {
  const many = Array.from({ length: 9 }, (_, at) => curve(`weight/t${at}`, [0, at]));
  const view = curveViews(many)[0];
  expect(view?.lines.map((line) => line.name)).toEqual(["T8", "T7", "T6", "T5", "T4", "T3"]);
  expect(view?.words).toContain("of 9");
});
