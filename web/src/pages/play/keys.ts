/** Keys of a game, as people know them from other boards. */

import type { Hold } from "../../state/hold";
import { shortcuts, stepKeys, suggestionKeys } from "../../state/keys.svelte";
import type { Table } from "./table.svelte";

interface Doing {
  flip: () => void;
  before: Hold;
  engine: () => void;
  newGame: () => void;
  suggestion: (at: number) => void;
}

export function playKeys(table: Table, doing: Doing): () => void {
  return shortcuts([
    ...stepKeys(table),
    { keys: ["h"], words: "Hint: each press tells more", group: "Game", run: () => void table.nextHint() },
    { keys: ["u"], words: "Take back to your own turn", group: "Game", run: () => void (table.game?.can_undo && table.undo()) },
    { keys: ["b"], words: "The board before the last move: hold, or press twice", group: "Game", run: (_, time) => doing.before.press(time), release: (time) => doing.before.release(time) },
    { keys: ["f"], words: "Flip the board", group: "Game", run: doing.flip },
    { keys: ["n"], words: "New game", group: "Game", run: doing.newGame },
    { keys: [" "], words: "Engine on and off", group: "Engine", run: doing.engine },
    suggestionKeys(doing.suggestion),
    { keys: ["m"], words: "Let the opponent move now", group: "Engine", run: () => void (table.game?.thinking && table.moveNow()) },
  ]);
}
