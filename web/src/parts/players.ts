/** Players: levels, trained players, and agents by their specs. */

import { api, unwrap, type Schemas } from "../api/client";
import { catalog, gameFacts, type GameFacts } from "../state/catalog.svelte";
import { hasLimit } from "./agent-spec";
import { count, formatRating } from "./format";

export interface LearnedPlayer {
  player: string;
  label: string;
}

/** The players trained for a game: the newest checkpoint of each run, then its earlier ones; empty if unavailable. */
export async function learnedPlayers(game: string): Promise<LearnedPlayer[]> {
  try {
    const runs = await unwrap(api.GET("/api/training/runs"));
    return runs
      .filter((run) => run.game === game && run.checkpoints.length > 0)
      .flatMap((run) => {
        const earlier = run.checkpoints.slice(0, -1).reverse();
        const title = `Run ${run.id}: ${run.title},`;
        return [
          { player: `checkpoint ${run.id}`, label: `${title} ${count(run.job.done, "game")}` },
          ...earlier.map(({ player, step }) => ({ player, label: `${title} after ${count(step, "game")}` })),
        ];
      });
  } catch {
    return [];
  }
}

/** Whether a player limits its work per move: true for levels, trained players, and agents with a limit option. */
export function hasOwnLimit(player: string, facts: GameFacts | undefined): boolean {
  if (facts?.levels.some((level) => level.name === player) || player.startsWith("checkpoint ")) return true;
  return hasLimit(player, catalog);
}

/** A level with its rating: "Hard, 1420 ±30". */
export function levelLabel(level: Schemas["LevelView"]): string {
  const rating = formatRating(level);
  return rating ? `${level.name}, ${rating}` : level.name;
}

/** A short name for a player: "Medium", "run 3 (200 games)", "mcts". */
export function shortName(player: string): string {
  const checkpoint = /^checkpoint (\d+)(?:\/(\d+))?$/.exec(player);
  if (checkpoint)
    return checkpoint[2] ? `run ${checkpoint[1]} (${count(Number(checkpoint[2]), "game")})` : `run ${checkpoint[1]}`;
  return player.length > 24 ? player.replace(/\(.*/s, "") : player;
}

/** The players of a game: "Medium – mcts". */
export function matchTitle({ game, seats }: Pick<Schemas["GameBrief"], "game" | "seats">): string {
  const sides = gameFacts(game)?.sides ?? Object.keys(seats);
  return sides.map((side) => shortName(seats[side]?.name ?? side)).join(" – ");
}
