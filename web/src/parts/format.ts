/** Numbers and results as text. */

/** A number in compact form: "950", "4.8k", "48k", "1.2M", "3.0G". */
export function compactNumber(value: number): string {
  if (value < 1000) return String(Math.round(value));
  if (value < 9950) return `${(value / 1000).toFixed(1)}k`;
  if (value < 999_500) return `${Math.round(value / 1000)}k`;
  if (value < 9_950_000) return `${(value / 1e6).toFixed(1)}M`;
  if (value < 999_500_000) return `${Math.round(value / 1e6)}M`;
  return `${(value / 1e9).toFixed(1)}G`;
}

/** A fraction between 0 and 1 as "61%". */
export function percent(value: number): string {
  return `${Math.round(value * 100)}%`;
}

/** Half the width of an interval between 0 and 1, in percentage points: "±2". */
export function plusMinus(low: number, high: number): string {
  const half = ((high - low) / 2) * 100;
  return `±${half < 1 ? half.toFixed(1) : Math.round(half)}`;
}

/** A rating with its confidence interval: "1180 ±35"; empty if unrated. */
export function formatRating(level: { rating: number | null; low: number | null; high: number | null }): string {
  if (level.rating === null) return "";
  const half = level.low !== null && level.high !== null ? Math.round((level.high - level.low) / 2) : 0;
  return `${Math.round(level.rating)}${half > 0 ? ` ±${half}` : ""}`;
}

/** A proven result with its distance in plies: "win in 17". */
export function describeResult(result: "win" | "draw" | "loss", distance: number | null): string {
  return distance === null || result === "draw" ? result : `${result} in ${distance}`;
}

/** A duration: "4 s", "3 min", "2 h 10 min". */
export function formatDuration(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A number with a noun: "1 game", "1,200 games". */
export function count(value: number, singular: string, plural = `${singular}s`): string {
  return `${value.toLocaleString("en")} ${value === 1 ? singular : plural}`;
}

/** A number of plies: "1 ply", "24 plies". */
export function plyCount(plies: number): string {
  return count(plies, "ply", "plies");
}

/** The name of a setting as a label: "random_fraction" as "Random fraction", "lambda_" as "Lambda", "c" as "c". */
export function displayName(name: string): string {
  const text = name.replace(/_+$/, "").replace(/[_-]+/g, " ");
  return text.length === 1 ? text : capitalise(text);
}

export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
