/** Where squares are. A cell is 100 units wide; the board may be seen from the other side. */

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

/** The border around the cells, in units. */
export function border(look: Facts["look"]): number {
  return look === "connect4" ? 22 : look === "lines" || look === "grid" ? 18 : 16;
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
    this.pad = border(facts.look);
    this.width = facts.columns * CELL + 2 * this.pad;
    this.height = facts.rows * CELL + 2 * this.pad;
    for (const square of facts.squares) {
      this.places.set(square.name, square);
      this.names.set(`${square.row} ${square.column}`, square.name);
    }
  }

  /** Row and column as they are seen, from the top left. */
  seen(square: string): Place {
    const place = this.places.get(square) ?? { row: 0, column: 0 };
    return this.flipped ? this.turned(place) : place;
  }

  private turned({ row, column }: Place): Place {
    return { row: this.facts.rows - 1 - row, column: this.facts.columns - 1 - column };
  }

  has(square: string): boolean {
    return this.places.has(square);
  }

  /** The square that is seen at a row and column. */
  at(row: number, column: number): string | undefined {
    const place = this.flipped ? this.turned({ row, column }) : { row, column };
    return this.names.get(`${place.row} ${place.column}`);
  }

  /** The middle of a square. */
  middle(square: string): Point {
    const { row, column } = this.seen(square);
    return { x: (column + 0.5) * CELL, y: (row + 0.5) * CELL };
  }

  /** The square at a point in units; undefined beside the board. */
  under(point: Point): string | undefined {
    return this.at(Math.floor(point.y / CELL), Math.floor(point.x / CELL));
  }

  /** Whether a square lies strictly between two others on a straight line. */
  between(square: string, from: string, to: string): boolean {
    const [a, b, c] = [this.seen(from), this.seen(square), this.seen(to)];
    const cross = (b.row - a.row) * (c.column - a.column) - (b.column - a.column) * (c.row - a.row);
    if (cross !== 0) return false;
    const dot = (b.row - a.row) * (c.row - a.row) + (b.column - a.column) * (c.column - a.column);
    const length = (c.row - a.row) ** 2 + (c.column - a.column) ** 2;
    return dot > 0 && dot < length;
  }

  /** The ends of the longest straight runs of neighbours among squares, as they are seen. */
  runs(squares: readonly string[]): [string, string][] {
    const among = new Set(squares);
    const found: { from: string; to: string; length: number }[] = [];
    for (const from of squares) {
      const { row, column } = this.seen(from);
      for (const [down, right] of [[0, 1], [1, 0], [1, 1], [1, -1]] as const) {
        const at = (step: number): string | undefined => {
          const square = this.at(row + step * down, column + step * right);
          return square && among.has(square) ? square : undefined;
        };
        let [to, length] = [from, 1];
        for (let next = at(1); next; next = at(length)) [to, length] = [next, length + 1];
        found.push({ from, to, length });
      }
    }
    const longest = Math.max(2, ...found.map((run) => run.length));
    return found.filter((run) => run.length === longest).map((run) => [run.from, run.to]);
  }

  /**
   * The next square in a direction, for the arrow keys. Places where nothing can stand are passed over; on boards
   * that use every other square, up and down zigzag along one file.
   */
  step(square: string, down: number, right: number): string | undefined {
    const { row, column } = this.seen(square);
    if (right !== 0) {
      for (let next = column + right; next >= 0 && next < this.facts.columns; next += right) {
        const found = this.at(row, next);
        if (found) return found;
      }
      return undefined;
    }
    const side = row % 2 === 0 ? -1 : 1;
    for (const shift of [0, side, -side]) {
      const found = this.at(row + down, column + shift);
      if (found) return found;
    }
    return undefined;
  }
}
