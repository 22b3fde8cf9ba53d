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

/** What the selection takes a node to be worth: what it has won, with what it is judged to be worth weighed in. */
function worth(formula: Columns["formula"], node: TreeNode): number {
  if (node.judged === null) return node.value;
  return (1 - formula.minimax) * node.value + formula.minimax * node.judged;
}

/** The sum by which a node is compared with its siblings: the highest is visited next. */
export function score(formula: Columns["formula"], node: TreeNode): number {
  return worth(formula, node) + node.bonus;
}

/** The formula of a node under its parent; null of the root, which nobody chooses. */
export function fillFormula(formula: Columns["formula"], node: TreeNode): Filled | null {
  const { parent, visits: n, bonus } = node;
  if (!parent) return null;
  const [N, c, m] = [parent.visits, formula.c, formula.minimax];
  const value = worth(formula, node);
  const sum = score(formula, node);
  const filled = { value, bonus, score: sum };
  if (n === 0) return { ...filled, letters: "not yet tried", numbers: "not yet tried: goes before all others" };
  const first =
    node.judged === null
      ? { letters: "value", numbers: digits(value) }
      : {
          letters: "(1 − m)·value + m·judged",
          numbers: `${constant(1 - m)}·${digits(node.value)} + ${constant(m)}·${digits(node.judged)}`,
        };
  switch (formula.name) {
    case "uct":
      return {
        ...filled,
        letters: `${first.letters} + c·√(ln N / n)`,
        numbers: `${first.numbers} + ${constant(c)}·√(ln ${N} / ${n}) = ${digits(sum)}`,
      };
    case "puct": {
      const prior = N > 0 && c > 0 ? (bonus * (1 + n)) / (c * Math.sqrt(N)) : 0;
      return {
        ...filled,
        letters: `${first.letters} + c·P·√N / (1 + n)`,
        numbers: `${first.numbers} + ${constant(c)}·${digits(prior)}·√${N} / (1 + ${n}) = ${digits(sum)}`,
      };
    }
    default:
      return { ...filled, letters: `${first.letters} + bonus`, numbers: `${first.numbers} + ${digits(bonus)} = ${digits(sum)}` };
  }
}

/** What the letters stand for. */
export const LETTERS: readonly (readonly [string, string])[] = [
  ["value", "what the side that moves here has won of the tries so far"],
  ["judged", "what the positions below are judged to be worth if both sides choose the best of them"],
  ["m", "how much of that is weighed in"],
  ["c", "how curious the search is"],
  ["N", "visits of the node above"],
  ["n", "visits of this node"],
];
