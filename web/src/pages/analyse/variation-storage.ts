/** Stores recent analyses in the tab's session storage, so that unsaved changes survive a reload. */

import type { GameLine } from "./game-tree";

const KEY = "plyground.analyses";
const MAX_ANALYSES = 8;
/** Total length of all stored analyses, in characters. */
const MAX_LENGTH = 500_000;

type TextStorage = Pick<Storage, "getItem" | "setItem">;

function readEntries(storage: TextStorage): [string, unknown][] {
  try {
    const entries: unknown = JSON.parse(storage.getItem(KEY) ?? "[]");
    return Array.isArray(entries)
      ? entries.filter((one): one is [string, unknown] => Array.isArray(one) && typeof one[0] === "string")
      : [];
  } catch {
    return [];
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether stored data has the outer shape of a line; the server checks the rest. */
function isLine(value: unknown): value is GameLine {
  return isObject(value) && Array.isArray(value.moves) && isObject(value.notes) && isObject(value.variations);
}

/** Returns the stored analysis of a game, or null; `key` comes from `gameKey`. */
export function loadAnalysis(key: string, storage: TextStorage = sessionStorage): GameLine | null {
  const line = readEntries(storage).find(([name]) => name === key)?.[1];
  return isLine(line) ? line : null;
}

/**
 * Stores the analysis of a game and deletes the one under its previous key; the key changes with the main line. Null
 * deletes both.
 */
export function storeAnalysis(
  key: string,
  previousKey: string,
  line: GameLine | null,
  storage: TextStorage = sessionStorage,
): void {
  const others = readEntries(storage).filter(([name]) => name !== key && name !== previousKey);
  const entries: [string, unknown][] = line ? [[key, line], ...others] : others;
  let text = JSON.stringify(entries.slice(0, MAX_ANALYSES));
  for (let count = Math.min(MAX_ANALYSES, entries.length) - 1; text.length > MAX_LENGTH; count -= 1)
    text = JSON.stringify(entries.slice(0, count));
  try {
    storage.setItem(KEY, text);
  } catch {
    // Storage is unavailable or full: the analysis will be lost on reload.
  }
}
