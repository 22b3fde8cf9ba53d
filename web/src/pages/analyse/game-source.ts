/** The game that a URL names: from the library, from a game in progress or from the URL itself. */

import { api, unwrap, type Schemas } from "../../api/client";
import type { AnalysisAddress } from "../../board-page/analysis-address";
import type { GameView } from "../../board-page/board-controller.svelte";
import type { GameLine } from "./game-tree";

export interface GameSource {
  game: string;
  start: string | null;
  moves: readonly string[];
  players?: Readonly<Record<string, string>>;
  tournament?: Schemas["TournamentRef"] | null;
  outcome?: Schemas["OutcomeView"] | null;
  /** The agents' evaluations before each move, from 0 to 1, from the first player's point of view. */
  evaluations?: readonly (number | null)[];
  /** The game's ID in the library. */
  recordId?: string | null;
  /** The moves with comments, NAGs and variations; absent if there are none. */
  line?: GameLine;
  /** Other data from a game file, such as the event. */
  headers?: Readonly<Record<string, string>>;
  started?: string | null;
  /** Whether the game belongs to the visitor, who may then change its comments and variations. */
  isOwner?: boolean;
}

export function sourceFromRecord(record: Schemas["RecordView"]): GameSource {
  return {
    game: record.game,
    start: record.start,
    moves: record.moves,
    players: record.players,
    tournament: record.tournament,
    outcome: record.outcome,
    recordId: record.id,
    line: record.tree,
    headers: record.headers,
    started: record.started,
    isOwner: record.is_owner,
  };
}

export function sourceFromGame(game: GameView): GameSource {
  return {
    game: game.game,
    start: game.start,
    moves: game.moves.map((move) => move.text),
    players: Object.fromEntries(Object.entries(game.seats).map(([side, seat]) => [side, seat.name])),
    outcome: game.position.outcome,
    recordId: game.record_id,
    evaluations: game.moves.map((move) => move.value_first),
  };
}

export async function fetchSource(address: AnalysisAddress, fallback: string): Promise<GameSource> {
  const { record, play } = address;
  if (record !== null) {
    const params = { path: { record_id: record } };
    return sourceFromRecord(await unwrap(api.GET("/api/library/{record_id}", { params })));
  }
  if (play !== null)
    return sourceFromGame(await unwrap(api.GET("/api/games/{game_id}", { params: { path: { game_id: play } } })));
  return { game: address.game ?? fallback, start: address.start, moves: address.moves };
}
