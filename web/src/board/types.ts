/** What a board is told. It knows squares, letters and paths, and no rules of any game. */

import type { Schemas } from "../api/client";

export type Facts = Pick<
  Schemas["GameFacts"],
  "look" | "input" | "rows" | "columns" | "squares" | "sides" | "bottom" | "pieces" | "numbered" | "column_labels" | "row_labels"
>;
export type Cells = Readonly<Record<string, string>>;
export type Move = Schemas["MoveView"];

/** An arrow along squares; a move on one square is a ring there. */
export interface Arrow {
  path: readonly string[];
  kind: "hint" | "line" | "last";
  /** A number or short text at its end. */
  label?: string;
  /** 0 to 1: how strong it is drawn. */
  weight?: number;
}
