/** The order of rows that update ten times a second. */

interface Ranked {
  move: string;
  visits: number;
  share: number;
}

/**
 * The moves in the order they had; new ones follow by rank. When the search has stopped, all by rank: the move that has
 * most of the agent's trust first.
 */
export function keepOrder(before: readonly string[], moves: readonly Ranked[], running: boolean): string[] {
  const ranked = [...moves].sort((a, b) => b.share - a.share || b.visits - a.visits).map((move) => move.move);
  if (!running) return ranked;
  const kept = before.filter((move) => ranked.includes(move));
  return [...kept, ...ranked.filter((move) => !kept.includes(move))];
}
