/** Numbers as the page writes them: short, of steady width, with their unit. */

/** 950, 4.8 k, 48 k, 1.2 M. */
export function short(value: number): string {
  if (value < 1000) return String(Math.round(value));
  if (value < 9950) return `${(value / 1000).toFixed(1)} k`;
  if (value < 999_500) return `${Math.round(value / 1000)} k`;
  if (value < 9_950_000) return `${(value / 1e6).toFixed(1)} M`;
  if (value < 999_500_000) return `${Math.round(value / 1e6)} M`;
  return `${(value / 1e9).toFixed(1)} G`;
}

/** 0 to 1 as "61 %". */
export function percent(value: number): string {
  return `${Math.round(value * 100)} %`;
}

/** Half the width of an interval in points of a hundred: "±2". */
export function spread(low: number, high: number): string {
  const half = ((high - low) / 2) * 100;
  return `±${half < 1 ? half.toFixed(1) : Math.round(half)}`;
}

/** A rating with its interval: "1180 ±35". */
export function rating(level: { rating: number | null; low: number | null; high: number | null }): string {
  if (level.rating === null) return "";
  const half = level.low !== null && level.high !== null ? Math.round((level.high - level.low) / 2) : 0;
  return `${Math.round(level.rating)}${half > 0 ? ` ±${half}` : ""}`;
}

/** Plies to a proven end in words: "win in 17". */
export function known(value: "win" | "draw" | "loss", distance: number | null): string {
  return distance === null || value === "draw" ? value : `${value} in ${distance}`;
}

/** What lasts: "4 s", "3 min", "2 h 10 min". */
export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
