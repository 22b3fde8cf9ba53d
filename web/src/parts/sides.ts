/** The colours of a game's two sides, as their pieces have them. */

import type { Facts } from "../board/types";

/** A colour token for a side. */
export function sideColour(facts: Pick<Facts, "look" | "sides">, side: string): string {
  const first = facts.sides[0] === side;
  switch (facts.look) {
    case "connect4":
      return first ? "var(--red)" : "var(--yellow)";
    case "lines":
      return first ? "var(--ink-first)" : "var(--ink-second)";
    default:
      if (side === "white") return "var(--disc-white)";
      if (side === "black") return "var(--disc-black)";
      return first ? "var(--disc-black)" : "var(--disc-white)";
  }
}

/** The symbol of a side's plainest piece, for a small picture beside its name. */
export function sideSymbol(facts: Pick<Facts, "look" | "sides">, side: string): string {
  const first = facts.sides[0] === side;
  switch (facts.look) {
    case "checkers":
      return `disc-${side}`;
    case "chess":
      return `chess-${side}-king`;
    case "connect4":
      return first ? "drop-red" : "drop-yellow";
    case "lines":
      return first ? "mark-x" : "mark-o";
    default:
      return first ? "stone-first" : "stone-second";
  }
}
