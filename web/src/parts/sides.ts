/** The colours and symbols of a game's sides. */

import type { Facts } from "../board/types";

/** The CSS colour of a side's pieces. */
export function sideColour(facts: Pick<Facts, "style" | "sides">, side: string): string {
  const first = facts.sides[0] === side;
  switch (facts.style) {
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

/** The ID of the SVG symbol that represents a side. */
export function sideSymbol(facts: Pick<Facts, "style" | "sides">, side: string): string {
  const first = facts.sides[0] === side;
  switch (facts.style) {
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
