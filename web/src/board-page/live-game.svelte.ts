/** A game played on the server: its current state, the visitor's moves and its earlier positions. */

import { ApiError, api, unwrap } from "../api/client";
import { play as playSound } from "../board/sound";
import { optimisticCells } from "../board/piece-tracking";
import type { Move } from "../board/types";
import { gameFacts, type GameFacts } from "../state/catalog.svelte";
import { copyText, showError, announce } from "../state/notices.svelte";
import { listen } from "../state/socket.svelte";
import { describeChange } from "./announcements";
import {
  BoardController,
  fetchBoards,
  shownBoard,
  type BoardView,
  type GameView,
  type PositionView,
  type ShownPosition,
} from "./board-controller.svelte";
import type { Analysis } from "./engine.svelte";

/** A report on an agent's search. */
export interface SearchReport {
  analysis: Analysis;
  isFinal: boolean;
}

/** A move that the server has not yet acknowledged. */
interface PendingMove {
  move: Move;
  ply: number;
}

export class LiveGame extends BoardController {
  game: GameView | null = $state.raw(null);
  /** The latest report on the opponent's search; kept after the search ends. */
  report: SearchReport | null = $state.raw(null);
  /** The ply of the earlier position on the board; null if the board shows the current position. */
  historyPly: number | null = $state(null);
  private boards: BoardView[] = $state.raw([]);
  private pending: PendingMove | null = $state.raw(null);
  private unsubscribe: (() => void) | null = null;

  readonly facts: GameFacts | undefined = $derived(this.game ? gameFacts(this.game.game) : undefined);
  readonly isOver: boolean = $derived(this.game?.position.outcome != null);
  readonly lastPly: number = $derived(this.game?.moves.length ?? 0);
  readonly ply: number = $derived(this.historyPly ?? this.lastPly);
  readonly position: PositionView | null = $derived(this.historyPly === null ? (this.game?.position ?? null) : null);
  readonly isYourTurn: boolean = $derived.by(() => {
    const { game } = this;
    if (!game || game.read_only || game.position.outcome || this.pending) return false;
    return game.your_side === "both" || game.your_side === game.position.turn;
  });
  readonly canMove: boolean = $derived(this.isYourTurn && this.historyPly === null);
  /** The moves up to the displayed position. */
  readonly line: readonly string[] = $derived.by(() => {
    const moves = this.game?.moves.map((move) => move.text) ?? [];
    if (this.historyPly !== null) return moves.slice(0, this.historyPly);
    return this.pending ? [...moves, this.pending.move.text] : moves;
  });

  /** The letter of the piece that the side to move places; null unless it has exactly one kind of piece. */
  private readonly placedPiece = $derived.by(() => {
    const pieces = this.facts?.pieces.filter((piece) => piece.side === this.game?.position.turn) ?? [];
    return pieces.length === 1 ? (pieces[0]?.letter ?? null) : null;
  });

  readonly shown: ShownPosition | null = $derived.by(() => {
    if (!this.game) return null;
    const earlier = this.historyPly === null ? undefined : this.boards[this.historyPly];
    if (earlier) return { ...shownBoard(earlier), ...(this.hidesLastMove() && { lastMove: null }) };
    const current = shownBoard(this.game.position);
    if (!this.pending) return current;
    const { move } = this.pending;
    return {
      ...current,
      cells: optimisticCells(current.cells, move, this.placedPiece),
      lastMove: move.path,
      winningLine: [],
    };
  });

  protected override get homeSide(): string {
    const side = this.game?.your_side;
    return side && side !== "both" ? side : super.homeSide;
  }

  constructor() {
    super();
    const stops = [
      listen("report", (message) => {
        if (message.id === this.game?.id) this.receiveReport({ analysis: message.analysis, isFinal: message.final });
      }),
      listen("game_deleted", (message) => {
        if (message.game_id === this.game?.id) this.error = "This game was deleted.";
      }),
    ];
    this.onReconnect(() => void this.resume());
    $effect(() => () => {
      for (const stop of stops) stop();
      this.unsubscribe?.();
    });
  }

  protected receiveReport(report: SearchReport): void {
    this.report = report;
  }

  /** Whether to show earlier positions without marking the move that led to them. */
  protected hidesLastMove(): boolean {
    return false;
  }

  /** Fetches a game; returns null on failure. */
  protected async fetchGame(
    id: string,
    signal: AbortSignal,
    describe?: (error: unknown) => string,
  ): Promise<GameView | null> {
    const request = (): Promise<GameView> =>
      unwrap(api.GET("/api/games/{game_id}", { params: { path: { game_id: id } } }));
    return this.load(request, signal, describe);
  }

  /** Shows a game and subscribes to it. */
  show(game: GameView): void {
    this.reset();
    this.unsubscribe?.();
    this.unsubscribe = this.subscribe(game.id, null, (update) => this.receive(update));
    this.receive(game);
  }

