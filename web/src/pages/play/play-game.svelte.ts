/** A game the visitor plays: hints, undo, draw offers, the coach, and the position before the last move. */

import { api, unwrap, type Schemas } from "../../api/client";
import type { GameView } from "../../board-page/board-controller.svelte";
import { LiveGame } from "../../board-page/live-game.svelte";
import type { Arrow } from "../../board/types";
import { shortName } from "../../parts/players";
import { catalog } from "../../state/catalog.svelte";
import { showError, showNotice, announce } from "../../state/notices.svelte";
import { settings } from "../../state/settings.svelte";

const LAST_HINT_STEP = 4;
const MAX_HINT_ARROWS = 3;
const NOT_FOUND = "Game not found. If it was started in another browser, open it there and share a link to it.";

export class PlayGame extends LiveGame {
  hint: Schemas["HintView"] | null = $state.raw(null);
  isHintLoading = $state(false);
  private wantsPrevious = $state(false);

  /** Whether the position before the last move is shown, with that move as an arrow. */
  readonly isPreviousShown: boolean = $derived(
    this.wantsPrevious && this.historyPly !== null && this.historyPly === this.lastPly - 1,
  );

  protected override hidesLastMove(): boolean {
    return this.isPreviousShown;
  }

  protected override moved(): void {
    super.moved();
    this.hint = null;
  }

  /** Returns the game `id` or, if it is null, an unfinished or new game of kind `kind`; returns null on failure. */
  async fetch(id: string | null, kind: string, signal: AbortSignal): Promise<GameView | null> {
    if (id) return this.fetchGame(id, signal, () => NOT_FOUND);
    const current = (): Promise<GameView | null> =>
      unwrap(api.GET("/api/games/current", { params: { query: { game: kind } } }));
    return this.load(async () => {
      const found = await current();
      if (signal.aborted) return found;
      return found && !found.position.outcome ? found : await newGame(kind);
    }, signal);
  }

  async redo(): Promise<void> {
    await this.send(unwrap(api.POST("/api/games/{game_id}/redo", { ...this.path, body: { ply: this.lastPly } })));
  }

  async resign(): Promise<void> {
    await this.send(unwrap(api.POST("/api/games/{game_id}/resign", { ...this.path, body: { ply: this.lastPly } })));
  }

  async offerDraw(): Promise<void> {
    try {
      const answer = await unwrap(api.POST("/api/games/{game_id}/draw", { ...this.path, body: { ply: this.lastPly } }));
      this.receive(answer.game);
      if (!answer.accepted) showNotice(answer.text);
    } catch (error) {
      showError(error);
    }
  }

  async changeOpponent(player: string): Promise<void> {
    const body = { player };
    const changed = await this.send(unwrap(api.POST("/api/games/{game_id}/seats", { ...this.path, body })));
    if (changed) showNotice(`${shortName(player)} takes over from the next move`);
  }

  async setCoach(enabled: boolean): Promise<void> {
    await this.send(unwrap(api.POST("/api/games/{game_id}/coach", { ...this.path, body: { coach_enabled: enabled } })));
  }

  /** Requests the next hint: the piece, the move, the principal variation, and then the values of the best moves. */
  async nextHint(): Promise<void> {
    if (!this.isYourTurn || this.isHintLoading || !this.game) return;
    const [ply, id] = [this.lastPly, this.game.id];
    const step = Math.min(LAST_HINT_STEP, this.hint?.ply === ply ? this.hint.step + 1 : 1);
    this.historyPly = null;
    this.isHintLoading = true;
    try {
      const hint = await unwrap(api.POST("/api/games/{game_id}/hint", { ...this.path, body: { step, ply } }));
      if (this.game.id === id && this.lastPly === ply) {
        this.hint = hint;
        announce(hint.text);
      }
    } catch (error) {
      showError(error);
    }
    this.isHintLoading = false;
  }

  get hasMoreHints(): boolean {
    return this.hint !== null && this.hint.step < LAST_HINT_STEP;
  }

  override goTo(ply: number): void {
    this.wantsPrevious = false;
    super.goTo(ply);
  }

  /** Shows the position before the last move, or the current position again. */
  async showPrevious(on: boolean): Promise<void> {
    const ply = this.lastPly - 1;
    const move = this.game?.moves.at(-1);
    this.wantsPrevious = on && move !== undefined;
    if (!on || !move) {
      this.historyPly = null;
      return;
    }
    await this.showPly(ply);
    // The key may have been released while the boards were being fetched.
    if (this.wantsPrevious) announce(`Before ${move.notation}.`);
    else if (this.historyPly === ply) this.historyPly = null;
  }

  protected override drawArrows(): Arrow[] {
    if (this.isPreviousShown) return [{ path: this.game?.position.last_move?.path ?? [], kind: "line" }];
    if (this.historyPly !== null) return [];
    return [...this.hintArrows(), ...super.drawArrows()];
  }

  private hintArrows(): Arrow[] {
    const { hint } = this;
    if (!hint || hint.step < 2) return [];
    if (hint.step < LAST_HINT_STEP) return [{ path: hint.path, kind: "hint" }];
    return hint.moves.slice(0, MAX_HINT_ARROWS).map((move, at) => ({
      path: this.pathOf(move.move),
      kind: "hint",
      weight: 1 - at / MAX_HINT_ARROWS,
      label: hintLabel(move),
    }));
  }
}

/** The label of a hint arrow: the exact or proven result, or the expected score in percent. */
function hintLabel({ exact, proven, value }: Schemas["MoveAnalysisView"]): string | undefined {
  return exact?.result ?? proven ?? (value === null ? undefined : String(Math.round(value * 100)));
}

/** Creates a game against the most recently chosen level. */
async function newGame(kind: string): Promise<GameView> {
  const levels = catalog.games.find((one) => one.id === kind)?.levels ?? [];
  const body = {
    game: kind,
    player: levels.some((level) => level.name === settings.level) ? settings.level : null,
    humans: 1,
    coach_enabled: settings.coach,
    moves: [],
    paused: false,
    move_delay: 0.5,
  };
  return unwrap(api.POST("/api/games", { body }));
}
