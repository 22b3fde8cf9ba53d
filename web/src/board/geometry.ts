/** The positions of squares on the displayed board, which may be flipped. A cell is 100 units wide. */

import type { Facts } from "./types";

export const CELL = 100;

export interface Point {
  x: number;
  y: number;
}

interface Place {
  row: number;
  column: number;
}

/** The width of the border around the cells, in units. */
export function borderWidth(style: Facts["style"]): number {
  return style === "connect4" ? 22 : style === "lines" || style === "grid" ? 18 : 16;
}

export class Geometry {
  readonly pad: number;
  readonly width: number;
  readonly height: number;
  private readonly places = new Map<string, Place>();
  private readonly names = new Map<string, string>();

  constructor(
    readonly facts: Facts,
    readonly flipped: boolean,
  ) {
    this.pad = borderWidth(facts.style);
    this.width = facts.columns * CELL + 2 * this.pad;
    this.height = facts.rows * CELL + 2 * this.pad;
    for (const square of facts.squares) {
      this.places.set(square.name, square);
      this.names.set(`${square.row} ${square.column}`, square.name);
    }
  }

  /** The displayed row and column of a square, counted from the top left. */
  displayed(square: string): Place {
    const place = this.places.get(square) ?? { row: 0, column: 0 };
    return this.flipped ? this.rotated(place) : place;
  }

  private rotated({ row, column }: Place): Place {
    return { row: this.facts.rows - 1 - row, column: this.facts.columns - 1 - column };
  }

  has(square: string): boolean {
    return this.places.has(square);
  }

  /** The square displayed at a row and column. */
  squareIn(row: number, column: number): string | undefined {
    const place = this.flipped ? this.rotated({ row, column }) : { row, column };
    return this.names.get(`${place.row} ${place.column}`);
  }

  /** The centre of a square, in units. */
  centre(square: string): Point {
    const { row, column } = this.displayed(square);
    return { x: (column + 0.5) * CELL, y: (row + 0.5) * CELL };
  }

  /** The square at a point given in units; undefined outside the board. */
  squareAt(point: Point): string | undefined {
    return this.squareIn(Math.floor(point.y / CELL), Math.floor(point.x / CELL));
  }

  /** Whether a square lies strictly between two others on a straight line. */
  isBetween(square: string, from: string, to: string): boolean {
    const [a, b, c] = [this.displayed(from), this.displayed(square), this.displayed(to)];
    const cross = (b.row - a.row) * (c.column - a.column) - (b.column - a.column) * (c.row - a.row);
    if (cross !== 0) return false;
    const dot = (b.row - a.row) * (c.row - a.row) + (b.column - a.column) * (c.column - a.column);
    const length = (c.row - a.row) ** 2 + (c.column - a.column) ** 2;
    return dot > 0 && dot < length;
  }

  /** The ends of the longest straight runs of adjacent squares. */
  longestRuns(squares: readonly string[]): [string, string][] {
    const members = new Set(squares);
    const runs: { from: string; to: string; length: number }[] = [];
    for (const from of squares) {
      const { row, column } = this.displayed(from);
      for (const [down, right] of [
        [0, 1],
        [1, 0],
        [1, 1],
        [1, -1],
      ] as const) {
        const memberAt = (step: number): string | undefined => {
          const square = this.squareIn(row + step * down, column + step * right);
          return square && members.has(square) ? square : undefined;
        };
        let [to, length] = [from, 1];
        for (let next = memberAt(1); next; next = memberAt(length)) [to, length] = [next, length + 1];
        runs.push({ from, to, length });
      }
    }
    const longest = Math.max(2, ...runs.map((run) => run.length));
    return runs.filter((run) => run.length === longest).map((run) => [run.from, run.to]);
  }

  /**
   * The next square in a direction, for the arrow keys. Unused cells are skipped. On boards that use every
   * other cell, moving up or down zigzags between two adjacent columns.
   */
  neighbour(square: string, down: number, right: number): string | undefined {
    const { row, column } = this.displayed(square);
    if (right !== 0) {
      for (let next = column + right; next >= 0 && next < this.facts.columns; next += right) {
        const neighbour = this.squareIn(row, next);
        if (neighbour) return neighbour;
      }
      return undefined;
    }
    const side = row % 2 === 0 ? -1 : 1;
    for (const shift of [0, side, -side]) {
      const neighbour = this.squareIn(row + down, column + shift);
      if (neighbour) return neighbour;
    }
    return undefined;
  }
}
