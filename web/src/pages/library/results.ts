/** How a kept game ended, from the visitor's point of view where there is one. */

import type { Schemas } from "../../api/client";

type Game = Pick<Schemas["RecordBrief"], "players" | "outcome">;

/** What records call a person. */
export const HUMAN = "human";

export interface Result {
  /** For a badge: never told by colour alone. */
  kind: "won" | "lost" | "draw" | "other" | "open";
  words: string;
}

/** A player's name as a list shows it. */
export function playerName(game: Game, side: string): string {
  const player = game.players[side] ?? "";
  if (player === "") return "?";
  if (player !== HUMAN) return player;
  return people(game).length === 2 ? side.charAt(0).toUpperCase() + side.slice(1) : "You";
}

function people(game: Game): string[] {
  return Object.keys(game.players).filter((side) => game.players[side] === HUMAN);
}

export function result(game: Game): Result {
  const { outcome } = game;
  if (!outcome) return { kind: "open", words: "Unfinished" };
  if (outcome.winner === null) return { kind: "draw", words: "Draw" };
  const own = people(game);
  if (own.length === 1) return outcome.winner === own[0] ? { kind: "won", words: "You won" } : { kind: "lost", words: "You lost" };
  return { kind: "other", words: `${outcome.winner.charAt(0).toUpperCase()}${outcome.winner.slice(1)} won` };
}
