/** Keyboard shortcuts. Components register them; the `?` dialog lists them. */

import { settings } from "./settings.svelte";

export interface Shortcut {
  /** Values of `KeyboardEvent.key`. */
  keys: readonly string[];
  description: string;
  group: string;
  /** `time` is the timestamp of the key press, in milliseconds. */
  run: (key: string, time: number) => void;
  /** Called on key up. Shortcuts with this function ignore key repeats. */
  release?: (time: number) => void;
  /** The keys as the dialog shows them, if different: `1–9`. */
  label?: string;
}

/** Navigation through the moves of a game. */
export interface MoveNavigator {
  previous: () => void;
  next: () => void;
  first: () => void;
  last: () => void;
}

export function navigationShortcuts(navigator: MoveNavigator): Shortcut[] {
  const group = "Moves";
  return [
    { keys: ["ArrowLeft"], description: "Previous move", group, run: () => navigator.previous() },
    { keys: ["ArrowRight"], description: "Next move", group, run: () => navigator.next() },
    { keys: ["ArrowUp", "Home"], label: "↑", description: "First position", group, run: () => navigator.first() },
    { keys: ["ArrowDown", "End"], label: "↓", description: "Last position", group, run: () => navigator.last() },
  ];
}

/** Digit keys play the engine's suggestions; `play` receives a zero-based index. */
export function suggestionShortcut(play: (index: number) => void): Shortcut {
  return {
    keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"],
    label: "1–9",
    description: "Play the engine's nth suggestion",
    group: "Engine",
    run: (key) => play(Number(key) - 1),
  };
}

let registered: Shortcut[] = $state.raw([]);

/** Registers shortcuts; returns a function that removes them, for `$effect(() => registerShortcuts([...]))`. */
export function registerShortcuts(shortcuts: Shortcut[]): () => void {
  // Deferred, so that changing the list does not rerun the registering effect.
  queueMicrotask(() => (registered = [...registered, ...shortcuts]));
  return () => queueMicrotask(() => (registered = registered.filter((shortcut) => !shortcuts.includes(shortcut))));
}

export function registeredShortcuts(): readonly Shortcut[] {
  return registered;
}

const pendingReleases = new Map<string, (time: number) => void>();
const ARROWS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"];
const TEXT_INPUTS =
  "input:not([type=checkbox]):not([type=radio]):not([type=button]), textarea, select, [contenteditable]";
/** Elements that handle the arrow keys themselves. */
const ARROW_WIDGETS = [
  "[role=grid][data-keyed]",
  ...["tablist", "radiogroup", "slider", "tree", "listbox", "menu"].map((role) => `[role=${role}]`),
  "[type=radio]",
].join();
/** Elements that handle the space bar themselves. */
const SPACE_WIDGETS = "button, a, summary, [data-keyed] [role=gridcell], [type=checkbox], [type=radio]";

addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest(TEXT_INPUTS) || document.querySelector("dialog[open]")) return;
  const isArrow = ARROWS.includes(event.key);
  if (isArrow && target?.closest(ARROW_WIDGETS)) return;
  if (event.key === " " && target?.closest(SPACE_WIDGETS)) return;
  if (!isArrow && !settings.keys) return;
  const shortcut = registered.findLast((candidate) => candidate.keys.includes(event.key));
  if (!shortcut) return;
  event.preventDefault();
  if (shortcut.release) {
    if (event.repeat) return;
    pendingReleases.set(event.key, shortcut.release);
  }
  shortcut.run(event.key, event.timeStamp);
});

addEventListener("keyup", (event) => {
  pendingReleases.get(event.key)?.(event.timeStamp);
  pendingReleases.delete(event.key);
});
