/** Keys of the page, registered by whoever answers them, listed by the `?` dialog. */

import { settings } from "./settings.svelte";

export interface Shortcut {
  /** Values of `KeyboardEvent.key`. */
  keys: readonly string[];
  words: string;
  group: string;
  /** `time` is when the key went down, in milliseconds. */
  run: (key: string, time: number) => void;
  /** When the key goes up again; such a key does not repeat. */
  release?: (time: number) => void;
  /** How the dialog writes the keys, where that differs: `1-9`. */
  shown?: string;
}

/** What can be stepped through. */
export interface Walk {
  back: () => void;
  on: () => void;
  first: () => void;
  last: () => void;
}

/** The arrows step through a game, as on other boards. */
export function stepKeys(walk: Walk): Shortcut[] {
  const group = "Moves";
  return [
    { keys: ["ArrowLeft"], words: "One move back", group, run: () => walk.back() },
    { keys: ["ArrowRight"], words: "One move on", group, run: () => walk.on() },
    { keys: ["ArrowUp", "Home"], shown: "↑", words: "To the start", group, run: () => walk.first() },
    { keys: ["ArrowDown", "End"], shown: "↓", words: "To the end", group, run: () => walk.last() },
  ];
}

/** A digit plays one of the engine's suggestions, counted from 0. */
export function suggestionKeys(play: (at: number) => void): Shortcut {
  return {
    keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"],
    shown: "1–9",
    words: "Play the engine's n-th suggestion",
    group: "Engine",
    run: (key) => play(Number(key) - 1),
  };
}

let registered: Shortcut[] = $state.raw([]);

/** Registers keys until the returned function is called; made for `$effect(() => shortcuts([...]))`. */
export function shortcuts(list: Shortcut[]): () => void {
  // A component's own change to this list must not run its effect again.
  queueMicrotask(() => (registered = [...registered, ...list]));
  return () => queueMicrotask(() => (registered = registered.filter((one) => !list.includes(one))));
}

export function registeredShortcuts(): readonly Shortcut[] {
  return registered;
}

const held = new Map<string, (time: number) => void>();
const ARROWS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"];
const TYPING = "input:not([type=checkbox]):not([type=radio]):not([type=button]), textarea, select, [contenteditable]";
const OWN_ARROWS = "[role=grid][data-keyed], [role=tablist], [role=radiogroup], [role=slider], [role=tree], [role=listbox], [role=menu], [type=radio]";

addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest(TYPING) || document.querySelector("dialog[open]")) return;
  const arrow = ARROWS.includes(event.key);
  if (arrow && target?.closest(OWN_ARROWS)) return;
  if (event.key === " " && target?.closest("button, a, summary, [data-keyed] [role=gridcell], [type=checkbox], [type=radio]")) return;
  if (!arrow && !settings.keys) return;
  const found = registered.findLast((one) => one.keys.includes(event.key));
  if (!found) return;
  event.preventDefault();
  if (found.release) {
    if (event.repeat) return;
    held.set(event.key, found.release);
  }
  found.run(event.key, event.timeStamp);
});

addEventListener("keyup", (event) => {
  held.get(event.key)?.(event.timeStamp);
  held.delete(event.key);
});
