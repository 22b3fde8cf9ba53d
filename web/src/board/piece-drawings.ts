/** The drawings of a game's pieces. */

import type { Facts } from "./types";

export interface PieceDrawing {
  /** ID of a symbol in PieceSymbols.svelte. */
  symbol: string;
  /** The text on a plain stone if its side has several kinds of pieces; otherwise null. */
  text: string | null;
  side: string;
  name: string;
  /** Index of the side; 0 moves first. */
  sideIndex: number;
}

/** The drawings, keyed by piece letter. */
export function pieceDrawings(facts: Facts): Map<string, PieceDrawing> {
  const drawings = new Map<string, PieceDrawing>();
  for (const piece of facts.pieces) {
    const sideIndex = Math.max(0, facts.sides.indexOf(piece.side));
    const kinds = facts.pieces.filter((other) => other.side === piece.side).length;
    drawings.set(piece.letter, {
      symbol: symbolId(facts.style, piece.side, piece.name, sideIndex),
      text: facts.style === "grid" && kinds > 1 ? piece.letter : null,
      side: piece.side,
      name: piece.name,
      sideIndex,
    });
  }
  return drawings;
}

function symbolId(style: Facts["style"], side: string, name: string, sideIndex: number): string {
  switch (style) {
    case "checkers":
      return `${name === "king" ? "king" : "disc"}-${side}`;
    case "chess":
      return `chess-${side}-${name}`;
    case "connect4":
      return `drop-${sideIndex === 0 ? "red" : "yellow"}`;
    case "lines":
      return sideIndex === 0 ? "mark-x" : "mark-o";
    default:
      return sideIndex === 0 ? "stone-first" : "stone-second";
  }
}
