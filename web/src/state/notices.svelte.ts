/** Words to the visitor: short notices at the foot of the page, and one polite live region for screen readers. */

import { ApiError } from "../api/client";

export interface Notice {
  id: number;
  text: string;
  kind: "plain" | "error";
  action?: { words: string; run: () => void };
}

let count = 0;
export const notices: Notice[] = $state([]);
export const spoken = $state({ text: "" });

/** Shows a notice; it goes by itself after a while, errors after a longer one. */
export function notice(text: string, options: { kind?: Notice["kind"]; action?: Notice["action"] } = {}): void {
  const kind = options.kind ?? "plain";
  if (notices.some((other) => other.text === text)) return;
  count += 1;
  const id = count;
  notices.push({ id, text, kind, action: options.action });
  if (notices.length > 3) notices.shift();
  setTimeout(() => dismiss(id), kind === "error" ? 10_000 : 5_000);
}

export function dismiss(id: number): void {
  const place = notices.findIndex((other) => other.id === id);
  if (place >= 0) notices.splice(place, 1);
}

/** Says one sentence to screen readers, politely; the same sentence twice is said twice. */
export function say(text: string): void {
  spoken.text = spoken.text === text ? `${text}\u00a0` : text;
}

/** The sentence of an error that can be shown. */
export function words(error: unknown): string {
  return error instanceof ApiError ? error.message.charAt(0).toUpperCase() + error.message.slice(1) : "Something went wrong on this page. Reload it to go on.";
}

/** Copies a text and says so; where the clipboard is closed, shows it. */
export async function copy(text: string, said: string, shown = text): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notice(said);
  } catch {
    notice(shown);
  }
}

/** Shows an error. */
export function fault(error: unknown): void {
  notice(words(error), { kind: "error" });
}
