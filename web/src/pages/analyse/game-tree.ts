/** A game as a tree of moves: the main line and its variations. */

import type { Schemas } from "../../api/client";
import type { BoardView } from "../../board-page/board-controller.svelte";

/** A game or a variation: moves with comments, NAGs and variations, as in files. */
export type GameLine = Schemas["VariationData-Output"];
type BranchView = Schemas["BranchView"];

/** A position and the move that leads to it. The first child continues the line; the others start variations. */
export interface GameNode {
  id: number;
  ply: number;
  /** Empty at the root. */
  move: string;
  notation: string;
  /** The side that made the move. */
  side: string;
  /** The comment on the move. */
  comment: string;
  /** The comment before the move, which starts a variation. */
  introduction: string;
  /** Numeric annotation glyphs: 1 for !, 2 for ? and so on. */
  nags: number[];
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
    comment: "",
    introduction: "",
    nags: [],
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

/** Returns text without repeated spaces; the parts are separated by one space. */
const joinText = (...parts: readonly string[]): string => parts.join(" ").trim().replace(/\s+/g, " ");

function annotate(node: GameNode, note: GameLine["notes"][string] | undefined): void {
  if (!note) return;
  node.comment = joinText(node.comment, note.comment);
  node.nags = [...new Set([...node.nags, ...note.nags])].sort((a, b) => a - b);
}

/** Adds the moves of a line after a node. Moves that the tree already contains are not added twice. */
export function addLine(node: GameNode, line: GameLine, view: BranchView, isVariation: boolean): void {
  let here = node;
  for (const [index, move] of line.moves.entries()) {
    const board = view.boards[index];
    if (!board) return;
    const before = here;
    here = childOf(before, board.last_move?.text ?? move) ?? addNode(board, before);
    const introduction = index === 0 ? line.notes["0"]?.comment : undefined;
    if (introduction !== undefined && isVariation) here.introduction = joinText(here.introduction, introduction);
    annotate(here, line.notes[index + 1]);
    for (const [at, variation] of (line.variations[index] ?? []).entries()) {
      const branch = view.variations[index]?.[at];
      if (branch) addLine(before, variation, branch, true);
    }
  }
}

/** Returns a new tree. */
export function growTree(line: GameLine, view: Schemas["GameTreeView"]): GameNode {
  const root = addNode(view.start, null);
  annotate(root, line.notes["0"]);
  addLine(root, line, view.tree, false);
  return root;
}

function noteOf(comment: string, nags: readonly number[]): GameLine["notes"][string] | null {
  return comment !== "" || nags.length > 0 ? { comment, nags: [...nags] } : null;
}

/** Returns the line that starts with a node, which follows `main` as long as possible. */
function lineStartingWith(first: GameNode, main: readonly string[], isVariation: boolean): GameLine {
  const line: GameLine = { moves: [], notes: {}, variations: {} };
  if (isVariation && first.introduction !== "") line.notes["0"] = { comment: first.introduction, nags: [] };
  let here: GameNode | undefined = first;
  while (here) {
    const node: GameNode = here;
    const index = line.moves.length;
    line.moves.push(node.move);
    const isFirst = isVariation && index === 0;
    const note = noteOf(isFirst ? node.comment : joinText(node.introduction, node.comment), node.nags);
    if (note) line.notes[index + 1] = note;
    const others = isFirst ? [] : (node.parent?.children ?? []).filter((child) => child !== node);
    if (others.length > 0) line.variations[index] = others.map((other) => lineStartingWith(other, [], true));
    const next = main[index + 1];
    here = (next === undefined ? undefined : childOf(node, next)) ?? node.children[0];
    if (main.length > 0 && index === main.length - 1) {
      // What was played after the end of the game becomes a variation that repeats the last move.
      if (here) line.variations[index] = [...(line.variations[index] ?? []), repeatMove(node, here)];
      break;
    }
  }
  return line;
}

function repeatMove(node: GameNode, next: GameNode): GameLine {
  const rest = lineStartingWith(next, [], false);
  const shift = <T>(entries: { [key: string]: T }): { [key: string]: T } =>
    Object.fromEntries(Object.entries(entries).map(([key, value]) => [String(Number(key) + 1), value]));
  return { moves: [node.move, ...rest.moves], notes: shift(rest.notes), variations: shift(rest.variations) };
}

/** Returns the moves, comments, NAGs and variations of a tree. With `main`, these moves are the main line. */
export function lineOfTree(root: GameNode, main: readonly string[] = []): GameLine {
  const first = (main[0] === undefined ? undefined : childOf(root, main[0])) ?? root.children[0];
  const line = first ? lineStartingWith(first, main, false) : { moves: [], notes: {}, variations: {} };
  const note = noteOf(root.comment, root.nags);
  return note ? { ...line, notes: { ...line.notes, "0": note } } : line;
}

export function isAnnotated(line: GameLine): boolean {
  return Object.keys(line.notes).length > 0 || Object.keys(line.variations).length > 0;
}

/** Returns a line without annotations. */
export function plainLine(moves: readonly string[]): GameLine {
  return { moves: [...moves], notes: {}, variations: {} };
}
