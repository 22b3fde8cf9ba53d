/** How a search chooses among children, with the numbers filled in. */

import type { Columns, TreeNode } from "./model";

export interface Filled {
  /** With letters: "Q + c·√(ln N / n)". */
  letters: string;
  /** With numbers: "0.541 + 1.41·√(ln 48210 / 9120) = 0.590". */
  numbers: string;
  value: number;
  bonus: number;
  score: number;
}

const digits = (value: number): string => value.toFixed(3);
const constant = (c: number): string => String(Math.round(c * 100) / 100);

/** The formula of a node under its parent; null of the root, which nobody chooses. */
export function fillFormula(formula: Columns["formula"], node: TreeNode): Filled | null {
  const { parent, visits: n, value, bonus } = node;
  if (!parent) return null;
  const [N, c] = [parent.visits, formula.c];
  const score = value + bonus;
  const filled = { value, bonus, score };
  if (n === 0) return { ...filled, letters: "not yet tried", numbers: "not yet tried: goes before all others" };
  switch (formula.name) {
    case "uct":
      return {
        ...filled,
        letters: "value + c·√(ln N / n)",
        numbers: `${digits(value)} + ${constant(c)}·√(ln ${N} / ${n}) = ${digits(score)}`,
      };
    case "puct": {
      const prior = N > 0 && c > 0 ? (bonus * (1 + n)) / (c * Math.sqrt(N)) : 0;
      return {
        ...filled,
        letters: "value + c·P·√N / (1 + n)",
        numbers: `${digits(value)} + ${constant(c)}·${digits(prior)}·√${N} / (1 + ${n}) = ${digits(score)}`,
      };
    }
    default:
      return { ...filled, letters: "value + bonus", numbers: `${digits(value)} + ${digits(bonus)} = ${digits(score)}` };
  }
}

/** Whether the search weighs an estimate in with the value, which the columns do not tell. */
export function isMixed(formula: Columns["formula"]): boolean {
  return formula.minimax > 0;
}

/** What the letters stand for. */
export const LETTERS: readonly (readonly [string, string])[] = [
  ["value", "what the side that moves here has won of the tries so far"],
  ["c", "how curious the search is"],
  ["N", "visits of the node above"],
  ["n", "visits of this node"],
];
