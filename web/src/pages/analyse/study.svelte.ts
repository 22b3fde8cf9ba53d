/** A game under study: its main line, branches played on the board, and where in it one stands. */

import { api, got, type Schemas } from "../../api/client";
import type { Move } from "../../board/types";
import { factsOf, type GameFacts } from "../../state/catalog.svelte";
import { lines, type Twig } from "./branches";

export type Board = Schemas["BoardView"];
export type Position = Schemas["PositionView"];

/** A position and the move that leads to it. The first child goes on with the line, the others branch off. */
export interface Step {
  id: number;
  ply: number;
  /** Empty at the start. */
  move: string;
  notation: string;
  /** Who made the move. */
  side: string;
  board: Board;
  parent: Step | null;
  children: Step[];
}

/** What a game is made from. */
export interface Given {
  game: string;
  start: string | null;
  moves: readonly string[];
  players?: Readonly<Record<string, string>>;
  outcome?: Schemas["OutcomeView"] | null;
  /** What agents thought while they played, for the side that begins, by the ply before their move. */
  beliefs?: readonly (number | null)[];
  title?: string;
  /** Its number in the library, where it is kept. */
  record?: number | null;
}

export class Study {
  given: Given | null = $state.raw(null);
  /** The number in the library, or the id of a game on the table. */
  record: number | null = $state(null);
  play: string | null = $state(null);
  root: Step | null = $state.raw(null);
  at: Step | null = $state.raw(null);
  /** Counts changes of the steps, which themselves are plain objects. */
  version = $state(0);
  private count = 0;
  private positions = new Map<number, Position>();
  private known = $state(0);

  readonly facts: GameFacts | undefined = $derived(this.given ? factsOf(this.given.game) : undefined);
  readonly main: readonly Step[] = $derived.by(() => {
    void this.version;
    return this.root ? down(this.root) : [];
  });
  /** The moves from the start to where one stands. */
  readonly line: readonly string[] = $derived(this.at ? movesTo(this.at) : []);
  readonly onMain = $derived(this.at !== null && this.main[this.at.ply] === this.at);
  /** Whether there is more than the line that an address can name. */
  readonly branched = $derived.by(() => {
    const { main, given } = this;
    const free = this.record === null && this.play === null;
    return main.some((step) => step.children.length > 1) || (!free && main.slice(1).some((step, at) => step.move !== given?.moves[at]));
  });
  /** What can be done here; null until the server has said so. */
  readonly position: Position | null = $derived.by(() => {
    void this.known;
    return this.at ? (this.positions.get(this.at.id) ?? null) : null;
  });

  /** Puts a game on the board, with branches that were kept, at a ply of it. */
  async open(given: Given, place: { ply?: number | null; from?: number | null; line?: readonly string[]; kept?: readonly Twig[] } = {}): Promise<void> {
    const boards = await fetchBoards(given, given.moves);
    const first = boards[0];
    if (!first) return;
    const root = this.make(first, null, "");
    let last = root;
    for (const board of boards.slice(1)) last = this.add(last, board);
    await this.grow(given, root, place.kept ?? []);
    this.positions = new Map();
    this.given = given;
    this.root = root;
    this.version += 1;
    const line = down(root);
    const ply = place.from ?? place.ply ?? 0;
    this.at = line[Math.max(0, Math.min(ply, line.length - 1))] ?? root;
    if (place.line && place.line.length > 0) await this.follow(place.line);
  }

  /** Adds branches in their order; a line that cannot be played any more is left out. */
  private async grow(given: Given, root: Step, kept: readonly Twig[]): Promise<void> {
    for (const line of lines(kept)) {
      const on = along(root, line);
      if (on.ply === line.length) continue;
      const boards = await fetchBoards(given, line).catch(() => []);
      let last = on;
      for (const board of boards.slice(on.ply + 1)) last = this.add(last, board);
    }
    arrange(root, kept);
  }

  /** Goes along moves, making branches where there are none. */
  async follow(moves: readonly string[]): Promise<void> {
    for (const text of moves) {
      const here = this.at;
      if (!here) return;
      const next = here.children.find((child) => child.move === text) ?? (await this.branch(here, text));
      if (!next) return;
      this.at = next;
    }
  }

