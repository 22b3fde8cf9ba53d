/** Stores the variations of recent analyses in the tab's session storage, so that they survive a reload. */

import type { GameNode } from "./game-tree";

/** A move and the moves played after it; the first child continues the line. */
export interface MoveBranch {
  move: string;
  children: MoveBranch[];
}

const KEY = "plyground.branches";
const MAX_ANALYSES = 8;
/** Total length of all stored analyses, in characters. */
const MAX_LENGTH = 200_000;
/** Limits on the lines restored from one analysis. */
const MAX_PLIES = 2000;
const MAX_LINES = 60;

type TextStorage = Pick<Storage, "getItem" | "setItem">;

export function branchesOf(node: Pick<GameNode, "children">): MoveBranch[] {
  return node.children.map((child) => ({ move: child.move, children: branchesOf(child) }));
}

/** Returns the lines from the start to each leaf, at most `MAX_LINES` of them. */
export function linesOf(branches: readonly MoveBranch[]): string[][] {
  const lines: string[][] = [];
  const visit = (branch: MoveBranch, before: readonly string[]): void => {
    const line = [...before, branch.move];
    if (branch.children.length === 0 || line.length >= MAX_PLIES) lines.push(line);
    else for (const child of branch.children) visit(child, line);
  };
  for (const branch of branches) visit(branch, []);
  return lines.slice(0, MAX_LINES);
}

/** The moves up to the first fork, then its branches. */
type Packed = (string | Packed[])[];

function pack(branches: readonly MoveBranch[]): Packed {
  const packed: Packed = [];
  let here = branches;
  for (let only = here[0]; only && here.length === 1; only = here[0]) {
    packed.push(only.move);
    here = only.children;
  }
  if (here.length > 0) packed.push(here.map((branch) => pack([branch])));
  return packed;
}

/** Unpacks stored variations. Ignores data of any other shape, which another version may have stored. */
function unpack(packed: unknown): MoveBranch[] {
  if (!Array.isArray(packed)) return [];
  const last: unknown = packed.at(-1);
  let branches = Array.isArray(last) ? last.flatMap(unpack) : [];
  const moves = Array.isArray(last) ? packed.slice(0, -1) : packed;
  for (const move of moves.reverse()) if (typeof move === "string") branches = [{ move, children: branches }];
  return branches;
}

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

/** Returns the stored variations of a game; `key` comes from `gameKey`. */
export function loadVariations(key: string, storage: TextStorage = sessionStorage): MoveBranch[] {
  return unpack(readEntries(storage).find(([name]) => name === key)?.[1]);
}

/**
 * Stores the variations of a game and deletes those under its previous key; the key changes with the main line. Null
 * deletes both.
 */
export function saveVariations(
  key: string,
  previousKey: string,
  branches: readonly MoveBranch[] | null,
  storage: TextStorage = sessionStorage,
): void {
  const others = readEntries(storage).filter(([name]) => name !== key && name !== previousKey);
  const entries: [string, unknown][] = branches ? [[key, pack(branches)], ...others] : others;
  let text = JSON.stringify(entries.slice(0, MAX_ANALYSES));
  for (let count = Math.min(MAX_ANALYSES, entries.length) - 1; text.length > MAX_LENGTH; count -= 1)
    text = JSON.stringify(entries.slice(0, count));
  try {
    storage.setItem(KEY, text);
  } catch {
    // Storage is unavailable or full: the variations will be lost on reload.
  }
}
