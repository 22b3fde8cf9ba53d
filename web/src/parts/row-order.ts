/** The order of the moves in the search panel, which updates ten times per second. */

interface Ranked {
  move: string;
  visits: number;
  share: number;
  value: number | null;
  bound: "lower" | "upper" | null;
}

/** Compares two moves by visit share, visits, whether the value is known or only a bound, and value, in this order. */
function compare(a: Ranked, b: Ranked): number {
  const known = (move: Ranked): number => (move.value === null ? 0 : move.bound === null ? 2 : 1);
  return b.share - a.share || b.visits - a.visits || known(b) - known(a) || (b.value ?? 0) - (a.value ?? 0);
}

/** Return the moves by strength, the search's best move first. */
export function rankMoves(moves: readonly Ranked[], best: string | null): string[] {
  return [...moves]
    .sort((a, b) => Number(b.move === best) - Number(a.move === best) || compare(a, b))
    .map((move) => move.move);
}

/**
 * Return the moves in their previous order while the search is running, new moves last. When it has stopped, sort
 * them by strength.
 */
export function keepOrder(
  previous: readonly string[],
  moves: readonly Ranked[],
  running: boolean,
  best: string | null,
): string[] {
  const ranked = rankMoves(moves, best);
  if (!running) return ranked;
  const kept = previous.filter((move) => ranked.includes(move));
  return [...kept, ...ranked.filter((move) => !kept.includes(move))];
}
