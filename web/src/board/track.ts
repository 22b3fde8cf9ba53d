/** Which piece is which from one board to the next, so that what moved can be seen moving. No rules: only what stood where. */

import type { Cells, Move } from "./types";

export interface Tracked {
  id: number;
  letter: string;
  square: string;
}

export interface Change {
  pieces: Tracked[];
  /** The squares that a piece walks over, by its id; the first is where it stood. */
  walks: Map<number, string[]>;
  /** Pieces that came from nowhere. */
  fresh: Set<number>;
  /** Pieces that are no longer there. */
  gone: Tracked[];
}

let count = 0;

function make(letter: string, square: string): Tracked {
  count += 1;
  return { id: count, letter, square };
}

/** Beyond so many differences it is another board rather than a move. */
const MOST = 8;

/**
 * Follows pieces to a new board. `ways` are paths that the piece that moved may have gone, the likeliest first: the last
 * move's, or backwards the one of a move that was taken back.
 */
export function track(
  before: readonly Tracked[],
  cells: Cells,
  ways: readonly (readonly string[])[],
  sideOf: (letter: string) => string,
): Change {
  const change: Change = { pieces: [], walks: new Map(), fresh: new Set(), gone: [] };
  const left = new Map(before.map((piece) => [piece.square, piece]));
  const open = new Map(Object.entries(cells));
  const settle = (piece: Tracked, square: string, walk: readonly string[] | null): void => {
    change.pieces.push({ id: piece.id, letter: open.get(square) ?? piece.letter, square });
    if (walk) change.walks.set(piece.id, [...walk]);
    left.delete(piece.square);
    open.delete(square);
  };

  for (const way of ways) {
    const [from, to] = [way[0], way.at(-1)];
    const mover = from === undefined ? undefined : left.get(from);
    const landed = to === undefined ? undefined : open.get(to);
    if (way.length < 2 || !mover || !landed || to === undefined || sideOf(mover.letter) !== sideOf(landed)) continue;
    // It moved if it is no longer where it stood and was not yet where it is.
    if ((open.get(mover.square) === mover.letter && from !== to) || left.get(to)?.letter === landed) continue;
    settle(mover, to, way);
    break;
  }
  for (const [square, letter] of [...open]) {
    const same = left.get(square);
    if (same?.letter === letter) settle(same, square, null);
  }
  const few = left.size + open.size <= MOST;
  for (const [square, letter] of few ? [...open] : []) {
    const same = [...left.values()].find((piece) => piece.letter === letter);
    if (same) settle(same, square, [same.square, square]);
  }
  // What is left of a side's pieces changed its letter on the way, as a man that becomes a king.
  for (const [square, letter] of few ? [...open] : []) {
    const [changed, ...others] = [...left.values()].filter((piece) => sideOf(piece.letter) === sideOf(letter));
    if (changed && others.length === 0) settle(changed, square, changed.square === square ? null : [changed.square, square]);
  }
  for (const [square, letter] of open) {
    const piece = make(letter, square);
    change.pieces.push(piece);
    if (few) change.fresh.add(piece.id);
  }
  if (few) change.gone = [...left.values()];
  return change;
}

/** The board as it will be after a move, as far as a hand can tell: the server's answer follows at once. */
export function provisional(cells: Cells, move: Move, placed: string | null): Cells {
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