  private make(board: Board, parent: Step | null, side: string): Step {
    this.count += 1;
    return {
      id: this.count,
      ply: parent ? parent.ply + 1 : 0,
      move: parent ? (board.last?.text ?? "") : "",
      notation: board.last?.notation ?? "",
      side,
      board,
      parent,
      children: [],
    };
  }

  private add(parent: Step, board: Board): Step {
    const step = this.make(board, parent, parent.board.turn);
    parent.children.push(step);
    return step;
  }

  private async branch(here: Step, text: string): Promise<Step | null> {
    if (!this.given) return null;
    const body = { game: this.given.game, text: this.given.start, moves: [...movesTo(here), text] };
    const position = await got(api.POST("/api/positions", { body }));
    const same = here.children.find((child) => child.move === position.last?.text);
    if (same) return same;
    const step = this.add(here, position);
    this.positions.set(step.id, position);
    this.version += 1;
    return step;
  }

  /** Plays a move where one stands: goes on along the line if it is the same move, else branches. */
  async playMove(move: Move | string): Promise<void> {
    await this.follow([typeof move === "string" ? move : move.text]);
  }

  /** Asks what can be done where one stands. */
  async ask(): Promise<void> {
    const here = this.at;
    if (!here || !this.given || this.positions.has(here.id)) return;
    const body = { game: this.given.game, text: this.given.start, moves: movesTo(here) };
    const position = await got(api.POST("/api/positions", { body }));
    this.positions.set(here.id, position);
    this.known += 1;
  }

  go(step: Step | null | undefined): void {
    if (step) this.at = step;
  }

  back(): void {
    this.go(this.at?.parent);
  }

  on(): void {
    this.go(this.at?.children[0]);
  }

  first(): void {
    this.go(this.root);
  }

  last(): void {
    if (this.at) this.go(down(this.at).at(-1));
  }

  /** The main line at a ply. */
  look(ply: number): void {
    this.go(this.main[Math.max(0, Math.min(ply, this.main.length - 1))]);
  }

  /** Forgets a step and what follows from it. */
  remove(step: Step): void {
    const { parent } = step;
    if (!parent) return;
    parent.children = parent.children.filter((child) => child !== step);
    for (let here = this.at; here; here = here.parent) if (here === step) this.at = parent;
    this.version += 1;
  }

  /** Makes a branch the line that is gone on with. */
  promote(step: Step): void {
    for (let here: Step | null = step; here?.parent; here = here.parent) {
      const one: Step = here;
      const { parent } = here;
      parent.children = [one, ...parent.children.filter((child) => child !== one)];
    }
    this.version += 1;
  }

  /** The game went on elsewhere: its new moves are added, and whoever stood at its end goes along. */
  async extend(moves: readonly string[]): Promise<void> {
    const old = this.main;
    const stood = this.at === old.at(-1);
    const same = old.slice(1).every((step, at) => step.move === moves[at]);
    if (!same || moves.length < old.length || !this.given) return;
    let last = old.at(-1);
    for (const text of moves.slice(old.length - 1)) last = last ? ((await this.branch(last, text)) ?? undefined) : undefined;
    if (stood && last) this.at = last;
  }
}

/** A step and the line that goes on from it. */
export function down(step: Step): Step[] {
  const line = [step];
  for (let next = step.children[0]; next; next = next.children[0]) line.push(next);
  return line;
}

export function movesTo(step: Step): string[] {
  const moves: string[] = [];
  for (let here: Step | null = step; here?.parent; here = here.parent) moves.unshift(here.move);
  return moves;
}

async function fetchBoards(given: Given, moves: readonly string[]): Promise<Board[]> {
  const body = { game: given.game, text: given.start, moves: [...moves] };
  return (await got(api.POST("/api/lines", { body }))).boards;
}

/** The last step that moves lead to without a new branch. */
function along(step: Step, moves: readonly string[]): Step {
  let here = step;
  for (const move of moves) {
    const next = here.children.find((child) => child.move === move);
    if (!next) break;
    here = next;
  }
  return here;
}

/** Puts steps into the order of branches; what is in none of them comes last. */
function arrange(step: Step, order: readonly Twig[]): void {
  const place = (child: Step): number => order.findIndex((twig) => twig.move === child.move) >>> 0;
  step.children.sort((a, b) => place(a) - place(b));
  for (const twig of order) {
    const child = step.children.find((one) => one.move === twig.move);
    if (child) arrange(child, twig.after);
  }
}
