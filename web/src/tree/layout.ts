/** Where nodes are drawn: a column for each depth, a band for each node within that of its parent. */

import { hierarchy, partition, type HierarchyRectangularNode } from "d3-hierarchy";
import type { Tree, TreeNode } from "./model";

export type Shape = "tree" | "icicle";

export interface Placed {
  node: TreeNode;
  parent: Placed | null;
  /** The lowest of its children. */
  last: Placed | null;
  /** The band, in parts of the height of the whole tree. */
  top: number;
  bottom: number;
  /** The band as it is drawn on its way from where it was, and where that was. */
  from: readonly [number, number];
  shown: [number, number];
}

export interface Layout {
  shape: Shape;
  placed: Placed[];
  byKey: Map<string, Placed>;
  /** By depth, from the top down. */
  columns: Placed[][];
}

/** In the tree little visited nodes get more room than their share, so that they can be seen; the icicle is to scale. */
const POWER: Record<Shape, number> = { tree: 0.5, icicle: 1 };

export function layOut(tree: Tree, shape: Shape): Layout {
  const power = POWER[shape];
  const weight = (visits: number): number => Math.max(1, visits) ** power;
  const root = hierarchy<TreeNode>(tree.root, (node) => node.children);
  // A family shares the band of its parent by weight; what is not drawn keeps its place at the end.
  Object.assign(root, { value: 1 });
  root.eachBefore((item) => {
    const family = item.children ?? [];
    const { stub } = item.data;
    const whole = family.reduce((sum, child) => sum + weight(child.data.visits), 0) + (stub ? weight(stub.visits) : 0);
    for (const child of family) Object.assign(child, { value: ((item.value ?? 1) * weight(child.data.visits)) / whole });
  });
  const parted: HierarchyRectangularNode<TreeNode> = partition<TreeNode>().size([1, root.height + 1])(root);
  const placed: Placed[] = [];
  const byKey = new Map<string, Placed>();
  const columns: Placed[][] = [];
  parted.eachBefore((item) => {
    const parent = item.parent ? (byKey.get(item.parent.data.key) ?? null) : null;
    const [top, bottom] = [item.x0, item.x1];
    const one: Placed = { node: item.data, parent, last: null, top, bottom, from: [top, bottom], shown: [top, bottom] };
    if (parent) parent.last = one;
    placed.push(one);
    byKey.set(item.data.key, one);
    (columns[item.depth] ??= []).push(one);
  });
  return { shape, placed, byKey, columns };
}

/** Lets a layout begin where another one is drawn; what is new grows out of its parent. */
export function follow(layout: Layout, before: Layout | null): void {
  if (!before || before.shape !== layout.shape) return;
  for (const one of layout.placed) {
    const old = before.byKey.get(one.node.key);
    const middle = one.parent ? (one.parent.from[0] + one.parent.from[1]) / 2 : 0.5;
    one.from = old ? [old.shown[0], old.shown[1]] : [middle, middle];
    one.shown = [...one.from];
  }
}

/** Draws a layout on its way: 0 is where it began, 1 where it goes. */
export function advance(layout: Layout, share: number): void {
  for (const one of layout.placed) {
    one.shown[0] = one.from[0] + (one.top - one.from[0]) * share;
    one.shown[1] = one.from[1] + (one.bottom - one.from[1]) * share;
  }
}

/** The node whose band holds a height in a column. */
export function nodeAt(layout: Layout, depth: number, height: number): Placed | null {
  return layout.columns[depth]?.find((one) => one.top <= height && height < one.bottom) ?? null;
}
