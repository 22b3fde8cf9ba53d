/** "Find a better move": the visitor retries a mistake, and the server reviews each attempt. */

import { api, unwrap } from "../../api/client";
import type { Move } from "../../board/types";
import { announce, errorText } from "../../state/notices.svelte";
import type { GameNode } from "./game-tree";
import type { ReviewedPly } from "./review.svelte";
import type { Study } from "./study.svelte";

const POLL_MS = 150;

export class Retry {
  mistake: ReviewedPly | null = $state.raw(null);
  state: "waiting" | "checking" | "better" | "mistake" | "solved" = $state("waiting");
  /** The notation of the last attempt. */
  attempt = $state("");
  error: string | null = $state(null);
  /** The variation created by the last attempt; deleted unless the move was better. */
  private attemptNode: GameNode | null = null;

  readonly isActive = $derived(this.mistake !== null);
  readonly isWaiting = $derived(this.isActive && this.state === "waiting");

  constructor(private readonly study: Study) {}

  start(mistake: ReviewedPly): void {
    this.discardAttempt();
    this.mistake = mistake;
    this.state = "waiting";
    this.error = null;
    this.study.goTo(mistake.ply);
  }

  /** Plays the visitor's move and checks it. */
  async tryMove(move: Move): Promise<void> {
    const { mistake } = this;
    const { current: node, source } = this.study;
    if (!mistake || !node || !source || this.state === "checking" || node.ply !== mistake.ply) return;
    const before = new Set(node.children);
    await this.study.follow([move.text]);
    if (this.study.current && !before.has(this.study.current)) this.attemptNode = this.study.current;
    this.attempt = move.notation;
    this.state = "checking";
    try {
      const isBetter =
        move.text === mistake.best ||
        (move.text !== mistake.move && (await this.isUnmarked(source.game, node.board.text, move.text)));
      if (this.mistake !== mistake) return;
      this.state = isBetter ? "better" : "mistake";
      if (isBetter) this.attemptNode = null;
      announce(isBetter ? `${move.notation} is better.` : `${move.notation} is also a mistake.`);
    } catch (error) {
      this.error = errorText(error);
      this.tryAgain();
    }
  }

  /** Reviews a move separately and returns whether it is not marked as a mistake. */
  private async isUnmarked(game: string, text: string, move: string): Promise<boolean> {
    let review = await unwrap(api.POST("/api/reviews", { body: { game, text, moves: [move], seconds: null } }));
    while (review.state === "queued" || review.state === "running") {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      review = await unwrap(api.GET("/api/reviews/{review_id}", { params: { path: { review_id: review.id } } }));
    }
    return review.plies[0]?.mark === "";
  }

  /** Returns to the position of the mistake. */
  tryAgain(): void {
    if (!this.mistake) return;
    this.discardAttempt();
    this.state = "waiting";
    this.study.goTo(this.mistake.ply);
  }

  /** Plays the best move on the board. */
  async showSolution(): Promise<void> {
    const { mistake } = this;
    if (!mistake) return;
    this.discardAttempt();
    this.study.goTo(mistake.ply);
    this.state = "solved";
    await this.study.follow([mistake.best]);
  }

  private discardAttempt(): void {
    if (this.attemptNode) this.study.remove(this.attemptNode);
    this.attemptNode = null;
  }

  end(): void {
    this.discardAttempt();
    this.mistake = null;
    this.error = null;
  }
}
