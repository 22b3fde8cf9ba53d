/** The state of move input: the selected path, a dragged piece and a pending choice between moves. */

import type { Geometry, Point } from "./geometry";
import { pressSquare, type PressResult } from "./move-input";
import type { Move } from "./types";

/** Pixels a pointer must move before a press becomes a drag. */
const DRAG_THRESHOLD = 5;

export interface SelectionContext {
  geometry: Geometry;
  moves: readonly Move[];
  play: (move: Move, dragged: boolean) => void;
  onambiguous: () => void;
}

export class Selection {
  path: string[] = $state.raw([]);
  choice: Move[] | null = $state.raw(null);
  /** The position of a dragged piece, in board units. */
  drag: { square: string; point: Point } | null = $state.raw(null);
  /** The square under the mouse. */
  hovered: string | null = $state(null);

  private pressed: { square: string; x: number; y: number; wasSelected: boolean; pointer: number } | null = null;
  private visited: string[] = [];

  constructor(private readonly context: () => SelectionContext) {}

  /** The square a press refers to: on a board with drop input, the free square in the pressed column. */
  private targetSquare(square: string): string {
    const { geometry, moves } = this.context();
    if (geometry.facts.input !== "drop") return square;
    const { column } = geometry.displayed(square);
    return moves.find((move) => move.path[0] && geometry.displayed(move.path[0]).column === column)?.path[0] ?? square;
  }

  press(square: string, options: { dragged?: boolean; visited?: readonly string[] } = {}): void {
    if (this.choice) {
      this.clear();
      return;
    }
    const result = pressSquare(this.context().moves, this.path, this.targetSquare(square), options.visited);
    this.apply(result, options.dragged ?? false);
  }

  private apply(result: PressResult, dragged: boolean): void {
    switch (result.kind) {
      case "play":
        this.context().play(result.move, dragged);
        this.clear();
        break;
      case "path":
        this.path = result.path;
        break;
      case "choice":
        this.choice = result.moves;
        break;
      case "ambiguous":
        this.context().onambiguous();
        break;
      case "none":
        this.path = [];
    }
  }

  choose(move: Move): void {
    this.context().play(move, false);
    this.clear();
  }

  clear(): void {
    this.path = [];
    this.choice = null;
    this.drag = null;
    this.pressed = null;
    this.visited = [];
  }

  private boardPoint(event: PointerEvent, element: Element): Point {
    const box = element.getBoundingClientRect();
    const { facts } = this.context().geometry;
    return {
      x: ((event.clientX - box.left) / box.width) * facts.columns * 100,
      y: ((event.clientY - box.top) / box.height) * facts.rows * 100,
    };
  }

  pointerDown(event: PointerEvent, element: Element): void {
    if (event.button !== 0 || !event.isPrimary) return;
    const square = this.context().geometry.squareAt(this.boardPoint(event, element));
    if (!square) {
      this.clear();
      return;
    }
    const wasSelected = this.path.length === 1 && this.path[0] === square;
    const continuesPath = this.path.length > 1 && this.path.at(-1) === square;
    if (!wasSelected && !continuesPath) this.press(square);
    const isPickedUp = this.path.at(-1) === square;
    this.pressed = { square, x: event.clientX, y: event.clientY, wasSelected, pointer: event.pointerId };
    this.visited = [...this.path];
    if (isPickedUp) element.setPointerCapture(event.pointerId);
  }

  pointerMove(event: PointerEvent, element: Element): void {
    const point = this.boardPoint(event, element);
    const square = this.context().geometry.squareAt(point) ?? null;
    this.hovered = event.pointerType === "mouse" ? square : null;
    if (!this.pressed || this.pressed.pointer !== event.pointerId || this.path.at(-1) !== this.pressed.square) return;
    const distance = Math.hypot(event.clientX - this.pressed.x, event.clientY - this.pressed.y);
    if (!this.drag && distance < DRAG_THRESHOLD) return;
    this.drag = { square: this.pressed.square, point };
    if (square && !this.visited.includes(square)) this.visited.push(square);
  }

  pointerUp(event: PointerEvent, element: Element): void {
    const { pressed, drag, visited } = this;
    if (!pressed || pressed.pointer !== event.pointerId) return;
    this.pressed = null;
    this.drag = null;
    const square = this.context().geometry.squareAt(this.boardPoint(event, element));
    if (drag) {
      if (square && square !== pressed.square) this.press(square, { dragged: true, visited });
      else if (!square) this.clear();
    } else if (pressed.wasSelected) this.clear();
  }

  pointerLeave(): void {
    this.hovered = null;
  }

  pointerCancel(): void {
    this.pressed = null;
    this.drag = null;
  }
}
