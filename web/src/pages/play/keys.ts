/** Keys of a game, as people know them from other boards. */

import { shortcuts } from "../../state/keys.svelte";
import type { Table } from "./table.svelte";

interface Doing {
  flip: () => void;
  engine: () => void;
  newGame: () => void;
  suggestion: (at: number) => void;
}

export function playKeys(table: Table, doing: Doing): () => void {
  const at = (): number => table.looking ?? table.ply;
  return shortcuts([
    { keys: ["ArrowLeft"], words: "One move back", group: "Moves", run: () => void table.look(at() - 1) },
    { keys: ["ArrowRight"], words: "One move on", group: "Moves", run: () => void table.look(at() + 1) },
    { keys: ["ArrowUp"], words: "To the start", group: "Moves", run: () => void table.look(0) },
    { keys: ["ArrowDown"], words: "To the game as it stands", group: "Moves", run: () => void table.look(table.ply) },
    { keys: ["h"], words: "Hint: each press tells more", group: "Game", run: () => void table.nextHint() },
    { keys: ["u"], words: "Take back to your own turn", group: "Game", run: () => void (table.game?.can_undo && table.undo()) },
    { keys: ["f"], words: "Flip the board", group: "Game", run: doing.flip },
    { keys: ["n"], words: "New game", group: "Game", run: doing.newGame },
    { keys: [" "], words: "Engine on and off", group: "Engine", run: doing.engine },
    {
      keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"],
      shown: "1–9",
      words: "Play the engine's n-th suggestion",
      group: "Engine",
      run: (key) => doing.suggestion(Number(key) - 1),
    },
    { keys: ["m"], words: "Let the opponent move now", group: "Engine", run: () => void (table.game?.thinking && table.moveNow()) },
  ]);
}
