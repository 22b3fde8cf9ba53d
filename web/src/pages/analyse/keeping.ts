/** Taking an analysed game elsewhere: into the library, under a link, into a file. */

import { api, got } from "../../api/client";
import type { Study } from "./study.svelte";

type Format = "json" | "pdn" | "pgn";

/** The main line as the text of a file; of a game that is kept, everything that is known of it. */
export async function written(study: Study, format: Format): Promise<string> {
  const { given } = study;
  if (study.record !== null) {
    const params = { path: { record_id: study.record }, query: { format } };
    return got(api.GET("/api/library/{record_id}/export", { params, parseAs: "text" })) as Promise<string>;
  }
  if (study.play !== null) {
    const params = { path: { game_id: study.play }, query: { format } };
    return got(api.GET("/api/games/{game_id}/export", { params, parseAs: "text" })) as Promise<string>;
  }
  const moves = study.main.slice(1).map((step) => step.move);
  const body = { game: given?.game ?? "", text: given?.start ?? null, moves, players: { ...given?.players }, format };
  return got(api.POST("/api/exports", { body, parseAs: "text" })) as Promise<string>;
}

/** How the game ended, as long as the line is that of the game. */
function endOf(study: Study): { winner: string | null; reason: string } | null {
  const { given } = study;
  const over = study.main.at(-1)?.board.outcome ?? (given && given.moves.length === study.main.length - 1 ? given.outcome : null);
  return over ? { winner: over.winner, reason: over.reason } : null;
}

/** Keeps the main line in the library; its number there. */
export async function keep(study: Study): Promise<number> {
  const record = JSON.parse(await written(study, "json")) as { outcome?: unknown };
  record.outcome ??= endOf(study);
  const files = [{ name: "analysis.json", text: JSON.stringify(record) }];
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

/** Hands a text over as a file. */
export function save(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
