/** Keys of the page, registered by whoever answers them, listed by the `?` dialog. */

import { settings } from "./settings.svelte";

export interface Shortcut {
  /** Values of `KeyboardEvent.key`. */
  keys: readonly string[];
  words: string;
  group: string;
  run: (key: string) => void;
  /** How the dialog writes the keys, where that differs: `1-9`. */
  shown?: string;
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
  found.run(event.key);
});
