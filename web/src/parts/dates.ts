/** Moments as people say them. */

const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const full = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const exact = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** "just now", "12 min ago", "3 h ago", "14 Nov", "14 Nov 2023". */
export function ago(moment: string, now = new Date()): string {
  const then = new Date(moment);
  const seconds = (now.getTime() - then.getTime()) / 1000;
  if (!Number.isFinite(seconds)) return "";
  if (seconds < 60) return "just now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 20 * 3600) return `${Math.floor(seconds / 3600)} h ago`;
  return then.getFullYear() === now.getFullYear() ? day.format(then) : full.format(then);
}

/** Date and time. */
export function moment(text: string): string {
  const then = new Date(text);
  return Number.isFinite(then.getTime()) ? exact.format(then) : "";
}
