/** What is said of a game, in plain words: to the eye under the board, and once a move to screen readers. */

import type { Schemas } from "../../api/client";

type GameView = Schemas["GameView"];

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Who made a move: "You", the opponent's name, or with two people the side. */
export function mover(game: GameView, side: string): string {
  const seat = game.seats[side];
  if (game.you === side) return "You";
  if (game.you === "both" || !seat) return capital(side);
  return seat.name;
}

/** One sentence on what changed, or null where nothing did that is worth saying. */
export function describeChange(before: GameView, after: GameView): string | null {
  if (after.position.outcome && !before.position.outcome) return result(after);
  const added = after.moves.slice(before.moves.length);
  if (added.length > 0) {
    const told = added.map((move) => `${mover(after, move.side)}: ${move.notation}.`).join(" ");
    return after.position.forced && yours(after) ? `${told} ${after.position.forced}` : told;
  }
  if (after.moves.length < before.moves.length) return `Taken back to move ${after.moves.length}. ${turnWords(after)}`;
  return null;
}

function yours(game: GameView): boolean {
  return game.you === "both" || game.you === game.position.turn;
}

/** Whose turn it is. */
export function turnWords(game: GameView): string {
  const { turn } = game.position;
  if (game.you === turn) return `Your move: you play ${turn}`;
  if (game.you === "both") return `${capital(turn)} to move`;
  return game.thinking ? `${mover(game, turn)} is thinking…` : `${capital(turn)} to move`;
}

/** The result in words, from the visitor's point of view where there is one. */
export function result(game: GameView): string {
  const { outcome } = game.position;
  if (!outcome) return "";
  if (game.you === null || game.you === "both") return capital(outcome.text);
  if (outcome.winner === null) return "A draw";
  return outcome.winner === game.you ? "You won" : `${mover(game, outcome.winner)} won`;
}


/** Seconds as a clock shows them. */
export function clockTime(seconds: number): string {
  const left = Math.max(0, seconds);
  if (left < 10) return `0:0${left.toFixed(1)}`;
  const whole = Math.floor(left);
  const minutes = Math.floor(whole / 60);
  if (minutes >= 60) return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${String(whole % 60).padStart(2, "0")}`;
  return `${minutes}:${String(whole % 60).padStart(2, "0")}`;
}
