/** The evaluations of both agents, ply by ply, as chart lines. */

import type { Schemas } from "../../api/client";
import type { Line } from "../../charts/lines";

const COLOURS = ["--chart-1", "--chart-2"] as const;

export interface Evaluator {
  side: string;
  name: string;
  /** The running search's evaluation from the first player's point of view, 0 to 1; null if no search is running. */
  current: number | null;
}

/** Each evaluation is placed at the ply of the chosen move; the evaluation of a running search comes last. */
export function evaluationLines(
  moves: readonly Schemas["PlayedMove"][],
  evaluators: readonly Evaluator[],
): { xs: number[]; lines: Line[] } {
  const isSearching = evaluators.some((one) => one.current !== null);
  const xs = Array.from({ length: moves.length + (isSearching ? 1 : 0) }, (_, at) => at + 1);
  const lines = evaluators.map((evaluator, index) => ({
    name: evaluator.name,
    colour: COLOURS[index] ?? "--chart-3",
    dashed: index > 0,
    values: xs.map((_, at) => {
      const move = moves[at];
      if (!move) return evaluator.current;
      return move.side === evaluator.side ? move.value_first : null;
    }),
  }));
  return { xs, lines };
}
