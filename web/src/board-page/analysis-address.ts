/** URLs of the Analyse page. A copied URL opens the same game at the same position. */

/** The game and position named by a URL. */
export interface AnalysisAddress {
  /** The ID of a game in the library. */
  record: string | null;
  /** The ID of a game on the Play or Watch page. */
  play: string | null;
  game: string | null;
  start: string | null;
  moves: string[];
  ply: number | null;
  /** The ply at which a variation leaves the main line. */
  from: number | null;
  /** The moves of that variation. */
  line: string[];
}

/** Joins moves with spaces, or with line breaks if a move contains spaces, as in some user games. */
export function packMoves(moves: readonly string[]): string {
  return moves.some((move) => move.includes(" ")) ? `${moves.join("\n")}\n` : moves.join(" ");
}

export function unpackMoves(text: string | null): string[] {
  if (!text) return [];
  return text.split(text.includes("\n") ? "\n" : " ").filter((move) => move !== "");
}

function parseCount(text: string | null | undefined): number | null {
  return text && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

function parseId(text: string | undefined): string | null {
  return text && /^[\w-]{1,40}$/.test(text) ? text : null;
}

/** Parses an address; `parts` are the path segments after `/analyse`. */
export function readAddress(parts: readonly string[], query: URLSearchParams): AnalysisAddress {
  return {
    record: parseId(parts[0]),
    play: query.get("play"),
    game: query.get("game"),
    start: query.get("start"),
    moves: unpackMoves(query.get("moves")),
    ply: parseCount(query.get("ply")),
    from: parseCount(query.get("from")),
    line: unpackMoves(query.get("line")),
  };
}

/** A key for the game that an address names; it does not depend on the position. */
export function gameKey(address: AnalysisAddress, fallback: string): string {
  if (address.record !== null) return `record ${address.record}`;
  if (address.play !== null) return `play ${address.play}`;
  return JSON.stringify([address.game ?? fallback, address.start, address.moves]);
}

/** Whether an address without a ply opens its game at the end. Library games open at the start. */
export function opensAtEnd(address: Pick<AnalysisAddress, "record" | "play" | "moves">): boolean {
  return address.record === null && (address.play !== null || address.moves.length > 0);
}

/** Returns the URL of an address. `view` and `review` are kept from the previous query. */
export function writeAddress(address: AnalysisAddress, previous: URLSearchParams): string {
  const query = new URLSearchParams();
  if (address.record === null && address.play !== null) query.set("play", address.play);
  if (address.record === null && address.play === null) {
    if (address.game) query.set("game", address.game);
    if (address.start) query.set("start", address.start);
    if (address.moves.length > 0) query.set("moves", packMoves(address.moves));
  }
  if (address.line.length > 0) {
    query.set("from", String(address.from ?? 0));
    query.set("line", packMoves(address.line));
  } else if (address.ply !== null && (address.ply > 0 || opensAtEnd(address))) query.set("ply", String(address.ply));
  for (const name of ["view", "review"]) {
    const value = previous.get(name);
    if (value !== null) query.set(name, value);
  }
  const text = query.toString();
  return `/analyse${address.record === null ? "" : `/${address.record}`}${text ? `?${text}` : ""}`;
}
