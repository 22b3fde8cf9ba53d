/** Scores, confidence intervals and axes for tournament tables. */

interface Results {
  wins: number;
  draws: number;
  losses: number;
}

/** The mean score per game, 0 to 1, counting a draw as 0.5; null without games. */
export function score(results: Results): number | null {
  const games = results.wins + results.draws + results.losses;
  return games === 0 ? null : (results.wins + results.draws / 2) / games;
}

/**
 * The 95% Wilson score interval of the mean score per game. Draws make the variance smaller than the binomial one, so
 * the interval is conservative.
 */
export function scoreInterval(results: Results): [number, number] | null {
  const games = results.wins + results.draws + results.losses;
  const mean = score(results);
  if (mean === null) return null;
  const z = 1.96;
  const denominator = 1 + (z * z) / games;
  const centre = (mean + (z * z) / (2 * games)) / denominator;
  const half = (z * Math.sqrt((mean * (1 - mean)) / games + (z * z) / (4 * games * games))) / denominator;
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}

/** Points as text: "3", "3½", "½". */
export function points({ wins, draws }: Pick<Results, "wins" | "draws">): string {
  const halves = 2 * wins + draws;
  const integer = Math.floor(halves / 2);
  return halves % 2 === 0 ? String(integer) : `${integer === 0 ? "" : integer}½`;
}

export interface RatingRange {
  rating: number;
  low: number;
  high: number;
}

/** The range of an axis that contains all intervals, with a margin. */
export function axisOf(ranges: readonly RatingRange[]): [number, number] {
  if (ranges.length === 0) return [0, 1];
  const low = Math.min(...ranges.map((range) => range.low));
  const high = Math.max(...ranges.map((range) => range.high));
  const margin = Math.max(1, (high - low) * 0.04);
  return [low - margin, high + margin];
}

/** A probability as "97%", never rounded to 0% or 100%. */
export function formatProbability(value: number): string {
  if (value > 0.995) return ">99%";
  if (value < 0.005) return "<1%";
  return `${Math.round(value * 100)}%`;
}
