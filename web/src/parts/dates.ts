/** Date formatting. */

const dayMonth = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const dayMonthYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const dateTime = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** The time since a date: "just now", "12 min ago", "3 h ago", "14 Nov" or "14 Nov 2023"; empty for an invalid date. */
export function timeAgo(text: string, now = new Date()): string {
  const date = new Date(text);
  const seconds = (now.getTime() - date.getTime()) / 1000;
  if (!Number.isFinite(seconds)) return "";
  if (seconds < 60) return "just now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 20 * 3600) return `${Math.floor(seconds / 3600)} h ago`;
  return date.getFullYear() === now.getFullYear() ? dayMonth.format(date) : dayMonthYear.format(date);
}

/** Date and time; empty for an invalid date. */
export function formatDateTime(text: string): string {
  const date = new Date(text);
  return Number.isFinite(date.getTime()) ? dateTime.format(date) : "";
}