  protected override reset(): void {
    super.reset();
    this.game = null;
    this.pending = null;
    this.report = null;
    this.boards = [];
    this.moved();
  }

  /** Called when the position changes. */
  protected moved(): void {
    this.historyPly = null;
  }

  /** Applies a new state of the game, unless a newer one has already arrived. */
  protected receive(game: GameView): void {
    const before = this.game;
    if (before && (game.id !== before.id || game.version < before.version)) return;
    this.error = null;
    if (this.pending && (game.moves.length > this.pending.ply || game.position.outcome)) this.pending = null;
    this.game = game;
    if (!before) return;
    if (before.moves.length === game.moves.length && before.position.text === game.position.text) return;
    this.moved();
    playSoundOf(before, game);
    const announcement = describeChange(before, game);
    if (announcement) announce(announcement);
  }

  /** Sends a command whose response is the game; returns whether it succeeded. */
  protected async send(request: Promise<GameView>): Promise<boolean> {
    try {
      this.receive(await request);
      return true;
    } catch (error) {
      showError(error);
      return false;
    }
  }

  protected get path(): { params: { path: { game_id: string } } } {
    return { params: { path: { game_id: this.game?.id ?? "" } } };
  }

  /** Plays a move. It is shown immediately, and resent later if the server cannot be reached. */
  async play(move: Move): Promise<void> {
    if (!this.game || !this.isYourTurn) return;
    this.moved();
    const pending = { move, ply: this.lastPly };
    this.pending = pending;
    await this.sendPending(pending);
  }

  /** Plays a move given as text, if it is legal and it is the visitor's turn. */
  playText(text: string): void {
    const move = this.game?.position.moves.find((one) => one.text === text);
    if (move) void this.play(move);
  }

  private async sendPending(pending: PendingMove): Promise<void> {
    const body = { move: pending.move.text, ply: pending.ply, wait: 0 };
    try {
      this.receive(await unwrap(api.POST("/api/games/{game_id}/moves", { ...this.path, body })));
      if (this.pending === pending) this.pending = null;
    } catch (error) {
      if (error instanceof ApiError && error.status === 0) return;
      if (this.pending === pending) this.pending = null;
      showError(error);
      await this.refresh();
    }
  }

  private async resume(): Promise<void> {
    if (this.pending) await this.sendPending(this.pending);
    else await this.refresh();
  }

  protected async refresh(): Promise<void> {
    if (!this.game) return;
    try {
      this.receive(await unwrap(api.GET("/api/games/{game_id}", this.path)));
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) this.error = "This game no longer exists.";
    }
  }

  async undo(): Promise<void> {
    await this.send(unwrap(api.POST("/api/games/{game_id}/undo", { ...this.path, body: { ply: this.lastPly } })));
  }

  /** Stops the agent's search and plays its best move. */
  async moveNow(): Promise<void> {
    await this.send(unwrap(api.POST("/api/games/{game_id}/move_now", this.path)));
  }

  /** Starts another game between the same players with sides swapped; returns null on failure. */
  async rematch(): Promise<GameView | null> {
    try {
      return await unwrap(api.POST("/api/games/{game_id}/rematch", this.path));
    } catch (error) {
      showError(error);
      return null;
    }
  }

  /** Copies a link for spectators. */
  async share(): Promise<void> {
    try {
      const { address } = await unwrap(api.POST("/api/games/{game_id}/share", this.path));
      const { href } = new URL(address, location.origin);
      await copyText(href, "Link copied. Anyone with the link can watch.", `Anyone with this link can watch: ${href}`);
    } catch (error) {
      showError(error);
    }
  }

  goTo(ply: number): void {
    void this.showPly(ply);
  }

  /** Shows the position at a ply. Earlier boards are fetched when first needed. */
  protected async showPly(ply: number): Promise<void> {
    const { game } = this;
    if (!game) return;
    const target = Math.max(0, Math.min(ply, game.moves.length));
    if (target < game.moves.length && (this.boards.length <= target || !this.boardsMatch(game))) {
      try {
        this.boards = await fetchBoards(
          game.game,
          game.start,
          game.moves.map((move) => move.text),
        );
      } catch (error) {
        showError(error);
        return;
      }
    }
    this.historyPly = target === game.moves.length ? null : target;
  }

  /** Whether the fetched boards match the moves of the game, which an undo may have changed. */
  private boardsMatch(game: GameView): boolean {
    return game.moves.every(
      (move, at) => at + 1 >= this.boards.length || this.boards[at + 1]?.last_move?.text === move.text,
    );
  }
}

function playSoundOf(before: GameView, after: GameView): void {
  if (after.position.outcome) {
    if (!before.position.outcome) playSound("end");
  } else if (after.moves.length > before.moves.length) {
    const captured = Object.keys(after.position.cells).length < Object.keys(before.position.cells).length;
    playSound(captured ? "capture" : "move");
  }
}
