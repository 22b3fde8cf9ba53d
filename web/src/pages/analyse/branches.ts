/** The branches of analyses, kept in this tab, so that a reload finds them again. */

import type { Step } from "./study.svelte";

/** A move and what was tried after it; what is gone on with comes first. */
export interface Twig {
  move: string;
  after: Twig[];
}

const KEY = "plyground.branches";
/** Analyses that are kept, and characters of all of them together. */
const MOST = 8;
const ROOM = 200_000;
/** Plies of a line, and lines of an analysis, that are grown again. */
const DEEP = 2000;
const WIDE = 60;

type Room = Pick<Storage, "getItem" | "setItem">;

/** What follows from a step. */
export function twigs(step: Pick<Step, "children">): Twig[] {
  return step.children.map((child) => ({ move: child.move, after: twigs(child) }));
}

/** Every line of the branches from the start to its end, as far as there is room. */
export function lines(from: readonly Twig[]): string[][] {
  const found: string[][] = [];
  const walk = (twig: Twig, way: readonly string[]): void => {
    const line = [...way, twig.move];
    if (twig.after.length === 0 || line.length >= DEEP) found.push(line);
    else for (const next of twig.after) walk(next, line);
  };
  for (const twig of from) walk(twig, []);
  return found.slice(0, WIDE);
}

/** The moves packed: the line as far as nothing branches off, then the branches. */
type Packed = (string | Packed[])[];

function pack(from: readonly Twig[]): Packed {
  const packed: Packed = [];
  let here = from;
  for (let only = here[0]; only && here.length === 1; only = here[0]) {
    packed.push(only.move);
    here = only.after;
  }
  if (here.length > 0) packed.push(here.map((twig) => pack([twig])));
  return packed;
}

/** Only what has the form that is expected: what is stored may be of another version. */
function unpack(packed: unknown): Twig[] {
  if (!Array.isArray(packed)) return [];
  const last: unknown = packed.at(-1);
  let here = Array.isArray(last) ? last.flatMap(unpack) : [];
  const moves = Array.isArray(last) ? packed.slice(0, -1) : packed;
  for (const move of moves.reverse()) if (typeof move === "string") here = [{ move, after: here }];
  return here;
}

function stored(room: Room): [string, unknown][] {
  try {
    const found: unknown = JSON.parse(room.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found.filter((one): one is [string, unknown] => Array.isArray(one) && typeof one[0] === "string") : [];
  } catch {
    return [];
  }
}

/** The branches of what an address names; none where none were kept. */
export function keptBranches(source: string, room: Room = sessionStorage): Twig[] {
  return unpack(stored(room).find(([name]) => name === source)?.[1]);
}

/** Keeps the branches of what an address names, in place of those of an address that it had before; null forgets them. */
export function keepBranches(source: string, former: string, branches: readonly Twig[] | null, room: Room = sessionStorage): void {
  const others = stored(room).filter(([name]) => name !== source && name !== former);
  const all: [string, unknown][] = branches ? [[source, pack(branches)], ...others] : others;
  let text = JSON.stringify(all.slice(0, MOST));
  for (let many = Math.min(MOST, all.length) - 1; text.length > ROOM; many -= 1) text = JSON.stringify(all.slice(0, many));
  try {
    room.setItem(KEY, text);
  } catch {
    // Storage is closed or full: the branches last until the page is left.
  }
}
