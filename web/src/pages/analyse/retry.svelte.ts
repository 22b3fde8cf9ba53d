/** "Find a better move": a mistake is tried again, judged as the review judges, and never told before it is asked for. */

import { api, got } from "../../api/client";
import type { Move } from "../../board/types";
import { say, words } from "../../state/notices.svelte";
import type { Reviewed } from "./review.svelte";
import type { Step, Study } from "./study.svelte";

const SECONDS = 0.4;

export class Retry {
  mistake: Reviewed | null = $state.raw(null);
  state: "asking" | "judging" | "good" | "bad" | "told" = $state("asking");
  tried = $state("");
  trouble: string | null = $state(null);
  private step: Step | null = null;

  readonly on = $derived(this.mistake !== null);

  constructor(private readonly study: Study) {}

  begin(mistake: Reviewed): void {
    this.clear();
    this.mistake = mistake;
    this.state = "asking";
    this.trouble = null;
    this.study.look(mistake.ply);
  }

  /** A move of the visitor: played on the board and judged. */
  async attempt(move: Move): Promise<void> {
    const { mistake } = this;
    const here = this.study.at;
    const given = this.study.given;
    if (!mistake || !here || !given || this.state === "judging" || here.ply !== mistake.ply) return;
    const old = new Set(here.children);
    await this.study.playMove(move);
    if (this.study.at && !old.has(this.study.at)) this.step = this.study.at;
    this.tried = move.notation;
    this.state = "judging";
    try {
      const good = move.text === mistake.best || (move.text !== mistake.move && (await this.holds(given.game, here.board.text, move.text)));
      if (this.mistake !== mistake) return;
      this.state = good ? "good" : "bad";
      if (good) this.step = null;
      say(good ? `${move.notation} is better.` : `${move.notation} gives something away too.`);
    } catch (error) {
      this.trouble = words(error);
      this.again();
    }
  }

  /** Whether a move gives away nothing that a review would mark: a review of this one move says so. */
  private async holds(game: string, text: string, move: string): Promise<boolean> {
    let review = await got(api.POST("/api/reviews", { body: { game, text, moves: [move], seconds: SECONDS } }));
    while (review.state === "waiting" || review.state === "running") {
      await new Promise((resolve) => setTimeout(resolve, 150));
      review = await got(api.GET("/api/reviews/{review_id}", { params: { path: { review_id: review.id } } }));
    }
    return review.plies[0]?.mark === "";
  }

  /** Back to the position of the mistake. */
  again(): void {
    if (!this.mistake) return;
    this.clear();
    this.state = "asking";
    this.study.look(this.mistake.ply);
  }

  /** Shows the answer, on the board too. */
  async tell(): Promise<void> {
    const { mistake } = this;
    if (!mistake) return;
    this.clear();
    this.study.look(mistake.ply);
    this.state = "told";
    await this.study.playMove(mistake.best);
  }

  /** Moves that were tried and were no better leave no branch behind. */
  private clear(): void {
    if (this.step) this.study.remove(this.step);
    this.step = null;
  }

  end(): void {
    this.clear();
    this.mistake = null;
    this.trouble = null;
  }
}
