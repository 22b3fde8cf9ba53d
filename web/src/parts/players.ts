/** Who may sit at a board: levels, what was learned here, and agents by their specs. */

import { api, got, type Schemas } from "../api/client";
import { rating } from "./numbers";
import { factsOf, type GameFacts } from "../state/catalog.svelte";

export interface Learned {
  player: string;
  words: string;
}

/** What training runs of a game have learned so far, the newest first, and at earlier checkpoints; empty where that cannot be asked. */
export async function learnedPlayers(game: string): Promise<Learned[]> {
  try {
    const runs = await got(api.GET("/api/training/runs"));
    return runs
      .filter((run) => run.game === game && run.work.done > 0)
      .flatMap((run) => {
        const earlier = run.checkpoints.slice(0, -1).reverse();
        const called = `Run ${run.id}: ${run.title},`;
        return [{ player: `checkpoint ${run.id}`, words: `${called} ${run.work.done} games` }, ...earlier.map((one) => ({ player: one.player, words: `${called} after ${one.step} games` }))];
      });
  } catch {
    return [];
  }
}

/** A level in a list: "Hard, 1420 ±30". */
export function levelWords(level: Schemas["LevelView"]): string {
  const measured = rating(level);
  return measured ? `${level.name}, ${measured}` : level.name;
}

/** Specs that show what can be written, for a game. */
export function examples(facts: GameFacts): string[] {
  const plain = ["mcts(simulations=2000)", "mcts(seconds=1)", "alphabeta(depth=6)", "flat(playouts=50)", "minimax(depth=4)", "random"];
  return facts.id === "connect4" || facts.id === "tictactoe" ? ["solver", ...plain] : plain;
}

/** How a player is called where there is little room: "Medium", "run 3 at 200", "mcts". */
export function shortName(player: string): string {
  const learned = /^checkpoint (\d+)(?:\/(\d+))?$/.exec(player);
  if (learned) return learned[2] ? `run ${learned[1]} at ${learned[2]}` : `run ${learned[1]}`;
  return player.length > 24 ? player.replace(/\(.*/s, "") : player;
}

/** Who plays whom in a game of a list: "Medium – mcts". */
export function opponents({ game, seats }: Pick<Schemas["GameBrief"], "game" | "seats">): string {
  const sides = factsOf(game)?.sides ?? Object.keys(seats);
  return sides.map((side) => shortName(seats[side]?.name ?? side)).join(" – ");
}
