/** What screen readers are told of a square: where it is, what stands there, what can be done with it. */

import type { Geometry } from "./geometry";
import type { Target } from "./narrow";
import type { Drawn } from "./shapes";
import type { Cells, Move } from "./types";

export interface Seen {
  geometry: Geometry;
  drawn: ReadonlyMap<string, Drawn>;
  cells: Cells;
  moves: readonly Move[];
  path: readonly string[];
  targets: readonly Target[];
  urgent: readonly string[];
  winning: readonly string[];
}

function place(square: string, geometry: Geometry): string {
  const { facts } = geometry;
  if (facts.input !== "drop") return square;
  const { row, column } = geometry.seen(square);
  return `column ${facts.column_labels[column] ?? column + 1}, row ${facts.rows - row}`;
}

/** Such as "c3, black man, must capture". */
export function squareLabel(square: string, seen: Seen): string {
  const letter = seen.cells[square];
  const piece = letter === undefined ? undefined : seen.drawn.get(letter);
  const words = [place(square, seen.geometry), piece ? `${piece.side} ${piece.name}` : "empty"];
  const target = seen.targets.find((one) => one.square === square);
  const begins = seen.moves.filter((move) => move.path[0] === square);
  if (seen.winning.includes(square)) words.push("in the winning line");
  else if (seen.path[0] === square) words.push("picked up");
  else if (target) words.push(target.captures ? "capture here" : "move here");
  else if (begins.length > 0 && begins.every((move) => move.path.length === 1)) words.push("can be played");
  else if (begins.length > 0) words.push(seen.urgent.includes(square) && begins.some((move) => move.captures.length > 0) ? "must capture" : "can move");
  return words.join(", ");
}
