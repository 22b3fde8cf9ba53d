/** Keyboard shortcuts for the Play page. */

import type { Engine } from "../../board-page/engine.svelte";
import type { HoldToggle } from "../../state/hold-toggle";
import { registerShortcuts, suggestionShortcut } from "../../state/shortcuts.svelte";
import type { PlayGame } from "./play-game.svelte";

/** Registers the shortcuts; returns a function that removes them. */
export function playShortcuts(board: PlayGame, engine: Engine, previous: HoldToggle, newGame: () => void): () => void {
  return registerShortcuts([
    ...board.shortcuts,
    { keys: ["h"], description: "Hint (each press shows more)", group: "Game", run: () => void board.nextHint() },
    {
      keys: ["u"],
      description: "Undo your last move",
      group: "Game",
      run: () => void (board.game?.can_undo && board.undo()),
    },
    {
      keys: ["b"],
      description: "Show the position before the last move (hold, or press twice)",
      group: "Game",
      run: (_, time) => previous.press(time),
      release: (time) => previous.release(time),
    },
    { keys: ["n"], description: "New game", group: "Game", run: newGame },
    { keys: [" "], description: "Start or stop the engine", group: "Engine", run: () => engine.toggle() },
    suggestionShortcut((at) => {
      const move = board.suggestions[at];
      if (move && engine.analysis?.ply === board.lastPly) board.playText(move);
    }),
    {
      keys: ["m"],
      description: "Make the opponent move now",
      group: "Engine",
      run: () => void (board.game?.thinking && board.moveNow()),
    },
  ]);
}
