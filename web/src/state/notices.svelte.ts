/** Short notices at the bottom of the page, and announcements for screen readers. */

import { ApiError } from "../api/client";

export interface Notice {
  id: number;
  text: string;
  kind: "info" | "error";
  action?: { label: string; run: () => void };
}

const MAX_NOTICES = 3;
/** How long a notice is shown, in milliseconds. */
const NOTICE_TIME = { info: 5_000, error: 10_000 } as const;

let lastId = 0;
export const notices: Notice[] = $state([]);
/** The text of the live region. */
export const announcement = $state({ text: "" });

/** Show a notice. It disappears after a few seconds. */
export function showNotice(text: string, options: { kind?: Notice["kind"]; action?: Notice["action"] } = {}): void {
  const kind = options.kind ?? "info";
  if (notices.some((notice) => notice.text === text)) return;
  lastId += 1;
  const id = lastId;
  notices.push({ id, text, kind, action: options.action });
  if (notices.length > MAX_NOTICES) notices.shift();
  setTimeout(() => dismissNotice(id), NOTICE_TIME[kind]);
}

export function dismissNotice(id: number): void {
  const index = notices.findIndex((notice) => notice.id === id);
  if (index >= 0) notices.splice(index, 1);
}

/** Announce a sentence to screen readers. Repeating the same sentence announces it again. */
export function announce(text: string): void {
  announcement.text = announcement.text === text ? `${text}\u00a0` : text;
}

/** The message of an error, for display. */
export function errorText(error: unknown): string {
  return error instanceof ApiError
    ? error.message.charAt(0).toUpperCase() + error.message.slice(1)
    : "Something went wrong. Reload the page to continue.";
}

export function showError(error: unknown): void {
  showNotice(errorText(error), { kind: "error" });
}

/** Copy text to the clipboard and confirm it; show `fallback` if the clipboard is unavailable. */
export async function copyText(text: string, confirmation: string, fallback = text): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showNotice(confirmation);
  } catch {
    showNotice(fallback);
  }
}
