/** Square labels for screen readers. */

import type { Geometry } from "./geometry";
import type { Target } from "./move-input";
import type { PieceDrawing } from "./piece-drawings";
import type { Cells, Move } from "./types";

export interface BoardView {
  geometry: Geometry;
  drawings: ReadonlyMap<string, PieceDrawing>;
  cells: Cells;
  moves: readonly Move[];
  path: readonly string[];
  targets: readonly Target[];
  highlighted: readonly string[];
  winningLine: readonly string[];
}

function squareName(square: string, geometry: Geometry): string {
  const { facts } = geometry;
  if (facts.input !== "drop") return square;
  const { row, column } = geometry.displayed(square);
  return `column ${facts.column_labels[column] ?? column + 1}, row ${facts.rows - row}`;
}

/** The label of a square, such as "c3, black man, must capture". */
export function squareLabel(square: string, view: BoardView): string {
  const letter = view.cells[square];
  const piece = letter === undefined ? undefined : view.drawings.get(letter);
  const parts = [squareName(square, view.geometry), piece ? `${piece.side} ${piece.name}` : "empty"];
  const target = view.targets.find((candidate) => candidate.square === square);
  const starting = view.moves.filter((move) => move.path[0] === square);
  if (view.winningLine.includes(square)) parts.push("in the winning line");
  else if (view.path[0] === square) parts.push("picked up");
  else if (target) parts.push(target.captures ? "capture here" : "move here");
  else if (starting.length > 0 && starting.every((move) => move.path.length === 1)) parts.push("can be played");
  else if (starting.length > 0)
    parts.push(
      view.highlighted.includes(square) && starting.some((move) => move.captures.length > 0)
        ? "must capture"
        : "can move",
    );
  return parts.join(", ");
}
