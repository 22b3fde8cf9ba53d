import { expect, it } from "vitest";
import { curveViews, describeChanges } from "./curves";

function curve(
  name: string,
  values: number[],
): { name: string; description: string; steps: number[]; values: number[] } {
  return { name, description: `of ${name}`, steps: values.map((_, index) => (index + 1) * 20), values };
}

it("shows the score first and all weights in one chart", () => {
  const views = curveViews([
    curve("plies", [50, 60]),
    curve("score", [0.4, 0.6]),
    curve("weight/man", [1, 1.5]),
    curve("weight/king", [2, 1]),
  ]);
  expect(views.map((view) => view.name)).toEqual(["score", "plies", "weights"]);
  expect(views[0]?.isShare).toBe(true);
  expect(views[2]?.lines.map((line) => line.name)).toEqual(["King", "Man"]);
});

it("shows only the weights that changed most", () => {
  const many = Array.from({ length: 9 }, (_, index) => curve(`weight/t${index}`, [0, index]));
  const view = curveViews(many)[0];
  expect(view?.lines.map((line) => line.name)).toEqual(["T8", "T7", "T6", "T5", "T4", "T3"]);
  expect(view?.description).toContain("of 9");
});

it("shows the strength against a fixed opponent in the chart of the score", () => {
  const strength = { name: "strength", description: "Score against the initial weights.", steps: [40], values: [0.7] };
  const [view, ...others] = curveViews([curve("score", [0.4, 0.6]), strength]);
  expect(others).toEqual([]);
  expect(view?.lines.map((line) => [line.name, line.values])).toEqual([
    ["Score", [0.4, 0.6]],
    ["Strength", [null, 0.7]],
  ]);
  expect(view?.description).toContain("score against the initial weights");
});

it("explains where the opponent changed", () => {
  expect(describeChanges([])).toBe("");
  expect(describeChanges([40])).toContain("after 40 games, a copy of the learner became the opponent.");
  expect(describeChanges([40, 90, 140])).toContain("replaced 2 times");
});
