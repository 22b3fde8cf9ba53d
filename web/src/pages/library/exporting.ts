/** Games as one file: fetched one by one, joined as their format joins them. */

import { ApiError } from "../../api/client";

export type Format = "json" | "pdn" | "pgn";

const COLLECTION = "plyground-games";

/** The text of one file with all of them. PDN and PGN hold game after game; JSON is a collection. */
export function joined(texts: readonly string[], format: Format): string {
  if (texts.length === 1) return texts[0] ?? "";
  if (format !== "json") return `${texts.map((text) => text.trim()).join("\n\n")}\n`;
  const games = texts.map((text) => {
    const { version, ...game } = JSON.parse(text) as Record<string, unknown>;
    delete game["format"];
    return { version, game };
  });
  const version = games[0]?.version ?? 1;
  return `{"format": "${COLLECTION}", "version": ${JSON.stringify(version)}, "games": [\n${games.map((one) => JSON.stringify(one.game)).join(",\n")}\n]}\n`;
}

/** Fetches games and hands them to the browser as a file. */
export async function saveGames(ids: readonly number[], format: Format): Promise<void> {
  const texts: string[] = [];
  for (const id of ids) {
    const answer = await fetch(`/api/library/${id}/export?format=${format}`);
    if (!answer.ok) throw new ApiError("Error", `Game ${id} could not be written as ${format.toUpperCase()}.`, answer.status);
    texts.push(await answer.text());
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([joined(texts, format)], { type: "text/plain" }));
  link.download = ids.length === 1 ? `game-${ids[0]}.${format}` : `plyground-games.${format}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
