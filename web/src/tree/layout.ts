/** The positions of tree nodes: one column per depth, in which each node has a band within its parent's band. */

import { hierarchy, partition, type HierarchyRectangularNode } from "d3-hierarchy";
import type { Tree, TreeNode } from "./model";

export type Shape = "tree" | "icicle";

export interface PlacedNode {
  node: TreeNode;
  parent: PlacedNode | null;
  /** The child drawn lowest. */
  lastChild: PlacedNode | null;
  /** The band, as fractions of the height of the whole tree. */
  top: number;
  bottom: number;
  /** The band at the start of the animation. */
  from: readonly [number, number];
  /** The band at the current time of the animation. */
  current: [number, number];
}

export interface Layout {
  shape: Shape;
  nodes: PlacedNode[];
  byKey: Map<string, PlacedNode>;
  /** Nodes by depth, from top to bottom. */
  columns: PlacedNode[][];
}

/** Band heights are proportional to visits raised to this power; below 1, rarely visited nodes are enlarged. */
const VISIT_EXPONENT: Record<Shape, number> = { tree: 0.5, icicle: 1 };

export function layOut(tree: Tree, shape: Shape): Layout {
  const weight = (visits: number): number => Math.max(1, visits) ** VISIT_EXPONENT[shape];
  const root = hierarchy<TreeNode>(tree.root, (node) => node.children);
  // Siblings share their parent's band by weight; nodes that are not drawn keep their share at the end.
  Object.assign(root, { value: 1 });
  root.eachBefore((item) => {
    const children = item.children ?? [];
    const { stub } = item.data;
    const total =
      children.reduce((sum, child) => sum + weight(child.data.visits), 0) + (stub ? weight(stub.visits) : 0);
    for (const child of children)
      Object.assign(child, { value: ((item.value ?? 1) * weight(child.data.visits)) / total });
  });
  const partitioned: HierarchyRectangularNode<TreeNode> = partition<TreeNode>().size([1, root.height + 1])(root);
  const nodes: PlacedNode[] = [];
  const byKey = new Map<string, PlacedNode>();
  const columns: PlacedNode[][] = [];
  partitioned.eachBefore((item) => {
    const parent = item.parent ? (byKey.get(item.parent.data.key) ?? null) : null;
    const [top, bottom] = [item.x0, item.x1];
    const placed: PlacedNode = {
      node: item.data,
      parent,
      lastChild: null,
      top,
      bottom,
      from: [top, bottom],
      current: [top, bottom],
    };
    if (parent) parent.lastChild = placed;
    nodes.push(placed);
    byKey.set(item.data.key, placed);
    (columns[item.depth] ??= []).push(placed);
  });
  return { shape, nodes, byKey, columns };
}

/** Start the animation of a layout at the current state of the previous one; new nodes grow out of their parents. */
export function animateFrom(layout: Layout, previous: Layout | null): void {
  if (!previous || previous.shape !== layout.shape) return;
  for (const placed of layout.nodes) {
    const old = previous.byKey.get(placed.node.key);
    const middle = placed.parent ? (placed.parent.from[0] + placed.parent.from[1]) / 2 : 0.5;
    placed.from = old ? [old.current[0], old.current[1]] : [middle, middle];
    placed.current = [...placed.from];
  }
}

/** Set the progress of the animation, 0 to 1. */
export function setProgress(layout: Layout, progress: number): void {
  for (const placed of layout.nodes) {
    placed.current[0] = placed.from[0] + (placed.top - placed.from[0]) * progress;
    placed.current[1] = placed.from[1] + (placed.bottom - placed.from[1]) * progress;
  }
}

/** The node at a depth whose band contains a height, given as a fraction of the tree. */
export function nodeAt(layout: Layout, depth: number, height: number): PlacedNode | null {
  return layout.columns[depth]?.find((placed) => placed.top <= height && height < placed.bottom) ?? null;
}
