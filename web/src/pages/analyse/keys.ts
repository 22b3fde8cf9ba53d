/** Keys of the analysis, as people know them from other boards. */

import { shortcuts, stepKeys, suggestionKeys } from "../../state/keys.svelte";
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
    ...stepKeys(study),
    { keys: ["n"], words: "Next mistake", group: "Review", run: () => doing.mistake(1) },
    { keys: ["p"], words: "Mistake before", group: "Review", run: () => doing.mistake(-1) },
    { keys: [" "], words: "Engine on and off", group: "Engine", run: doing.engine },
    { keys: ["t"], words: "Search tree", group: "Engine", run: doing.tree },
    suggestionKeys(doing.suggestion),
    { keys: ["f"], words: "Flip the board", group: "Board", run: doing.flip },
  ]);
}
