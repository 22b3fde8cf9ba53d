import { expect, test } from "vitest";
import { draw } from "./draw";
import { layOut } from "./layout";
import { buildTree, ChildOrder, type Columns } from "./model";
import { STEPS, type Palette } from "./palette";
import { View } from "./view";

/** A root with `count - 1` descendants with evenly spread values; each node has up to 12 children. */
function columns(count: number): Columns {
  const nodes = Array.from({ length: count }, (_, at) => at);
  return {
    formula: { name: "uct", c: 1, minimax_weight: 0 },
    parent: nodes.map((at) => (at === 0 ? -1 : Math.floor((at - 1) / 12))),
    move: nodes.map((at) => (at === 0 ? "" : `m${at}`)),
    notation: nodes.map((at) => (at === 0 ? "" : `m${at}`)),
    turn: nodes.map(() => "black"),
    visits: nodes.map((at) => Math.max(1, Math.floor(1e6 / (at + 1) ** 1.2))),
    value: nodes.map((at) => (at % 97) / 96),
    minimax: nodes.map(() => null),
    exploration: nodes.map(() => 0),
    score: nodes.map(() => 0),
    proven: nodes.map(() => null),
    children: nodes.map((at) => Math.min(12, Math.max(0, count - 1 - 12 * at))),
    total_nodes: count,
  };
}

/** A canvas that counts the paths and texts drawn on it. */
function countingCanvas(): { canvas: CanvasRenderingContext2D; calls: { paths: number; texts: number } } {
  const calls = { paths: 0, texts: 0 };
  const canvas = new Proxy({} as Record<string | symbol, unknown>, {
    get: (target, name) => {
      if (name in target) return target[name];
      return () => {
        if (name === "fill" || name === "stroke") calls.paths += 1;
        if (name === "fillText" || name === "strokeText") calls.texts += 1;
        return { width: 10 };
      };
    },
  });
  return { canvas: canvas as unknown as CanvasRenderingContext2D, calls };
}

test("2,000 nodes take at most 180 draw calls, not counting labels", () => {
  const tree = buildTree(columns(2000), ["black", "white"], new ChildOrder());
  if (!tree) throw new Error("no tree");
  const view = new View();
  [view.width, view.height] = [2000, 900];
  const palette = { values: [], inks: [], font: "sans-serif" } as unknown as Palette;
  const { canvas, calls } = countingCanvas();
  const scene = { layout: layOut(tree, "tree"), view, palette, selected: null, hovered: null, highlights: new Map() };
  expect(draw(canvas, scene)).toBe(2000);
  expect(calls.paths).toBeLessThanOrEqual(180);
  expect(calls.paths).toBeGreaterThan(STEPS);
});
