/** Sentences about a game for the status bar, the result and the screen-reader live region. */

import type { GameView } from "./board-controller.svelte";
import { capitalise } from "../parts/format";
import { shortName } from "../parts/players";

/** "You", the opponent's name or, if two people play, the side. */
export function playerName(game: GameView, side: string): string {
  const seat = game.seats[side];
  if (game.your_side === side) return "You";
  if (game.your_side === "both" || !seat) return capitalise(side);
  return shortName(seat.name);
}

/** An announcement of the changes in a game; null if there are none. */
export function describeChange(before: GameView, after: GameView): string | null {
  if (after.position.outcome && !before.position.outcome) return gameResult(after);
  const added = after.moves.slice(before.moves.length);
  if (added.length > 0) {
    const moves = added.map((move) => `${playerName(after, move.side)}: ${move.notation}.`).join(" ");
    const { forced_reason: reason, turn } = after.position;
    const isYourTurn = after.your_side === "both" || after.your_side === turn;
    return reason && isYourTurn ? `${moves} ${reason}` : moves;
  }
  if (after.moves.length < before.moves.length) return `Back to ply ${after.moves.length}. ${describeTurn(after)}`;
  return null;
}

/** A message that says whose turn it is. */
export function describeTurn(game: GameView): string {
  const { turn } = game.position;
  if (game.your_side === turn) return `Your move (you play ${turn})`;
  if (game.your_side !== "both" && game.thinking) return `${playerName(game, turn)} is thinking…`;
  return `${capitalise(turn)} to move`;
}

/** The result, from the visitor's point of view if they play one side. */
export function gameResult(game: GameView): string {
  const { outcome } = game.position;
  if (!outcome) return "";
  if (game.your_side === null || game.your_side === "both") return capitalise(outcome.text);
  if (outcome.winner === null) return "Draw";
  return `${playerName(game, outcome.winner)} won`;
}
