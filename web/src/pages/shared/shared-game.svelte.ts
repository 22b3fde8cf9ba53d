/** A game opened from a share link: read-only, and updated while it is being played. */

import { untrack } from "svelte";
import { api, unwrap, type Schemas } from "../../api/client";
import {
  BoardController,
  fetchBoards,
  shownBoard,
  type BoardView,
  type GameView,
  type ShownPosition,
} from "../../board-page/board-controller.svelte";
import { gameFacts, type GameFacts } from "../../state/catalog.svelte";
import { errorText } from "../../state/notices.svelte";

export class SharedGame extends BoardController {
  /** A game in progress or in the library. */
  view: Schemas["SharedView"] | null = $state.raw(null);
  private boards: BoardView[] = $state.raw([]);
  private isLoadingBoards = false;
  /** The displayed ply; null for the last position. */
  historyPly: number | null = $state(null);

  readonly source = $derived(this.view?.game ?? this.view?.record ?? null);
  readonly facts: GameFacts | undefined = $derived(this.source ? gameFacts(this.source.game) : undefined);
  readonly moves: readonly string[] = $derived(
    this.view?.game?.moves.map((move) => move.text) ?? this.view?.record?.moves ?? [],
  );
  readonly lastPly: number = $derived(Math.max(0, this.boards.length - 1));
  readonly ply: number = $derived(Math.min(this.historyPly ?? this.lastPly, this.lastPly));
  readonly board: BoardView | null = $derived(this.boards[this.ply] ?? null);
  readonly shown: ShownPosition | null = $derived(this.board && shownBoard(this.board));
  readonly position = null;
  readonly canMove = false;
  /** How the game ended; null for an unfinished game. */
  readonly outcome: string | null = $derived(
    (this.view?.game?.position.outcome ?? this.view?.record?.outcome)?.text ?? null,
  );
  readonly isLive: boolean = $derived(this.view?.game != null && this.outcome === null);
  readonly moveList = $derived.by(() => {
    const notations = this.view?.game?.moves.map((move) => move.notation) ?? this.view?.record?.notations ?? [];
    return notations.map((notation, ply) => ({ ply, notation, side: this.boards[ply]?.turn ?? "" }));
  });

  /** The ID of the game in progress. Derived, so that a new state of the same game does not resubscribe. */
  private readonly liveId: string | null = $derived(this.view?.game?.id ?? null);

  constructor(token: () => string) {
    super();
    $effect(() => {
      const { liveId } = this;
      if (liveId === null) return;
      return this.subscribe(liveId, untrack(token), (game) => this.update(game));
    });
  }

  /** Shows a new state of the game in progress. */
  private update(game: GameView): void {
    if (!this.view || (this.view.game && game.version < this.view.game.version)) return;
    this.view = { ...this.view, game };
    void this.loadBoards();
  }

  /**
   * Brings the boards up to date with the moves. The board after a single new move is part of the game's state; only
   * other changes are fetched, one at a time.
   */
  private async loadBoards(): Promise<void> {
    const { source, moves, view } = this;
    if (!source || this.isLoadingBoards) return;
    const known = this.boards.length - 1;
    const isSame = (ply: number): boolean => this.boards[ply + 1]?.last_move?.text === moves[ply];
    const kept = moves.findIndex((_, ply) => ply >= known || !isSame(ply));
    const shared = Math.min(known, kept < 0 ? moves.length : kept);
    if (known >= 0 && shared === moves.length) this.boards = this.boards.slice(0, moves.length + 1);
    else if (known >= 0 && shared === moves.length - 1 && view?.game)
      this.boards = [...this.boards.slice(0, moves.length), view.game.position];
    else {
      this.isLoadingBoards = true;
      try {
        const boards = await fetchBoards(source.game, source.start, moves);
        if (this.source?.game === source.game) this.boards = boards;
      } catch (error) {
        this.error = errorText(error);
      }
      this.isLoadingBoards = false;
      if (this.error === null && this.moves.length !== moves.length) await this.loadBoards();
    }
  }

  async open(token: string, ply: number | null, signal: AbortSignal): Promise<void> {
    this.reset();
    this.view = null;
    this.boards = [];
    this.historyPly = ply;
    const request = (): Promise<Schemas["SharedView"]> =>
      unwrap(api.GET("/api/shared/{token}", { params: { path: { token } } }));
    const view = await this.load(request, signal);
    if (!view) return;
    this.view = view;
    await this.loadBoards();
  }

  goTo(ply: number): void {
    const target = Math.max(0, Math.min(ply, this.lastPly));
    this.historyPly = target === this.lastPly ? null : target;
  }

  playerName(side: string): string {
    const { game, record } = this.view ?? {};
    return game?.seats[side]?.name ?? record?.tournament?.players[side] ?? record?.players[side] ?? "";
  }
}
