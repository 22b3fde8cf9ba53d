/** Keys of the analysis, as people know them from other boards. */

import { shortcuts } from "../../state/keys.svelte";
import type { Study } from "./study.svelte";

interface Doing {
  flip: () => void;
  engine: () => void;
  tree: () => void;
  suggestion: (at: number) => void;
  mistake: (step: 1 | -1) => void;
}

export function analyseKeys(study: Study, doing: Doing): () => void {
  return shortcuts([
    { keys: ["ArrowLeft"], words: "One move back", group: "Moves", run: () => study.back() },
    { keys: ["ArrowRight"], words: "One move on", group: "Moves", run: () => study.on() },
    { keys: ["ArrowUp", "Home"], shown: "↑", words: "To the start", group: "Moves", run: () => study.first() },
    { keys: ["ArrowDown", "End"], shown: "↓", words: "To the end of the line", group: "Moves", run: () => study.last() },
    { keys: ["n"], words: "Next mistake", group: "Review", run: () => doing.mistake(1) },
    { keys: ["p"], words: "Mistake before", group: "Review", run: () => doing.mistake(-1) },
    { keys: [" "], words: "Engine on and off", group: "Engine", run: doing.engine },
    { keys: ["t"], words: "Search tree", group: "Engine", run: doing.tree },
    {
      keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"],
      shown: "1–9",
      words: "Play the engine's n-th suggestion",
      group: "Engine",
      run: (key) => doing.suggestion(Number(key) - 1),
    },
    { keys: ["f"], words: "Flip the board", group: "Board", run: doing.flip },
  ]);
}
