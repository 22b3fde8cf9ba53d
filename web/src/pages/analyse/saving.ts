/** Saves a study, with comments, NAGs and variations, to the library or a file, or shares it as a link. */

import { api, unwrap } from "../../api/client";
import type { Study } from "./study.svelte";

export type Format = "json" | "pdn" | "pgn";

/** Exports the study or, for a stored game without changes, everything stored about it. Returns the file contents. */
export async function exportGame(study: Study, format: Format): Promise<string> {
  const { recordId, gameId, source } = study;
  if (recordId !== null && !study.isChanged) {
    const params = { path: { record_id: recordId }, query: { format } };
    return unwrap(api.GET("/api/library/{record_id}/export", { params, parseAs: "text" })) as Promise<string>;
  }
  if (gameId !== null && !study.isChanged) {
    const params = { path: { game_id: gameId }, query: { format } };
    return unwrap(api.GET("/api/games/{game_id}/export", { params, parseAs: "text" })) as Promise<string>;
  }
  const body = {
    game: source?.game ?? "",
    text: source?.start ?? null,
    ...study.tree,
    players: { ...source?.players },
    headers: { ...source?.headers },
    format,
  };
  return unwrap(api.POST("/api/exports", { body, parseAs: "text" })) as Promise<string>;
}

/** Returns the outcome of the main line: by the rules or, if the line is the whole game, as recorded. */
function outcomeOf(study: Study): { winner: string | null; reason: string } | null {
  const { source } = study;
  const recorded = source && source.moves.length === study.lastPly ? source.outcome : null;
  const outcome = study.mainLine.at(-1)?.board.outcome ?? recorded;
  return outcome ? { winner: outcome.winner, reason: outcome.reason } : null;
}

/** Saves the main line to the library and returns its ID there. */
export async function saveToLibrary(study: Study): Promise<string> {
  const record = JSON.parse(await exportGame(study, "json")) as { outcome?: unknown; started?: unknown };
  record.outcome ??= outcomeOf(study);
  record.started ??= study.source?.started ?? null;
  const files = [{ name: "analysis.json", text: JSON.stringify(record) }];
  const report = (await unwrap(api.POST("/api/library/import", { body: { files, tags: [] } }))).files[0];
  const id = report?.added[0] ?? report?.duplicates[0];
  if (id === undefined) throw new Error(report?.error ?? report?.failed[0]?.reason ?? "The game could not be saved.");
  return id;
}

/** Saves the comments, NAGs and variations of a stored game of the visitor. */
export async function saveChanges(study: Study): Promise<void> {
  const line = study.savable;
  const params = { path: { record_id: study.recordId ?? "" } };
  await unwrap(api.PUT("/api/library/{record_id}/annotations", { params, body: line }));
  study.markSaved(line);
}

/** Creates a share link. A game that is not stored anywhere is saved to the library first. */
export async function shareGame(study: Study): Promise<{ url: string; recordId: string | null }> {
  const { gameId } = study;
  const absolute = (address: string): string => new URL(address, location.origin).href;
  if (gameId !== null && study.recordId === null) {
    const { address } = await unwrap(api.POST("/api/games/{game_id}/share", { params: { path: { game_id: gameId } } }));
    return { url: absolute(address), recordId: null };
  }
  const recordId = study.recordId ?? (await saveToLibrary(study));
  const params = { path: { record_id: recordId } };
  const { address } = await unwrap(api.POST("/api/library/{record_id}/share", { params }));
  return { url: absolute(address), recordId };
}

/** Downloads text as a file. */
export function downloadText(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
