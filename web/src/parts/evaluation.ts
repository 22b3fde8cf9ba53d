/** Evaluations of positions and moves as text, with their source. */

import type { Schemas } from "../api/client";
import { capitalise, describeResult, percent, plusMinus } from "./format";

type Result = Schemas["ExactView"]["result"];
type MoveAnalysis = Schemas["MoveAnalysisView"];
type Analysis = Pick<Schemas["AnalysisView"], "value_first" | "proven" | "distance" | "turn">;

/** The evaluation of a position and its source. */
export interface Evaluation {
  /** The expected score of the first player, 0 to 1. */
  value: number;
  /** "Exact", "Engine", "Review" or the name of a player. */
  source: string;
  /** The result under perfect play: "Black wins in 17 plies"; null if it is not proven. */
  result: string | null;
}

/** The value of a move: "61%", or "≤ 47%" if the search only knows that it is at most 47%; "–" if unknown. */
export function valueText({ value, bound }: Pick<MoveAnalysis, "value" | "bound">): string {
  if (value === null) return "–";
  return `${bound === "upper" ? "≤ " : bound === "lower" ? "≥ " : ""}${percent(value)}`;
}

/** The confidence interval of a value: "±2"; empty for a value that is unknown, exact or a bound. */
export function intervalText({
  value,
  bound,
  low,
  high,
}: Pick<MoveAnalysis, "value" | "bound" | "low" | "high">): string {
  return value !== null && bound === null && low !== null && high !== null && low < high ? plusMinus(low, high) : "";
}

/** The proven result of a move, from tables, a solver or the search; null if it is not proven. */
export function provenText(move: Pick<MoveAnalysis, "exact" | "proven" | "distance">): string | null {
  if (move.exact) return describeResult(move.exact.result, move.exact.distance);
  return move.proven ? describeResult(move.proven, move.distance) : null;
}

/** The result of a position with `turn` to move, as text that names the winner. */
function resultText(result: Result, distance: number | null, turn: string, sides: readonly string[]): string {
  if (result === "draw") return "Draw with best play";
  const winner = result === "win" ? turn : (sides.find((side) => side !== turn) ?? "");
  return `${capitalise(winner)} wins${distance ? ` in ${distance} ${distance === 1 ? "ply" : "plies"}` : ""}`;
}

/** The exact evaluation of a position with `turn` to move. */
export function exactEvaluation(
  exact: Pick<Schemas["ExactView"], "result" | "distance">,
  turn: string,
  sides: readonly string[],
): Evaluation {
  const value = exact.result === "win" ? 1 : exact.result === "loss" ? 0 : 0.5;
  return {
    value: turn === sides[0] ? value : 1 - value,
    source: "Exact",
    result: resultText(exact.result, exact.distance, turn, sides),
  };
}

/** The evaluation by a search; null if it has no value. */
export function searchEvaluation(
  analysis: Analysis | null,
  source: string,
  sides: readonly string[],
): Evaluation | null {
  if (!analysis || analysis.value_first === null) return null;
  const { value_first: value, proven, distance, turn } = analysis;
  return { value, source, result: proven ? resultText(proven, distance, turn, sides) : null };
}
