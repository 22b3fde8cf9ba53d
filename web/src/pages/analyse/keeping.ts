/** Taking an analysed game elsewhere: into the library, under a link, into a file, onto the clipboard. */

import { api, got } from "../../api/client";
import { notice } from "../../state/notices.svelte";
import type { Study } from "./study.svelte";

/** The main line as a file of Plyground's own format. */
export function asJson(study: Study): string {
  const { given } = study;
  return JSON.stringify(
    {
      format: "plyground-game",
      version: 1,
      game: given?.game,
      start: given?.start ?? null,
      moves: study.main.slice(1).map((step) => step.move),
      outcome: endOf(study),
      players: given?.players ?? {},
      seed: null,
      started: null,
    },
    null,
    1,
  );
}

/** How the game ended, as long as the line is that of the game. */
function endOf(study: Study): { winner: string | null; reason: string } | null {
  const { given } = study;
  const over = study.main.at(-1)?.board.outcome ?? (given && given.moves.length === study.main.length - 1 ? given.outcome : null);
  return over ? { winner: over.winner, reason: over.reason } : null;
}

/** Keeps the main line in the library; its number there. */
export async function keep(study: Study): Promise<number> {
  const files = [{ name: "analysis.json", text: asJson(study) }];
  const report = (await got(api.POST("/api/library/import", { body: { files, tags: [] } }))).files[0];
  const number = report?.added[0] ?? report?.already[0];
  if (number === undefined) throw new Error(report?.error ?? report?.broken[0]?.reason ?? "The game could not be kept.");
  return number;
}

/** A link under which others see the game; a game that is kept nowhere is kept first. */
export async function share(study: Study): Promise<{ address: string; record: number | null }> {
  if (study.play !== null && study.record === null) {
    const { address } = await got(api.POST("/api/games/{game_id}/share", { params: { path: { game_id: study.play } } }));
    return { address: new URL(address, location.origin).href, record: null };
  }
  const record = study.record ?? (await keep(study));
  const { address } = await got(api.POST("/api/library/{record_id}/share", { params: { path: { record_id: record } } }));
  return { address: new URL(address, location.origin).href, record };
}

/** Copies a text; where the clipboard is closed, shows it. */
export async function copy(text: string, said: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notice(said);
  } catch {
    notice(text);
  }
}

/** Where the game can be fetched as a file; null where only this page has it. */
export function exportAddress(study: Study, format: string): string | null {
  if (study.record !== null) return `/api/library/${study.record}/export?format=${format}`;
  if (study.play !== null) return `/api/games/${study.play}/export?format=${format}`;
  return null;
}

/** Hands a text over as a file. */
export function save(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
