/** A search tree, built from the columns that the server sends. */

import type { Schemas } from "../api/client";

export type Columns = Schemas["TreeView"];
type ProvenResult = Schemas["ExactView"]["result"];

export interface TreeNode {
  /** The moves from the root to this node. */
  path: readonly string[];
  key: string;
  /** Empty for the root. */
  move: string;
  /** The move as people read it, such as Nf3; empty at the root. */
  notation: string;
  parent: TreeNode | null;
  children: TreeNode[];
  depth: number;
  /** The side to move. */
  turn: string;
  /** The side that moved to this node. */
  mover: string;
  visits: number;
  /** The mean result for the mover, 0 to 1. */
  value: number;
  /** The mean result for the first player, 0 to 1; determines the colour. */
  valueFirst: number;
  /** The minimax value for the mover, if the formula uses one. */
  minimax: number | null;
  /** The exploration term of the formula. */
  exploration: number;
  /** The score by which selection ranks the node among its siblings, with all enhancements. */
  score: number;
  /** The proven result for the mover. */
  proven: ProvenResult | null;
  /** The children that are not drawn: their number and total visits. */
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

/** Keeps children in the order in which they first appeared, so that nodes do not swap places while the tree grows. */
export class ChildOrder {
  private readonly ranks = new Map<string, number>();

  rank(key: string): number {
    const rank = this.ranks.get(key);
    if (rank !== undefined) return rank;
    this.ranks.set(key, this.ranks.size);
    return this.ranks.size - 1;
  }
}

/** Build a tree from columns, in which parents precede children; null if the columns are empty. */
export function buildTree(columns: Columns, sides: readonly string[], order: ChildOrder): Tree | null {
  const nodes: TreeNode[] = [];
  const byKey = new Map<string, TreeNode>();
  const firstSide = sides[0] ?? "";
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
      notation: columns.notation[row] ?? move,
      parent,
      children: [],
      depth: path.length,
      turn,
      mover,
      visits: columns.visits[row] ?? 0,
      value,
      valueFirst: mover === firstSide ? value : 1 - value,
      minimax: columns.minimax[row] ?? null,
      exploration: columns.exploration[row] ?? 0,
      score: columns.score[row] ?? 0,
      proven: columns.proven[row] ?? null,
      stub: null,
    };
    parent?.children.push(node);
    nodes.push(node);
    byKey.set(node.key, node);
  }
  const root = nodes[0];
  if (!root) return null;
  // Children that appear together are ranked by visits; their ranks do not change afterwards.
  for (const [row, node] of nodes.entries()) {
    const children = node.children.sort((a, b) => b.visits - a.visits);
    const ranks = new Map(children.map((child) => [child, order.rank(child.key)]));
    children.sort((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
    const hidden = (columns.children[row] ?? 0) - children.length;
    const drawnVisits = children.reduce((sum, child) => sum + child.visits, 0);
    if (hidden > 0) node.stub = { moves: hidden, visits: Math.max(0, node.visits - drawnVisits) };
  }
  return { nodes, root, byKey, formula: columns.formula, total: columns.total_nodes };
}

/** Return the tree without the leaf at a path; unchanged if that node has children. */
export function withoutLeaf(tree: Tree, path: readonly string[]): Tree {
  const leaf = tree.byKey.get(keyOf(path));
  if (!leaf?.parent || leaf.children.length > 0) return tree;
  leaf.parent.children = leaf.parent.children.filter((child) => child !== leaf);
  const byKey = new Map(tree.byKey);
  byKey.delete(leaf.key);
  return { ...tree, nodes: tree.nodes.filter((node) => node !== leaf), byKey };
}

/** The nodes from the root to a node, inclusive. */
export function pathTo(node: TreeNode): TreeNode[] {
  const path = [node];
  for (let ancestor = node.parent; ancestor; ancestor = ancestor.parent) path.unshift(ancestor);
  return path;
}

/** The label of a stub: "+37 moves, 212 visits" or "+3 moves, not visited". */
export function stubLabel(stub: { moves: number; visits: number }): string {
  const moves = `+${stub.moves} ${stub.moves === 1 ? "move" : "moves"}`;
  return stub.visits > 0
    ? `${moves}, ${stub.visits.toLocaleString("en")} ${stub.visits === 1 ? "visit" : "visits"}`
    : `${moves}, not visited`;
}

/** The node at a path, or its nearest ancestor in the tree. */
export function nearest(tree: Tree, path: readonly string[]): TreeNode {
  for (let length = path.length; length > 0; length -= 1) {
    const node = tree.byKey.get(keyOf(path.slice(0, length)));
    if (node) return node;
  }
  return tree.root;
}
