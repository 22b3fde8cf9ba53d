/** Results of stored games, from the user's point of view if they played one side. */

import type { Schemas } from "../../api/client";
import { capitalise } from "../../parts/format";

type Game = Pick<Schemas["RecordBrief"], "players" | "outcome">;

/** The name of a human player in records. */
export const HUMAN = "human";

export interface Result {
  kind: "won" | "lost" | "draw" | "other" | "open";
  label: string;
}

/** The display name of a player. */
export function playerName(game: Game, side: string): string {
  const player = game.players[side] ?? "";
  if (player === "") return "?";
  if (player !== HUMAN) return player;
  return humanSides(game).length === 2 ? capitalise(side) : "You";
}

function humanSides(game: Game): string[] {
  return Object.keys(game.players).filter((side) => game.players[side] === HUMAN);
}

export function result(game: Game): Result {
  const { outcome } = game;
  if (!outcome) return { kind: "open", label: "Unfinished" };
  if (outcome.winner === null) return { kind: "draw", label: "Draw" };
  const humans = humanSides(game);
  if (humans.length === 1)
    return outcome.winner === humans[0] ? { kind: "won", label: "You won" } : { kind: "lost", label: "You lost" };
  return { kind: "other", label: `${capitalise(outcome.winner)} won` };
}
