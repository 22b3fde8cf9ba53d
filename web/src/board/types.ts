/** The data that a board displays: squares, piece letters and move paths. A board does not know the game's rules. */

import type { Schemas } from "../api/client";

export type Facts = Pick<
  Schemas["GameFacts"],
  | "style"
  | "input"
  | "rows"
  | "columns"
  | "squares"
  | "sides"
  | "bottom"
  | "pieces"
  | "numbered"
  | "column_labels"
  | "row_labels"
>;
export type Cells = Readonly<Record<string, string>>;
export type Move = Schemas["MoveView"];

/** An arrow along a path of squares; a path of one square is drawn as a ring. */
export interface Arrow {
  path: readonly string[];
  kind: "hint" | "line" | "last";
  /** A short label on the arrow. */
  label?: string;
  /** Determines the width and opacity of the arrow, from 0 to 1 (default 1). */
  weight?: number;
}
