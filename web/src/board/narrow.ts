/**
 * A move is a path of squares, narrowed press by press among the legal ones. No rules: only the paths that the server
 * listed.
 */

import type { Move } from "./types";

export type Pressed =
  | { kind: "play"; move: Move }
  | { kind: "path"; path: string[] }
  | { kind: "choice"; moves: Move[] }
  /** Several ways lead there; the squares on the way tell them apart. */
  | { kind: "unclear" }
  | { kind: "nothing" };

const last = (move: Move): string | undefined => move.path.at(-1);

function follows(move: Move, path: readonly string[]): boolean {
  return path.every((square, at) => move.path[at] === square);
}

/** The legal moves that begin with a path. */
export function candidates(moves: readonly Move[], path: readonly string[]): Move[] {
  return moves.filter((move) => follows(move, path));
}

/** Plays the only move left, asks where several have the same path, else goes on. */
function settle(found: Move[], path: string[]): Pressed {
  const [only] = found;
  if (only && found.length === 1) return { kind: "play", move: only };
  if (found.every((move) => move.path.length === path.length)) return { kind: "choice", moves: found };
  return { kind: "path", path };
}

function first(moves: readonly Move[], square: string): Pressed {
  const [only] = moves;
  const forced = only && moves.length === 1 && only.captures.length > 0;
  if (forced && (only.path[0] === square || last(only) === square)) return { kind: "play", move: only };
  const found = moves.filter((move) => move.path[0] === square);
  if (found.length === 0) return { kind: "nothing" };
  if (found.every((move) => move.path.length === 1)) return settle(found, [square]);
  return { kind: "path", path: [square] };
}

function common(moves: readonly Move[]): string[] {
  const [one, ...others] = moves;
  if (!one) return [];
  const end = one.path.findIndex((square, at) => others.some((move) => move.path[at] !== square));
  return end < 0 ? one.path : one.path.slice(0, end);
}

/**
 * What pressing a square means when `path` is already picked. `visited` are squares that a dragged piece went over:
 * they tell long ways with the same end apart.
 */
export function press(moves: readonly Move[], path: readonly string[], square: string, visited: readonly string[] = []): Pressed {
  if (path.length === 0) return first(moves, square);
  const open = candidates(moves, path);
  const next = open.filter((move) => move.path[path.length] === square);
  if (next.length > 0) return settle(next, [...path, square]);
  const whole = open.filter((move) => move.path.length === path.length);
  if (whole.length > 0 && square === path.at(-1)) return settle(whole, [...path]);
  const ends = open.filter((move) => last(move) === square);
  if (ends.length === 1) return settle(ends, [...path]);
  if (ends.length > 1) {
    const walked = ends.filter((move) => move.path.every((step) => visited.includes(step)));
    if (walked.length === 1) return settle(walked, [...path]);
    const shared = common(ends);
    if (shared.length > path.length) return settle(ends, shared);
    return { kind: "unclear" };
  }
  if (square === path[0]) return { kind: "nothing" };
  return first(moves, square);
}

export interface Target {
  square: string;
  captures: boolean;
  /** The end of a longer way rather than its next square. */
  far: boolean;
}

/** Where the piece can go: the next squares, and the ends of longer ways that are clear. */
export function targets(moves: readonly Move[], path: readonly string[]): Target[] {
  if (path.length === 0) return [];
  const open = candidates(moves, path);
  const found = new Map<string, Target>();
  for (const move of open) {
    const end = last(move);
    if (!end || move.path.length <= path.length + 1) continue;
    if (open.filter((other) => last(other) === end).length === 1) {
      found.set(end, { square: end, captures: move.captures.length > 0, far: true });
    }
  }
  for (const move of open) {
    const next = move.path[path.length];
    if (next) found.set(next, { square: next, captures: move.captures.length > 0, far: false });
  }
  return [...found.values()];
}

/** The legal move that somebody wrote, by its text or as books print it; case and spaces do not count. */
export function written(moves: readonly Move[], text: string): Move | undefined {
  const plain = (word: string): string => word.replace(/[\s+#!?=]/g, "").replace(/[–—]/g, "-").replace(/[×:*]/g, "x");
  const wanted = plain(text);
  if (!wanted) return undefined;
  const exact = moves.filter((move) => plain(move.text) === wanted || plain(move.notation) === wanted);
  if (exact.length === 1) return exact[0];
  const loose = (word: string): string => plain(word).toLowerCase();
  const likely = moves.filter((move) =>
    [loose(move.text), loose(move.notation), move.path.join("x").toLowerCase(), move.path.join("-").toLowerCase(), move.path.join("").toLowerCase()].includes(loose(text)),
  );
  return likely.length === 1 ? likely[0] : undefined;
}
