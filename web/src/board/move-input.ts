/**
 * Move input by pressing squares. The pressed squares form a path that is matched against the paths of the legal moves
 * listed by the server, so no game rules are needed.
 */

import type { Move } from "./types";

export type PressResult =
  | { kind: "play"; move: Move }
  | { kind: "path"; path: string[] }
  | { kind: "choice"; moves: Move[] }
  /** Several paths lead to the square; the squares in between tell them apart. */
  | { kind: "ambiguous" }
  | { kind: "none" };

const lastSquare = (move: Move): string | undefined => move.path.at(-1);

/** The legal moves whose paths start with `path`. */
export function candidates(moves: readonly Move[], path: readonly string[]): Move[] {
  return moves.filter((move) => path.every((square, index) => move.path[index] === square));
}

/** Play the move if only one matches; let the user choose among moves with the same path; otherwise extend the path. */
function resolve(moves: Move[], path: string[]): PressResult {
  const [only] = moves;
  if (only && moves.length === 1) return { kind: "play", move: only };
  if (moves.every((move) => move.path.length === path.length)) return { kind: "choice", moves };
  return { kind: "path", path };
}

function pressFirst(moves: readonly Move[], square: string): PressResult {
  const [only] = moves;
  const isForced = only && moves.length === 1 && only.captures.length > 0;
  if (isForced && (only.path[0] === square || lastSquare(only) === square)) return { kind: "play", move: only };
  const starting = moves.filter((move) => move.path[0] === square);
  if (starting.length === 0) return { kind: "none" };
  if (starting.every((move) => move.path.length === 1)) return resolve(starting, [square]);
  return { kind: "path", path: [square] };
}

function commonPrefix(moves: readonly Move[]): string[] {
  const [first, ...others] = moves;
  if (!first) return [];
  const end = first.path.findIndex((square, index) => others.some((move) => move.path[index] !== square));
  return end < 0 ? first.path : first.path.slice(0, end);
}

/**
 * The effect of pressing a square after `path` has been entered. `visited` lists the squares a piece was dragged over,
 * which distinguish multi-jump captures that end on the same square.
 */
export function pressSquare(
  moves: readonly Move[],
  path: readonly string[],
  square: string,
  visited: readonly string[] = [],
): PressResult {
  if (path.length === 0) return pressFirst(moves, square);
  const open = candidates(moves, path);
  const next = open.filter((move) => move.path[path.length] === square);
  if (next.length > 0) return resolve(next, [...path, square]);
  const complete = open.filter((move) => move.path.length === path.length);
  if (complete.length > 0 && square === path.at(-1)) return resolve(complete, [...path]);
  const ending = open.filter((move) => lastSquare(move) === square);
  if (ending.length === 1) return resolve(ending, [...path]);
  if (ending.length > 1) {
    const dragged = ending.filter((move) => move.path.every((step) => visited.includes(step)));
    if (dragged.length === 1) return resolve(dragged, [...path]);
    const shared = commonPrefix(ending);
    if (shared.length > path.length) return resolve(ending, shared);
    return { kind: "ambiguous" };
  }
  if (square === path[0]) return { kind: "none" };
  return pressFirst(moves, square);
}

export interface Target {
  square: string;
  captures: boolean;
  /** Whether the square is the end of a longer path rather than the next square. */
  far: boolean;
}

/** The squares a piece can move to: the next squares, and the unambiguous ends of longer paths. */
export function targets(moves: readonly Move[], path: readonly string[]): Target[] {
  if (path.length === 0) return [];
  const open = candidates(moves, path);
  const result = new Map<string, Target>();
  for (const move of open) {
    const end = lastSquare(move);
    if (!end || move.path.length <= path.length + 1) continue;
    if (open.filter((other) => lastSquare(other) === end).length === 1) {
      result.set(end, { square: end, captures: move.captures.length > 0, far: true });
    }
  }
  for (const move of open) {
    const next = move.path[path.length];
    if (next) result.set(next, { square: next, captures: move.captures.length > 0, far: false });
  }
  return [...result.values()];
}

/** The legal move with the given text or notation, ignoring case and spaces; undefined unless exactly one matches. */
export function parseTypedMove(moves: readonly Move[], text: string): Move | undefined {
  const normalize = (move: string): string =>
    move
      .replace(/[\s+#!?=]/g, "")
      .replace(/[–—]/g, "-")
      .replace(/[×:*]/g, "x");
  const typed = normalize(text);
  if (!typed) return undefined;
  const exact = moves.filter((move) => normalize(move.text) === typed || normalize(move.notation) === typed);
  if (exact.length === 1) return exact[0];
  const matching = moves.filter((move) =>
    [normalize(move.text), normalize(move.notation), ...["x", "-", ""].map((separator) => move.path.join(separator))]
      .map((form) => form.toLowerCase())
      .includes(typed.toLowerCase()),
  );
  return matching.length === 1 ? matching[0] : undefined;
}
