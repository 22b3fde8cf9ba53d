import { expect, test } from "vitest";
import { fillFormula } from "./formula";
import { layOut, nodeAt } from "./layout";
import { buildTree, nearest, Orders, stubWords, without, type Columns } from "./model";

const SIDES = ["black", "white"];

function columns(change: Partial<Columns> = {}): Columns {
  return {
    formula: { name: "uct", c: 1.41, minimax: 0 },
    parent: [-1, 0, 0, 1],
    move: ["", "11-15", "9-13", "23-19"],
    turn: ["black", "white", "white", "black"],
    visits: [48210, 9120, 30000, 5000],
    value: [0.4, 0.541, 0.62, 0.3],
    judged: [null, null, null, null],
    bonus: [0, 0.0485, 0.02, 0.1],
    known: [null, null, "win", null],
    children: [7, 7, 0, 2],
    total_nodes: 99,
    ...change,
  };
}

function tree(change: Partial<Columns> = {}) {
  const made = buildTree(columns(change), SIDES, new Orders());
  if (!made) throw new Error("no tree");
  return made;
}

test("columns become nodes with their way, their side and what is not drawn", () => {
  const made = tree();
  const deep = made.byKey.get("11-15\n23-19");
  expect(deep?.path).toEqual(["11-15", "23-19"]);
  expect(deep?.mover).toBe("white");
  expect(deep?.first).toBeCloseTo(0.7);
  expect(made.root.mover).toBe("white");
  expect(made.root.stub).toEqual({ moves: 5, visits: 48210 - 9120 - 30000 });
  expect(stubWords({ moves: 37, visits: 212 })).toBe("+37 moves, 212 visits");
  expect(nearest(made, ["11-15", "23-19", "8-11"])).toBe(deep);
});

test("children stay where they were first seen", () => {
  const orders = new Orders();
  const before = buildTree(columns(), SIDES, orders);
  expect(before?.root.children.map((child) => child.move)).toEqual(["9-13", "11-15"]);
  const after = buildTree(columns({ visits: [48210, 40000, 3000, 5000] }), SIDES, orders);
  expect(after?.root.children.map((child) => child.move)).toEqual(["9-13", "11-15"]);
});

test("the formula is filled in with the numbers of the node", () => {
  const made = tree();
  const node = made.byKey.get("11-15");
  if (!node) throw new Error("no node");
  expect(fillFormula(made.formula, node)?.numbers).toBe("0.541 + 1.41·√(ln 48210 / 9120) = 0.590");
  expect(fillFormula(made.formula, made.root)).toBeNull();
});

test("bands of a family share their parent's by visits, in the icicle to scale", () => {
  const layout = layOut(tree(), "icicle");
  const child = layout.byKey.get("11-15");
  expect((child?.bottom ?? 0) - (child?.top ?? 0)).toBeCloseTo(9120 / 48210);
  expect(nodeAt(layout, 1, 0.01)?.node.move).toBe("9-13");
  expect(nodeAt(layout, 1, 0.999)).toBeNull();
});

test("a leaf can be left out, a node with children cannot", () => {
  const made = without(tree(), ["11-15", "23-19"]);
  expect(made.nodes.map((node) => node.move)).toEqual(["", "11-15", "9-13"]);
  expect(made.byKey.get("11-15")?.children).toEqual([]);
  expect(without(tree(), ["11-15"]).nodes.length).toBe(4);
});

test("what a node is judged to be worth stands in the formula where it counts", () => {
  const made = tree({ formula: { name: "uct", c: 0.2, minimax: 0.85 }, judged: [null, 0.5, 0.6, 0.4] });
  const node = made.byKey.get("11-15");
  if (!node) throw new Error("no node");
  expect(fillFormula(made.formula, node)?.numbers).toBe("0.15·0.541 + 0.85·0.500 + 0.2·√(ln 48210 / 9120) = 0.555");
});
