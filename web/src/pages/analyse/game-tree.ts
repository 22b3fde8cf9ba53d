/** A game as a tree of moves: the main line and its variations. */

import type { BoardView } from "../../board-page/board-controller.svelte";
import type { MoveBranch } from "./variation-storage";

/** A position and the move that leads to it. The first child continues the line; the others start variations. */
export interface GameNode {
  id: number;
  ply: number;
  /** Empty at the root. */
  move: string;
  notation: string;
  /** The side that made the move. */
  side: string;
  board: BoardView;
  parent: GameNode | null;
  children: GameNode[];
}

let count = 0;

/** Creates a node and adds it to its parent as the last child. */
export function addNode(board: BoardView, parent: GameNode | null): GameNode {
  count += 1;
  const node: GameNode = {
    id: count,
    ply: parent ? parent.ply + 1 : 0,
    move: parent ? (board.last_move?.text ?? "") : "",
    notation: board.last_move?.notation ?? "",
    side: parent?.board.turn ?? "",
    board,
    parent,
    children: [],
  };
  parent?.children.push(node);
  return node;
}

/** Returns a node and the line that continues from it. */
export function lineFrom(node: GameNode): GameNode[] {
  const line = [node];
  for (let next = node.children[0]; next; next = next.children[0]) line.push(next);
  return line;
}

/** Returns the moves from the root to a node. */
export function movesTo(node: GameNode): string[] {
  const moves: string[] = [];
  for (let here: GameNode | null = node; here?.parent; here = here.parent) moves.unshift(here.move);
  return moves;
}

export function childOf(node: GameNode, move: string): GameNode | undefined {
  return node.children.find((child) => child.move === move);
}

/** Follows moves from a node as far as the tree contains them and returns the last node reached. */
export function followMoves(node: GameNode, moves: readonly string[]): GameNode {
  let here = node;
  for (const move of moves) {
    const next = childOf(here, move);
    if (!next) break;
    here = next;
  }
  return here;
}

/** Puts a node and its ancestors first among their siblings, which makes its line the main line. */
export function promote(node: GameNode): void {
  for (let here: GameNode | null = node; here?.parent; here = here.parent) {
    const first: GameNode = here;
    const { parent } = here;
    parent.children = [first, ...parent.children.filter((child) => child !== first)];
  }
}

/** Sorts children into the order of stored variations; children that were not stored come last. */
export function sortChildren(node: GameNode, order: readonly MoveBranch[]): void {
  const place = (child: GameNode): number => {
    const at = order.findIndex((branch) => branch.move === child.move);
    return at < 0 ? order.length : at;
  };
  node.children.sort((a, b) => place(a) - place(b));
  for (const branch of order) {
    const child = childOf(node, branch.move);
    if (child) sortChildren(child, branch.children);
  }
}
