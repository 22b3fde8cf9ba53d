import { expect, test } from "vitest";
import { fillFormula } from "./formula";
import { layOut, nodeAt } from "./layout";
import { buildTree, nearest, ChildOrder, stubLabel, withoutLeaf, type Columns } from "./model";

const SIDES = ["black", "white"];

function columns(change: Partial<Columns> = {}): Columns {
  return {
    formula: { name: "uct", c: 1.41, minimax_weight: 0 },
    parent: [-1, 0, 0, 1],
    move: ["", "11-15", "9-13", "23-19"],
    notation: ["", "11-15", "9-13", "23-19"],
    turn: ["black", "white", "white", "black"],
    visits: [48210, 9120, 30000, 5000],
    value: [0.4, 0.541, 0.62, 0.3],
    minimax: [null, null, null, null],
    exploration: [0, 0.0485, 0.02, 0.1],
    score: [0, 0.5895, 0.64, 0.4],
    proven: [null, null, "win", null],
    children: [7, 7, 0, 2],
    total_nodes: 99,
    ...change,
  };
}

function tree(change: Partial<Columns> = {}) {
  const made = buildTree(columns(change), SIDES, new ChildOrder());
  if (!made) throw new Error("no tree");
  return made;
}

test("columns become nodes with paths, sides and stubs", () => {
  const built = tree();
  const grandchild = built.byKey.get("11-15\n23-19");
  expect(grandchild?.path).toEqual(["11-15", "23-19"]);
  expect(tree({ notation: ["", "Nf3", "9-13", "23-19"] }).root.children[1]?.notation).toBe("Nf3");
  expect(grandchild?.mover).toBe("white");
  expect(grandchild?.valueFirst).toBeCloseTo(0.7);
  expect(built.root.mover).toBe("white");
  expect(built.root.stub).toEqual({ moves: 5, visits: 48210 - 9120 - 30000 });
  expect(stubLabel({ moves: 37, visits: 212 })).toBe("+37 moves, 212 visits");
  expect(nearest(built, ["11-15", "23-19", "8-11"])).toBe(grandchild);
});

test("children keep their order when their visits change", () => {
  const order = new ChildOrder();
  const before = buildTree(columns(), SIDES, order);
  expect(before?.root.children.map((child) => child.move)).toEqual(["9-13", "11-15"]);
  const after = buildTree(columns({ visits: [48210, 40000, 3000, 5000] }), SIDES, order);
  expect(after?.root.children.map((child) => child.move)).toEqual(["9-13", "11-15"]);
});

test("the formula contains the node's numbers", () => {
  const built = tree();
  const node = built.byKey.get("11-15");
  if (!node) throw new Error("no node");
  expect(fillFormula(built.formula, node)?.numbers).toBe("0.541 + 1.41·√(ln 48210 / 9120) = 0.590");
  expect(fillFormula(built.formula, built.root)).toBeNull();
});

test("icicle bands are proportional to visits", () => {
  const layout = layOut(tree(), "icicle");
  const child = layout.byKey.get("11-15");
  expect((child?.bottom ?? 0) - (child?.top ?? 0)).toBeCloseTo(9120 / 48210);
  expect(nodeAt(layout, 1, 0.01)?.node.move).toBe("9-13");
  expect(nodeAt(layout, 1, 0.999)).toBeNull();
});

test("a leaf can be removed, but a node with children cannot", () => {
  const pruned = withoutLeaf(tree(), ["11-15", "23-19"]);
  expect(pruned.nodes.map((node) => node.move)).toEqual(["", "11-15", "9-13"]);
  expect(pruned.byKey.get("11-15")?.children).toEqual([]);
  expect(withoutLeaf(tree(), ["11-15"]).nodes.length).toBe(4);
});

test("the formula contains the minimax value if its weight is positive", () => {
  const built = tree({
    formula: { name: "uct", c: 0.2, minimax_weight: 0.85 },
    minimax: [null, 0.5, 0.6, 0.4],
    score: [0, 0.5547, 0, 0],
  });
  const node = built.byKey.get("11-15");
  if (!node) throw new Error("no node");
  expect(fillFormula(built.formula, node)?.numbers).toBe("0.15·0.541 + 0.85·0.500 + 0.2·√(ln 48210 / 9120) = 0.555");
});

test("the score includes enhancements that the formula does not name", () => {
  const built = tree({ score: [0, 0.6391, 0.64, 0.4] });
  const node = built.byKey.get("11-15");
  if (!node) throw new Error("no node");
  const filled = fillFormula(built.formula, node);
  expect(filled?.symbols).toBe("value + c·√(ln N / n) + other terms");
  expect(filled?.numbers).toBe("0.541 + 1.41·√(ln 48210 / 9120) + 0.050 = 0.639");
});
