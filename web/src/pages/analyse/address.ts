/** Addresses of what is analysed: they can be copied and opened again. */

/** Moves in one text; moves of a user's own game may hold spaces, then a line each. */
export function packMoves(moves: readonly string[]): string {
  return moves.some((move) => move.includes(" ")) ? `${moves.join("\n")}\n` : moves.join(" ");
}

export function unpackMoves(text: string | null): string[] {
  if (!text) return [];
  return text.split(text.includes("\n") ? "\n" : " ").filter((move) => move !== "");
}

/** What an address asks for. */
export interface Asked {
  record: number | null;
  play: string | null;
  game: string | null;
  start: string | null;
  moves: string[];
  ply: number | null;
  /** Where a branch leaves the main line, and its moves. */
  from: number | null;
  line: string[];
}

function whole(text: string | null | undefined): number | null {
  return text && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

export function readAddress(parts: readonly string[], query: URLSearchParams): Asked {
  return {
    record: whole(parts[0]),
    play: query.get("play"),
    game: query.get("game"),
    start: query.get("start"),
    moves: unpackMoves(query.get("moves")),
    ply: whole(query.get("ply")),
    from: whole(query.get("from")),
    line: unpackMoves(query.get("line")),
  };
}

/** What of an address names the game, without where in it one stands. */
export function sourceOf(asked: Asked, fallback: string): string {
  if (asked.record !== null) return `record ${asked.record}`;
  if (asked.play !== null) return `play ${asked.play}`;
  return JSON.stringify([asked.game ?? fallback, asked.start, asked.moves]);
}

/** Without a ply: a game of the library is opened at its start, a game on the table and any other line at its end. */
export function opensAtEnd(asked: Pick<Asked, "record" | "play" | "moves">): boolean {
  return asked.record === null && (asked.play !== null || asked.moves.length > 0);
}

/** The address; parts of the query that are not of the game (`view`, `review`) are kept from the one before. */
export function writeAddress(asked: Asked, before: URLSearchParams): string {
  const query = new URLSearchParams();
  if (asked.record === null && asked.play !== null) query.set("play", asked.play);
  if (asked.record === null && asked.play === null) {
    if (asked.game) query.set("game", asked.game);
    if (asked.start) query.set("start", asked.start);
    if (asked.moves.length > 0) query.set("moves", packMoves(asked.moves));
  }
  if (asked.line.length > 0) {
    query.set("from", String(asked.from ?? 0));
    query.set("line", packMoves(asked.line));
  } else if (asked.ply !== null && (asked.ply > 0 || opensAtEnd(asked))) query.set("ply", String(asked.ply));
  for (const name of ["view", "review"]) {
    const value = before.get(name);
    if (value !== null) query.set(name, value);
  }
  const text = query.toString();
  return `/analyse${asked.record === null ? "" : `/${asked.record}`}${text ? `?${text}` : ""}`;
}
