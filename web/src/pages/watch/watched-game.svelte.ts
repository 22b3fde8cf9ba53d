/** A game between agents: playback, the analyses of both sides, and who plays which side. */

import { api, unwrap } from "../../api/client";
import { playerName } from "../../board-page/announcements";
import { LiveGame, type SearchReport } from "../../board-page/live-game.svelte";
import { searchEvaluation, type Evaluation } from "../../parts/evaluation";
import { rememberGame } from "../../state/selected-game.svelte";
import { showError, showNotice } from "../../state/notices.svelte";

export class WatchedGame extends LiveGame {
  /** The latest search report for each side; kept after the search ends. */
  reports: Readonly<Record<string, SearchReport>> = $state.raw({});
  /** The agents that the visitor replaced, keyed by side. */
  formerPlayers: Readonly<Record<string, string>> = $state.raw({});

  protected override receiveReport(report: SearchReport): void {
    super.receiveReport(report);
    this.reports = { ...this.reports, [report.analysis.turn]: report };
  }

  async open(id: string, signal: AbortSignal): Promise<void> {
    const game = await this.fetchGame(id, signal);
    if (!game || signal.aborted) return;
    this.show(game);
    rememberGame(game.game);
  }

  /** The evaluation from the latest search by either side; null before the first search. */
  readonly latestEvaluation: Evaluation | null = $derived.by(() => {
    const { game, facts } = this;
    if (!game || !facts) return null;
    const [newest] = Object.values(this.reports).sort((a, b) => b.analysis.ply - a.analysis.ply);
    const searched = newest && searchEvaluation(newest.analysis, playerName(game, newest.analysis.turn), facts.sides);
    if (searched) return searched;
    const move = game.moves.findLast(hasValue);
    if (!move || move.value_first === null) return null;
    return { value: move.value_first, source: playerName(game, move.side), result: null };
  });

  /** An agent's latest evaluation, from 0 to 1, from the point of view of its own side; null for a human. */
  evaluation(side: string): number | null {
    const seat = this.game?.seats[side];
    if (!seat || seat.kind === "human") return null;
    const first =
      this.reports[side]?.analysis.value_first ??
      this.game?.moves.findLast((move) => move.side === side && hasValue(move))?.value_first ??
      null;
    if (first === null) return null;
    return this.facts?.sides[0] === side ? first : 1 - first;
  }

  isThinking(side: string): boolean {
    const { game } = this;
    return game !== null && game.thinking && game.position.turn === side && this.reports[side]?.isFinal !== true;
  }

  /** Pauses or resumes the game, changes the delay between moves, or plays one move. */
  async setPlayback(change: { paused?: boolean; move_delay?: number; step?: boolean }): Promise<void> {
    const body = { paused: change.paused ?? null, move_delay: change.move_delay ?? null, step: change.step ?? false };
    try {
      await unwrap(api.POST("/api/games/{game_id}/playback", { ...this.path, body }));
      await this.refresh();
    } catch (error) {
      showError(error);
    }
  }

  /** Changes who plays a side from the next move on; null means the visitor. */
  async setPlayer(side: string, player: string | null): Promise<void> {
    const before = this.game?.seats[side]?.player;
    try {
      const game = await unwrap(api.POST("/api/games/{game_id}/seats", { ...this.path, body: { side, player } }));
      const former = { ...this.formerPlayers };
      delete former[side];
      this.formerPlayers = player === null && before ? { ...former, [side]: before } : former;
      await this.refresh();
      showNotice(
        player === null
          ? `You are now playing ${side}`
          : `${game.seats[side]?.name ?? player} takes over ${side} from the next move`,
      );
    } catch (error) {
      showError(error);
    }
  }
}

function hasValue(move: { value_first: number | null }): boolean {
  return move.value_first !== null;
}
