/** The game that an address asks for. */

import { api, got, type Schemas } from "../../api/client";
import type { Asked } from "./address";
import type { Given } from "./study.svelte";

export function fromRecord(record: Schemas["RecordView"]): Given {
  return { game: record.game, start: record.start, moves: record.moves, players: record.players, outcome: record.outcome, record: record.id };
}

export function fromGame(game: Schemas["GameView"]): Given {
  return {
    game: game.game,
    start: game.start,
    moves: game.moves.map((move) => move.text),
    players: Object.fromEntries(Object.entries(game.seats).map(([side, seat]) => [side, seat.name])),
    outcome: game.position.outcome,
    record: game.record,
    beliefs: game.moves.map((move) => move.value_first),
  };
}

export async function fetchGiven(asked: Asked, fallback: string): Promise<Given> {
  if (asked.record !== null) return fromRecord(await got(api.GET("/api/library/{record_id}", { params: { path: { record_id: asked.record } } })));
  if (asked.play !== null) return fromGame(await got(api.GET("/api/games/{game_id}", { params: { path: { game_id: asked.play } } })));
  return { game: asked.game ?? fallback, start: asked.start, moves: asked.moves };
}
