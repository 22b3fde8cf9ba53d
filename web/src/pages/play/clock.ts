/** Formats seconds as on a game clock: "0:04.2", "12:30", "1:00:00". */
export function clockTime(seconds: number): string {
  const remaining = Math.max(0, seconds);
  if (remaining < 10) return `0:0${remaining.toFixed(1)}`;
  const total = Math.floor(remaining);
  const minutes = Math.floor(total / 60);
  const pad = (value: number): string => String(value).padStart(2, "0");
  if (minutes >= 60) return `${Math.floor(minutes / 60)}:${pad(minutes % 60)}:${pad(total % 60)}`;
  return `${minutes}:${pad(total % 60)}`;
}
