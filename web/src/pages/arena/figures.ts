/** Figures of tables: shares with their intervals, places of bars. */

/** Points a game of wins, draws and losses; null without a game. */
export function score(cell: { wins: number; draws: number; losses: number }): number | null {
  const games = cell.wins + cell.draws + cell.losses;
  return games === 0 ? null : (cell.wins + cell.draws / 2) / games;
}

/**
 * The 95 % interval of points a game (Wilson). Draws vary less than wins and losses do, so with draws it is a little wider
 * than it need be, never narrower.
 */
export function scoreInterval(cell: { wins: number; draws: number; losses: number }): [number, number] | null {
  const games = cell.wins + cell.draws + cell.losses;
  const mean = score(cell);
  if (mean === null) return null;
  const z = 1.96;
  const wide = 1 + (z * z) / games;
  const middle = (mean + (z * z) / (2 * games)) / wide;
  const half = (z * Math.sqrt((mean * (1 - mean)) / games + (z * z) / (4 * games * games))) / wide;
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

/** Points as tables print them: 3, 3½, ½. */
export function points(cell: { wins: number; draws: number }): string {
  const halves = 2 * cell.wins + cell.draws;
  const whole = Math.floor(halves / 2);
  return halves % 2 === 0 ? String(whole) : `${whole === 0 ? "" : whole}½`;
}

export interface Spread {
  rating: number;
  low: number;
  high: number;
}

/** The ends of an axis that holds all intervals, a little wider than they. */
export function axisOf(spreads: readonly Spread[]): [number, number] {
  if (spreads.length === 0) return [0, 1];
  const low = Math.min(...spreads.map((one) => one.low));
  const high = Math.max(...spreads.map((one) => one.high));
  const room = Math.max(1, (high - low) * 0.04);
  return [low - room, high + room];
}

/** A likelihood in words that do not claim more than it says: "97 %", "over 99 %". */
export function likelihood(value: number): string {
  if (value > 0.995) return "over 99 %";
  if (value < 0.005) return "under 1 %";
  return `${Math.round(value * 100)} %`;
}
