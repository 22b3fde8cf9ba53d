/** The hand at the board: what is picked up, what is dragged, which choice is open. */

import type { Geometry, Point } from "./geometry";
import { press, type Pressed } from "./narrow";
import type { Move } from "./types";

/** A press that moves farther than this, in pixels, is a drag. */
const DRAG = 5;

export interface Table {
  geometry: Geometry;
  moves: readonly Move[];
  play: (move: Move, dragged: boolean) => void;
  unclear: () => void;
}

export class Hand {
  path: string[] = $state.raw([]);
  choice: Move[] | null = $state.raw(null);
  /** Where a dragged piece is, in units. */
  drag: { square: string; point: Point } | null = $state.raw(null);
  /** The square under a mouse. */
  over: string | null = $state(null);

  private pressed: { square: string; x: number; y: number; was: boolean; pointer: number } | null = null;
  private visited: string[] = [];

  constructor(private readonly table: () => Table) {}

  /** The square that a press means: a press anywhere in a column of an upright board is one on its free cell. */
  private meant(square: string): string {
    const { geometry, moves } = this.table();
    if (geometry.facts.input !== "drop") return square;
    const { column } = geometry.seen(square);
    return moves.find((move) => move.path[0] && geometry.seen(move.path[0]).column === column)?.path[0] ?? square;
  }

  press(square: string, options: { dragged?: boolean; visited?: readonly string[] } = {}): void {
    if (this.choice) {
      this.clear();
      return;
    }
    this.take(press(this.table().moves, this.path, this.meant(square), options.visited), options.dragged ?? false);
  }

  private take(pressed: Pressed, dragged: boolean): void {
    switch (pressed.kind) {
      case "play":
        this.table().play(pressed.move, dragged);
        this.clear();
        break;
      case "path":
        this.path = pressed.path;
        break;
      case "choice":
        this.choice = pressed.moves;
        break;
      case "unclear":
        this.table().unclear();
        break;
      case "nothing":
        this.path = [];
    }
  }

  choose(move: Move): void {
    this.table().play(move, false);
    this.clear();
  }

  clear(): void {
    this.path = [];
    this.choice = null;
    this.drag = null;
    this.pressed = null;
    this.visited = [];
  }

  private point(event: PointerEvent, element: Element): Point {
    const box = element.getBoundingClientRect();
    const { facts } = this.table().geometry;
    return {
      x: ((event.clientX - box.left) / box.width) * facts.columns * 100,
      y: ((event.clientY - box.top) / box.height) * facts.rows * 100,
    };
  }

  down(event: PointerEvent, element: Element): void {
    if (event.button !== 0 || !event.isPrimary) return;
    const square = this.table().geometry.under(this.point(event, element));
    if (!square) {
      this.clear();
      return;
    }
    const was = this.path.length === 1 && this.path[0] === square;
    const held = this.path.length > 1 && this.path.at(-1) === square;
    if (!was && !held) this.press(square);
    const lifts = this.path.at(-1) === square;
    this.pressed = { square, x: event.clientX, y: event.clientY, was, pointer: event.pointerId };
    this.visited = [...this.path];
    if (lifts) element.setPointerCapture(event.pointerId);
  }

  move(event: PointerEvent, element: Element): void {
    const point = this.point(event, element);
    const square = this.table().geometry.under(point) ?? null;
    this.over = event.pointerType === "mouse" ? square : null;
    if (!this.pressed || this.pressed.pointer !== event.pointerId || this.path.at(-1) !== this.pressed.square) return;
    if (!this.drag && Math.hypot(event.clientX - this.pressed.x, event.clientY - this.pressed.y) < DRAG) return;
    this.drag = { square: this.pressed.square, point };
    if (square && !this.visited.includes(square)) this.visited.push(square);
  }

  up(event: PointerEvent, element: Element): void {
    const { pressed, drag, visited } = this;
    if (!pressed || pressed.pointer !== event.pointerId) return;
    this.pressed = null;
    this.drag = null;
    const square = this.table().geometry.under(this.point(event, element));
    if (drag) {
      if (square && square !== pressed.square) this.press(square, { dragged: true, visited });
      else if (!square) this.clear();
    } else if (pressed.was) this.clear();
  }

  leave(): void {
    this.over = null;
  }

  cancel(): void {
    this.pressed = null;
    this.drag = null;
  }
}
