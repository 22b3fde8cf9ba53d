/** State and commands shared by all pages with a board: displayed position, stepping, orientation, loading, errors. */

import { untrack } from "svelte";
import { ApiError, api, unwrap, type Schemas } from "../api/client";
import type { Arrow, Cells, Move } from "../board/types";
import type { GameFacts } from "../state/catalog.svelte";
import { navigationShortcuts, type Shortcut, type MoveNavigator } from "../state/shortcuts.svelte";
import { errorText } from "../state/notices.svelte";
import { connection, sendWhileMounted, listen } from "../state/socket.svelte";

export type BoardView = Schemas["BoardView"];
export type GameView = Schemas["GameView"];
export type PositionView = Schemas["PositionView"];

/** Delay before retrying a request that did not reach the server. */
const RETRY_MS = 1000;

/** The position on the board. */
export interface ShownPosition {
  cells: Cells;
  text: string;
  turn: string;
  /** The squares of the last move; null at the start. */
  lastMove: readonly string[] | null;
  /** The squares of the line that won the game. */
  winningLine: readonly string[];
}

export function shownBoard(board: BoardView): ShownPosition {
  return {
    cells: board.cells,
    text: board.text,
    turn: board.turn,
    lastMove: board.last_move?.path ?? null,
    winningLine: board.winning_line,
  };
}

/** Fetches the board after each ply of a line, starting with the start position. */
export async function fetchBoards(game: string, start: string | null, moves: readonly string[]): Promise<BoardView[]> {
  return (await unwrap(api.POST("/api/lines", { body: { game, text: start, moves: [...moves] } }))).boards;
}

export abstract class BoardController implements MoveNavigator {
  /** An error that affects the whole page. */
  error: string | null = $state(null);
  /** The move under the pointer in the search statistics. */
  hovered: string | null = $state(null);
  /** The moves in the search statistics, best move first; digit keys play them. */
  suggestions: readonly string[] = $state.raw([]);
  private turned = $state(false);

  /** Undefined until the game and the catalog are loaded, and for an unknown game. */
  abstract readonly facts: GameFacts | undefined;
  abstract readonly shown: ShownPosition | null;
  /** The displayed position with its legal moves; null while unknown. */
  abstract readonly position: PositionView | null;
  /** Whether the visitor may move on the displayed board. */
  abstract readonly canMove: boolean;
  /** The displayed ply; 0 is the start position. */
  abstract readonly ply: number;
  abstract readonly lastPly: number;
  abstract goTo(ply: number): void;

  /** The side at the bottom of the unflipped board. */
  protected get homeSide(): string {
    return this.facts?.bottom ?? "";
  }

  readonly legalMoves: readonly Move[] = $derived.by(() => (this.canMove ? (this.position?.moves ?? []) : []));
  readonly highlighted: readonly string[] = $derived.by(() => (this.canMove ? (this.position?.highlighted ?? []) : []));
  readonly arrows: readonly Arrow[] = $derived.by(() => this.drawArrows());

  readonly canFlip: boolean = $derived.by(
    () => this.facts !== undefined && this.facts.input !== "drop" && this.facts.style !== "list",
  );
  readonly bottom: string = $derived.by(() => (this.turned ? this.opponentOf(this.homeSide) : this.homeSide));
  readonly top: string = $derived.by(() => this.opponentOf(this.bottom));
  /** Whether the board is upside down. Only boards with movable pieces show the home side at the bottom by default. */
  readonly isFlipped: boolean = $derived.by(
    () => this.canFlip && this.turned !== (this.facts?.input === "path" && this.homeSide !== this.facts.bottom),
  );

  private opponentOf(side: string): string {
    return this.facts?.sides.find((other) => other !== side) ?? "";
  }

  flip(): void {
    if (this.canFlip) this.turned = !this.turned;
  }

  previous(): void {
    this.goTo(this.ply - 1);
  }

  next(): void {
    this.goTo(this.ply + 1);
  }

  first(): void {
    this.goTo(0);
  }

  last(): void {
    this.goTo(this.lastPly);
  }

  /** The keyboard shortcuts shared by all boards. */
  get shortcuts(): Shortcut[] {
    return [
      ...navigationShortcuts(this),
      { keys: ["f"], description: "Flip board", group: "Board", run: () => this.flip() },
    ];
  }

  protected drawArrows(): Arrow[] {
    return this.hovered ? [{ path: this.pathOf(this.hovered), kind: "line", weight: 0.7 }] : [];
  }

  /** The squares of a legal move in the displayed position; empty for any other move. */
  protected pathOf(move: string): readonly string[] {
    return this.position?.moves.find((one) => one.text === move)?.path ?? [];
  }

  /** Clears the state of the current game before another one is shown. */
  protected reset(): void {
    this.error = null;
    this.hovered = null;
    this.suggestions = [];
    this.turned = false;
  }

  /**
   * Returns the result of a request, or null if it failed or the signal was aborted. Retries while the server cannot
   * be reached; any other failure sets `error`.
   */
  protected async load<T>(
    request: () => Promise<T>,
    signal: AbortSignal,
    describe: (error: unknown) => string = errorText,
  ): Promise<T | null> {
    while (!signal.aborted) {
      try {
        const result = await request();
        return signal.aborted ? null : result;
      } catch (error) {
        if (signal.aborted) return null;
        if (!(error instanceof ApiError) || error.status !== 0) {
          this.error = describe(error);
          return null;
        }
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
    return null;
  }

  /** Subscribes to a game by its ID or share token. Returns a function that ends the subscription. */
  protected subscribe(id: string, token: string | null, update: (game: GameView) => void): () => void {
    const stopListening = listen("game", (message) => {
      if (message.game.id === id) update(message.game);
    });
    const unsubscribe = sendWhileMounted(
      { type: "subscribe", game_id: token === null ? id : null, token },
      { type: "unsubscribe", game_id: id },
    );
    return () => {
      stopListening();
      unsubscribe();
    };
  }

  /** Calls `resume` whenever the connection is restored, until the component is destroyed. For use in constructors. */
  protected onReconnect(resume: () => void): void {
    let session = untrack(() => connection.session);
    $effect(() => {
      const previous = session;
      session = connection.session;
      if (previous > 0 && session > previous) untrack(resume);
    });
  }
}
