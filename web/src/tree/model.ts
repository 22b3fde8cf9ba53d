/** The tree of a search as nodes, made of the columns that the server sends. */

import type { Schemas } from "../api/client";

export type Columns = Schemas["TreeView"];
type Known = Schemas["ExactView"]["known"];

export interface TreeNode {
  /** The moves that lead here from the root. */
  path: readonly string[];
  key: string;
  /** Empty for the root. */
  move: string;
  parent: TreeNode | null;
  children: TreeNode[];
  depth: number;
  /** Who moves here, and who moved here. */
  turn: string;
  mover: string;
  visits: number;
  /** The mean for the side that moved here, 0 to 1. */
  value: number;
  /** The same for the side that begins the game: what nodes are coloured by. */
  first: number;
  /** What the formula adds for being tried seldom. */
  /** What it is judged to be worth to the side that moved to it, where the formula weighs that in. */
  judged: number | null;
  bonus: number;
  known: Known | null;
  /** Children that are not drawn, and the visits that went to them. */
  stub: { moves: number; visits: number } | null;
}

export interface Tree {
  nodes: TreeNode[];
  root: TreeNode;
  byKey: Map<string, TreeNode>;
  formula: Columns["formula"];
  total: number;
}

export function keyOf(path: readonly string[]): string {
  return path.join("\n");
}

/** Children keep the order in which they were first seen, so that nothing jumps while the tree grows. */
export class Orders {
  private readonly seen = new Map<string, number>();

  place(key: string): number {
    const place = this.seen.get(key);
    if (place !== undefined) return place;
    this.seen.set(key, this.seen.size);
    return this.seen.size - 1;
  }
}

/** The nodes of a table, parents first; null of an empty one. */
export function buildTree(columns: Columns, sides: readonly string[], orders: Orders): Tree | null {
  const nodes: TreeNode[] = [];
  const byKey = new Map<string, TreeNode>();
  const first = sides[0] ?? "";
  for (let row = 0; row < columns.parent.length; row += 1) {
    const parent = nodes[columns.parent[row] ?? -1] ?? null;
    const turn = columns.turn[row] ?? "";
    const mover = parent ? parent.turn : (sides.find((side) => side !== turn) ?? "");
    const move = columns.move[row] ?? "";
    const path = parent ? [...parent.path, move] : [];
    const value = columns.value[row] ?? 0.5;
    const node: TreeNode = {
      path,
      key: keyOf(path),
      move,
      parent,
      children: [],
      depth: path.length,
      turn,
      mover,
      visits: columns.visits[row] ?? 0,
      value,
      first: mover === first ? value : 1 - value,
      judged: columns.judged[row] ?? null,
      bonus: columns.bonus[row] ?? 0,
      known: columns.known[row] ?? null,
      stub: null,
    };
    parent?.children.push(node);
    nodes.push(node);
    byKey.set(node.key, node);
  }
  const root = nodes[0];
  if (!root) return null;
  // Those most visited first when a family is first seen; after that everybody stays where they are.
  for (const [row, node] of nodes.entries()) {
    const family = node.children.sort((a, b) => b.visits - a.visits);
    const places = new Map(family.map((child) => [child, orders.place(child.key)]));
    family.sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
    const hidden = (columns.children[row] ?? 0) - family.length;
    const drawn = family.reduce((sum, child) => sum + child.visits, 0);
    if (hidden > 0) node.stub = { moves: hidden, visits: Math.max(0, node.visits - drawn) };
  }
  return { nodes, root, byKey, formula: columns.formula, total: columns.total_nodes };
}

/** The tree without a leaf: as it was before that leaf was added. */
export function without(tree: Tree, path: readonly string[]): Tree {
  const leaf = tree.byKey.get(keyOf(path));
  if (!leaf?.parent || leaf.children.length > 0) return tree;
  leaf.parent.children = leaf.parent.children.filter((child) => child !== leaf);
  const byKey = new Map(tree.byKey);
  byKey.delete(leaf.key);
  return { ...tree, nodes: tree.nodes.filter((node) => node !== leaf), byKey };
}

/** The nodes from the root down to one. */
export function wayTo(node: TreeNode): TreeNode[] {
  const way = [node];
  for (let up = node.parent; up; up = up.parent) way.unshift(up);
  return way;
}

/** "+37 moves, 212 visits". */
export function stubWords(stub: { moves: number; visits: number }): string {
  const moves = `+${stub.moves} ${stub.moves === 1 ? "move" : "moves"}`;
  return stub.visits > 0 ? `${moves}, ${stub.visits.toLocaleString("en")} ${stub.visits === 1 ? "visit" : "visits"}` : `${moves}, not tried`;
}

/** The node at a path, or the nearest above it that is drawn. */
export function nearest(tree: Tree, path: readonly string[]): TreeNode {
  for (let length = path.length; length > 0; length -= 1) {
    const node = tree.byKey.get(keyOf(path.slice(0, length)));
    if (node) return node;
  }
  return tree.root;
}
