/** Keyboard shortcuts for the Analyse page. */

import { registerShortcuts, suggestionShortcut } from "../../state/shortcuts.svelte";
import type { AnalysisBoard } from "./analysis-board.svelte";

/** Registers the shortcuts; returns a function that removes them. */
export function analyseShortcuts(board: AnalysisBoard, toggleTree: () => void): () => void {
  return registerShortcuts([
    ...board.shortcuts,
    { keys: ["n"], description: "Next mistake", group: "Review", run: () => board.goToMistake(1) },
    { keys: ["p"], description: "Previous mistake", group: "Review", run: () => board.goToMistake(-1) },
    { keys: [" "], description: "Start or stop the engine", group: "Engine", run: () => board.toggleEngine() },
    { keys: ["t"], description: "Show or hide the search tree", group: "Engine", run: toggleTree },
    suggestionShortcut((index) => board.playSuggestion(index)),
  ]);
}
