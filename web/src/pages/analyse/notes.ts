/** Comments and numeric annotation glyphs (NAGs) as people read them. */

import type { GameNode } from "./game-tree";

/** The marks that a visitor can set; a move has at most one of them. */
export const MOVE_MARKS: readonly { nag: number; symbol: string; name: string }[] = [
  { nag: 3, symbol: "!!", name: "Brilliant move" },
  { nag: 1, symbol: "!", name: "Good move" },
  { nag: 5, symbol: "!?", name: "Interesting move" },
  { nag: 6, symbol: "?!", name: "Dubious move" },
  { nag: 2, symbol: "?", name: "Mistake" },
  { nag: 4, symbol: "??", name: "Blunder" },
];

const SYMBOLS: Readonly<Record<number, string>> = {
  ...Object.fromEntries(MOVE_MARKS.map(({ nag, symbol }) => [nag, symbol])),
  7: "□",
  10: "=",
  13: "∞",
  14: "⩲",
  15: "⩱",
  16: "±",
  17: "∓",
  18: "+−",
  19: "−+",
  22: "⨀",
  32: "⟳",
  36: "↑",
  40: "→",
  132: "⇆",
  146: "N",
};

/** Returns NAGs as text, such as `!±`; those without a symbol are written as in PGN, such as `$44`. */
export function nagText(nags: readonly number[]): string {
  return nags.map((nag) => SYMBOLS[nag] ?? `$${nag}`).join("");
}

const COMMAND = /\[%([A-Za-z]+) ([^[\]]*)\]/g;

/** Returns a comment without commands such as `[%clk 0:01:30]`. */
export function commentText(comment: string): string {
  return comment.replace(COMMAND, " ").trim().replace(/\s+/g, " ");
}

/** Returns the clock and the evaluation in a comment, such as `Clock 0:01:30 · Evaluation +0.35`. */
export function commandText(comment: string): string {
  const values = new Map([...comment.matchAll(COMMAND)].map((match) => [match[1] ?? "", match[2] ?? ""]));
  const clock = values.get("clk");
  const evaluation = values.get("eval")?.split(",")[0];
  return [clock && `Clock ${clock}`, evaluation && `Evaluation ${evaluation}`].filter(Boolean).join(" · ");
}

/** Replaces the text of a comment and keeps its commands. */
export function replaceText(comment: string, text: string): string {
  const commands = [...comment.matchAll(COMMAND)].map((match) => match[0]);
  const line = text.replace(/[{}]/g, (brace) => (brace === "{" ? "(" : ")")).replace(/\s+/g, " ");
  return [...commands, line.trim()].filter((part) => part !== "").join(" ");
}

/** Returns the NAGs after a visitor has pressed a mark: it replaces the other marks, or is removed if it is set. */
export function toggleMark(nags: readonly number[], mark: number): number[] {
  const others = nags.filter((nag) => !MOVE_MARKS.some((one) => one.nag === nag));
  return nags.includes(mark) ? others : [...others, mark];
}

/** Returns the comments on the moves of a line that are shown below their row, keyed by the ply before the move. */
export function commentsByPly(line: readonly GameNode[]): Map<number, string> {
  return new Map(
    line.slice(1).flatMap((node): [number, string][] => {
      const text = commentText(`${node.introduction} ${node.comment}`);
      return text === "" ? [] : [[node.ply - 1, text]];
    }),
  );
}
