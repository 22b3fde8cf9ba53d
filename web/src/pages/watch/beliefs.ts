/** What both agents believed, move by move, as lines of a chart. */

import type { Schemas } from "../../api/client";
import type { Line } from "../../charts/lines";

const COLOURS = ["--chart-1", "--chart-2"] as const;

export interface Belief {
  side: string;
  name: string;
  /** What it thinks just now the side that begins may expect; null while it does not think. */
  now: number | null;
}

/** Points stand at the number of the move that came of the thought, the one being thought about last. */
export function beliefLines(moves: readonly Schemas["PlayedMove"][], beliefs: readonly Belief[]): { xs: number[]; lines: Line[] } {
  const live = beliefs.some((one) => one.now !== null);
  const count = moves.length + (live ? 1 : 0);
  const xs = Array.from({ length: count }, (_, at) => at + 1);
  const lines = beliefs.map((belief, place) => ({
    name: belief.name,
    colour: COLOURS[place] ?? "--chart-3",
    dashed: place > 0,
    values: xs.map((_, at) => {
      const move = moves[at];
      if (!move) return belief.now;
      return move.side === belief.side ? move.value_first : null;
    }),
  }));
  return { xs, lines };
}
