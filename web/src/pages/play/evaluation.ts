/** The best known evaluation of the position on the Play page: exact, by the engine, or by the opponent. */

import { playerName } from "../../board-page/announcements";
import type { GameView } from "../../board-page/board-controller.svelte";
import type { Analysis } from "../../board-page/engine.svelte";
import { exactEvaluation, searchEvaluation, type Evaluation } from "../../parts/evaluation";

export interface LatestAnalyses {
  /** The latest analysis by the visitor's engine. */
  engine: Analysis | null;
  /** The latest analysis by the opponent, of the position before its last move or of the current one. */
  opponent: Analysis | null;
}

/** Returns the evaluation of the position at a ply; null if there is none. */
export function playEvaluation(
  game: GameView,
  ply: number,
  sides: readonly string[],
  { engine, opponent }: LatestAnalyses,
): Evaluation | null {
  for (const analysis of [engine, opponent]) {
    const exact = analysis && exactAt(game, ply, sides, analysis);
    if (exact) return exact;
  }
  const own = engine?.ply === ply ? searchEvaluation(engine, "Engine", sides) : null;
  if (own) return own;
  const isLatest = opponent && (opponent.ply === ply || opponent.ply === ply - 1);
  const theirs = isLatest ? searchEvaluation(opponent, playerName(game, opponent.turn), sides) : null;
  return theirs ?? recordedEvaluation(game, ply);
}

/** The exact value of the position at a ply, from an analysis of it or of the position before it. */
function exactAt(game: GameView, ply: number, sides: readonly string[], analysis: Analysis): Evaluation | null {
  if (analysis.ply === ply && analysis.exact) return exactEvaluation(analysis.exact, analysis.turn, sides);
  if (analysis.ply !== ply - 1) return null;
  const played = game.moves[ply - 1]?.text;
  const exact = analysis.moves.find((move) => move.move === played)?.exact;
  if (!exact) return null;
  const distance = exact.distance === null ? null : exact.distance - 1;
  return exactEvaluation({ ...exact, distance }, analysis.turn, sides);
}

/** The latest evaluation stored with a move up to a ply. Forced moves are played without a search and have none. */
function recordedEvaluation(game: GameView, ply: number): Evaluation | null {
  const move = game.moves.slice(0, ply + 1).findLast((one) => one.value_first !== null);
  if (!move || move.value_first === null) return null;
  return { value: move.value_first, source: playerName(game, move.side), result: null };
}
