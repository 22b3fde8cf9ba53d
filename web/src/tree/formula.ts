/** The selection formula of a search, with the values of a node filled in. */

import type { Columns, TreeNode } from "./model";

type Formula = Columns["formula"];

export interface FilledFormula {
  /** With symbols: "value + c·√(ln N / n)". */
  symbols: string;
  /** With numbers: "0.541 + 1.41·√(ln 48210 / 9120) = 0.590". */
  numbers: string;
}

const digits = (value: number): string => value.toFixed(3);
const constant = (c: number): string => String(Math.round(c * 100) / 100);

/** The exploitation term: the mean value, mixed with the minimax value if the formula uses one. */
function exploitation(formula: Formula, node: TreeNode): number {
  if (node.minimax === null) return node.value;
  return (1 - formula.minimax_weight) * node.value + formula.minimax_weight * node.minimax;
}

/** The formula of a node; null for the root, which is never selected. */
export function fillFormula(formula: Formula, node: TreeNode): FilledFormula | null {
  const { parent, visits: n, exploration } = node;
  if (!parent) return null;
  if (n === 0) return { symbols: "not visited yet", numbers: "not visited yet: selected before all visited nodes" };
  const [N, c, m] = [parent.visits, formula.c, formula.minimax_weight];
  // What RAVE and progressive bias add to the score.
  const added = node.score - exploitation(formula, node) - node.exploration;
  const hasMore = Math.abs(added) > 0.002;
  const [more, score] = [hasMore ? ` ${added < 0 ? "−" : "+"} ${digits(Math.abs(added))}` : "", digits(node.score)];
  const other = hasMore ? " + other terms" : "";
  const value =
    node.minimax === null
      ? { symbols: "value", numbers: digits(node.value) }
      : {
          symbols: "(1 − m)·value + m·minimax",
          numbers: `${constant(1 - m)}·${digits(node.value)} + ${constant(m)}·${digits(node.minimax)}`,
        };
  switch (formula.name) {
    case "uct":
      return {
        symbols: `${value.symbols} + c·√(ln N / n)${other}`,
        numbers: `${value.numbers} + ${constant(c)}·√(ln ${N} / ${n})${more} = ${score}`,
      };
    case "puct": {
      const prior = N > 0 && c > 0 ? (exploration * (1 + n)) / (c * Math.sqrt(N)) : 0;
      return {
        symbols: `${value.symbols} + c·P·√N / (1 + n)${other}`,
        numbers: `${value.numbers} + ${constant(c)}·${digits(prior)}·√${N} / (1 + ${n})${more} = ${score}`,
      };
    }
    default:
      return {
        symbols: `${value.symbols} + exploration${other}`,
        numbers: `${value.numbers} + ${digits(exploration)}${more} = ${score}`,
      };
  }
}

/** The symbols in the formulas and their meanings. */
export const SYMBOLS: readonly (readonly [string, string])[] = [
  ["value", "mean result for the side that moved here, 0 to 1"],
  ["minimax", "minimax value of the subtree for the side that moved here, 0 to 1"],
  ["m", "weight of the minimax value"],
  ["c", "exploration constant"],
  ["P", "prior probability of the move"],
  ["N", "visits to the parent"],
  ["n", "visits to this node"],
  ["other terms", "RAVE and progressive bias, if the search uses them"],
];
