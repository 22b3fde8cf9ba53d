/** Evaluations of the main line, from the review, the engine or the agents that played the game. */

import type { AnalysisEngine } from "./engine.svelte";
import { movesTo } from "./game-tree";
import type { Review } from "./review.svelte";
import type { Study } from "./study.svelte";

/** An evaluation from the first player's point of view; all numbers are between 0 and 1. */
export interface Point {
  /** The source of the evaluation: "Review", "Engine", a player's name, or "Result" at the end of the game. */
  source: string;
  value: number;
  win: number;
  draw: number;
}

/** Splits a value v into win and draw probabilities. If the draw rate is unknown, it is estimated as 2v(1 - v). */
function pointOf(source: string, value: number, drawRate: number | null): Point {
  const draw = Math.min(drawRate ?? 2 * value * (1 - value), 2 * value, 2 * (1 - value));
  return { source, value, win: value - draw / 2, draw };
}

/** Returns a point for each ply of the main line; null for plies without an evaluation. */
export function graphPoints(study: Study, review: Review, engine: AnalysisEngine): (Point | null)[] {
  void engine.analysis;
  const { source, facts, lastPly } = study;
  if (!source || !facts) return [];
  const { game, start } = source;
  const lastValue = review.view?.last_value_first ?? null;
  return study.mainLine.map((node, ply) => {
    const isEnd = ply === source.moves.length && ply === lastPly;
    const outcome = node.board.outcome ?? (isEnd ? source.outcome : null);
    if (outcome)
      return outcome.winner === null
        ? pointOf("Result", 0.5, 1)
        : pointOf("Result", outcome.winner === facts.sides[0] ? 1 : 0, 0);
    const reviewed = review.byPly.get(ply);
    if (reviewed?.value_first != null) return pointOf("Review", reviewed.value_first, reviewed.draw);
    if (lastValue !== null && ply === lastPly) return pointOf("Review", lastValue, null);
    const analysis = engine.analysisOf({ game, start, moves: movesTo(node) });
    if (analysis?.value_first != null) return pointOf("Engine", analysis.value_first, analysis.draw);
    const played = source.evaluations?.[ply];
    return played == null ? null : pointOf(source.players?.[node.board.turn] ?? "Players", played, null);
  });
}
