/** What is known of each ply of the main line: by the review, by the engine, or by what agents thought while they played. */

import type { Engine } from "./engine.svelte";
import type { Review } from "./review.svelte";
import { movesTo, type Study } from "./study.svelte";

export interface Point {
  /** For the side that begins, 0 to 1. */
  value: number;
  win: number;
  draw: number;
}

/** Splits a value into win, draw and loss; without a better word, as two even chances would fall. */
function band(value: number, draws: number | null): Point {
  const draw = Math.min(draws ?? 2 * value * (1 - value), 2 * value, 2 * (1 - value));
  return { value, win: value - draw / 2, draw };
}

export function graphPoints(study: Study, review: Review, engine: Engine): (Point | null)[] {
  void engine.thought;
  const { given, facts } = study;
  if (!given || !facts) return [];
  const last = review.view?.last_value_first ?? null;
  return study.main.map((step, ply) => {
    const outcome = step.board.outcome ?? (ply === given.moves.length && ply === study.main.length - 1 ? given.outcome : null);
    if (outcome) return outcome.winner === null ? band(0.5, 1) : band(outcome.winner === facts.sides[0] ? 1 : 0, 0);
    const seen = review.byPly.get(ply);
    if (seen) return { value: seen.value_first, win: seen.win, draw: seen.draw };
    if (last !== null && ply === study.main.length - 1) return band(last, null);
    const thought = engine.of(given.game, given.start, movesTo(step));
    if (thought?.value_first != null) return band(thought.value_first, thought.draw);
    const belief = given.beliefs?.[ply];
    return belief == null ? null : band(belief, null);
  });
}
