/** Which drawing stands for a letter. */

import type { Facts } from "./types";

export interface Drawn {
  /** Id of a symbol of Defs.svelte. */
  symbol: string;
  /** Letters on a plain stone, where a side has several kinds of pieces. */
  text: string | null;
  side: string;
  name: string;
  /** 0 for the side that begins. */
  order: number;
}

/** The drawings of a game's letters. */
export function drawings(facts: Facts): Map<string, Drawn> {
  const found = new Map<string, Drawn>();
  for (const piece of facts.pieces) {
    const order = Math.max(0, facts.sides.indexOf(piece.side));
    const kinds = facts.pieces.filter((other) => other.side === piece.side).length;
    found.set(piece.letter, {
      symbol: symbolOf(facts.look, piece.side, piece.name, order),
      text: facts.look === "grid" && kinds > 1 ? piece.letter : null,
      side: piece.side,
      name: piece.name,
      order,
    });
  }
  return found;
}

function symbolOf(look: Facts["look"], side: string, name: string, order: number): string {
  switch (look) {
    case "checkers":
      return `${name === "king" ? "king" : "disc"}-${side}`;
    case "chess":
      return `chess-${side}-${name}`;
    case "connect4":
      return `drop-${order === 0 ? "red" : "yellow"}`;
    case "lines":
      return order === 0 ? "mark-x" : "mark-o";
    default:
      return order === 0 ? "stone-first" : "stone-second";
  }
}
