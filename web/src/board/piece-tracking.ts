/** Matches the pieces of two successive boards, so that moves can be animated. Needs no game rules. */

import type { Cells, Move } from "./types";

export interface TrackedPiece {
  id: number;
  letter: string;
  square: string;
}

export interface BoardChange {
  pieces: TrackedPiece[];
  /** The paths of moved pieces, keyed by ID; a path starts at the old square. */
  paths: Map<number, string[]>;
  /** IDs of pieces that were not on the old board. */
  added: Set<number>;
  /** Pieces that are not on the new board. */
  removed: TrackedPiece[];
}

let lastId = 0;

function createPiece(letter: string, square: string): TrackedPiece {
  lastId += 1;
  return { id: lastId, letter, square };
}

/** With more differences than this, the boards are treated as unrelated. */
const MAX_DIFFERENCES = 8;

/**
 * Match the pieces of the old board with the cells of the new one. `likelyPaths` lists paths that the moved piece may
 * have taken, most likely first: the last move, then an undone move in reverse.
 */
export function trackPieces(
  before: readonly TrackedPiece[],
  cells: Cells,
  likelyPaths: readonly (readonly string[])[],
  sideOf: (letter: string) => string,
): BoardChange {
  const change: BoardChange = { pieces: [], paths: new Map(), added: new Set(), removed: [] };
  const unmatched = new Map(before.map((piece) => [piece.square, piece]));
  const open = new Map(Object.entries(cells));
  const match = (piece: TrackedPiece, square: string, path: readonly string[] | null): void => {
    change.pieces.push({ id: piece.id, letter: open.get(square) ?? piece.letter, square });
    if (path) change.paths.set(piece.id, [...path]);
    unmatched.delete(piece.square);
    open.delete(square);
  };

  for (const path of likelyPaths) {
    const [from, to] = [path[0], path.at(-1)];
    const mover = from === undefined ? undefined : unmatched.get(from);
    const landed = to === undefined ? undefined : open.get(to);
    if (path.length < 2 || !mover || !landed || to === undefined || sideOf(mover.letter) !== sideOf(landed)) continue;
    // The piece has moved only if it has left its old square and was not on the new one before.
    if ((open.get(mover.square) === mover.letter && from !== to) || unmatched.get(to)?.letter === landed) continue;
    match(mover, to, path);
    break;
  }
  for (const [square, letter] of [...open]) {
    const same = unmatched.get(square);
    if (same?.letter === letter) match(same, square, null);
  }
  const related = unmatched.size + open.size <= MAX_DIFFERENCES;
  for (const [square, letter] of related ? [...open] : []) {
    const same = [...unmatched.values()].find((piece) => piece.letter === letter);
    if (same) match(same, square, [same.square, square]);
  }
  // If one side has a single unmatched piece, its letter changed: a man was crowned or a pawn promoted.
  for (const [square, letter] of related ? [...open] : []) {
    const [promoted, ...others] = [...unmatched.values()].filter((piece) => sideOf(piece.letter) === sideOf(letter));
    if (promoted && others.length === 0)
      match(promoted, square, promoted.square === square ? null : [promoted.square, square]);
  }
  for (const [square, letter] of open) {
    const piece = createPiece(letter, square);
    change.pieces.push(piece);
    if (related) change.added.add(piece.id);
  }
  if (related) change.removed = [...unmatched.values()];
  return change;
}

/**
 * The board after a move, displayed until the server responds. `placed` is the letter of a newly placed piece.
 * Promotions and other side effects are left to the server.
 */
export function optimisticCells(cells: Cells, move: Move, placed: string | null): Cells {
  const next: Record<string, string> = { ...cells };
  const [from, to] = [move.path[0], move.path.at(-1)];
  if (from === undefined || to === undefined) return cells;
  for (const square of move.captures) delete next[square];
  if (move.path.length === 1) {
    if (!placed || cells[to]) return cells;
    next[to] = placed;
    return next;
  }
  const letter = cells[from];
  if (!letter) return cells;
  delete next[from];
  next[to] = letter;
  return next;
}
