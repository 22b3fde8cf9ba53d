/** A review of the game: asked of the server, followed while it goes from the end to the start. */

import { api, got, type Schemas } from "../../api/client";
import { words } from "../../state/notices.svelte";
import { listen, send } from "../../state/socket.svelte";
import type { Study } from "./study.svelte";

export type Reviewed = Schemas["ReviewedPly"];

export class Review {
  view: Schemas["ReviewView"] | null = $state.raw(null);
  trouble: string | null = $state(null);
  asking = $state(false);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly stop = listen("work", (message) => {
    const { work } = message;
    if (work.kind !== "review" || work.key !== this.view?.id) return;
    if (work.state !== "running" && work.state !== "waiting") void this.refresh();
    else this.timer ??= setTimeout(() => void this.refresh(), 250);
  });

  readonly running = $derived(this.view?.state === "running" || this.view?.state === "waiting");
  readonly byPly: ReadonlyMap<number, Reviewed> = $derived(new Map(this.view?.plies.map((one) => [one.ply, one])));
  readonly mistakes: readonly Reviewed[] = $derived(this.view?.plies.filter((one) => one.mark !== "") ?? []);

  async begin(study: Study): Promise<void> {
    const { given } = study;
    if (!given || this.asking) return;
    this.forget();
    this.asking = true;
    // A game of the library or of the table keeps how it ended; any other is its moves.
    const own = study.record !== null ? { record: study.record } : study.play !== null ? { game_id: study.play } : null;
    const moves = study.main.slice(1).map((step) => step.move);
    const same = own !== null && given.moves.length === moves.length && given.moves.every((move, at) => move === moves[at]);
    const body = { seconds: 0.2, moves: [], ...(same ? own : { game: given.game, text: given.start, moves }) };
    try {
      this.view = await got(api.POST("/api/reviews", { body }));
      send({ type: "follow_work", kind: "review", key: this.view.id, follow: true });
      if (!this.running) void this.refresh();
    } catch (error) {
      this.trouble = words(error);
    }
    this.asking = false;
  }

  /** Shows the review that was made of a kept game before, if there is one. */
  async recall(record: number): Promise<void> {
    try {
      const found = await got(api.GET("/api/library/{record_id}/review", { params: { path: { record_id: record } } }));
      if (!this.view && !this.asking) this.view = found;
    } catch {
      // Then it can be asked for again.
    }
  }

  private async refresh(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const id = this.view?.id;
    if (!id) return;
    try {
      const view = await got(api.GET("/api/reviews/{review_id}", { params: { path: { review_id: id } } }));
      if (this.view?.id !== id || view.done < this.view.done) return;
      this.view = view;
      if (view.state === "failed") this.trouble = view.error ?? "The review failed.";
      if (!this.running) send({ type: "follow_work", kind: "review", key: id, follow: false });
    } catch (error) {
      this.trouble = words(error);
    }
  }

  async halt(): Promise<void> {
    if (!this.view) return;
    try {
      this.view = await got(api.POST("/api/reviews/{review_id}/stop", { params: { path: { review_id: this.view.id } } }));
    } catch (error) {
      this.trouble = words(error);
    }
  }

  forget(): void {
    if (this.view) send({ type: "follow_work", kind: "review", key: this.view.id, follow: false });
    if (this.view && this.running) void this.halt();
    clearTimeout(this.timer);
    this.timer = undefined;
    this.view = null;
    this.trouble = null;
  }

  close(): void {
    this.forget();
    this.stop();
  }
}
