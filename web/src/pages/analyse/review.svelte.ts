/** A game review, which the server runs from the last position to the first. */

import { api, unwrap, type Schemas } from "../../api/client";
import { errorText } from "../../state/notices.svelte";
import { listen, send } from "../../state/socket.svelte";
import type { Study } from "./study.svelte";

export type ReviewedPly = Schemas["ReviewedPly"];

const REFRESH_MS = 250;

export class Review {
  view: Schemas["ReviewView"] | null = $state.raw(null);
  error: string | null = $state(null);
  isStarting = $state(false);
  private timer: ReturnType<typeof setTimeout> | undefined;

  readonly isRunning = $derived(this.view?.state === "running" || this.view?.state === "queued");
  /** The reviewed moves, keyed by the ply before them. */
  readonly byPly: ReadonlyMap<number, ReviewedPly> = $derived(new Map(this.view?.plies.map((one) => [one.ply, one])));
  readonly mistakes: readonly ReviewedPly[] = $derived(this.view?.plies.filter((one) => one.mark !== "") ?? []);

  constructor() {
    const stop = listen("job", ({ job }) => {
      if (job.kind !== "review" || job.key !== this.view?.id) return;
      if (job.state !== "running" && job.state !== "queued") void this.refresh();
      else this.timer ??= setTimeout(() => void this.refresh(), REFRESH_MS);
    });
    $effect(() => () => {
      this.reset();
      stop();
    });
  }

  async start(study: Study): Promise<void> {
    const { source, mainMoves, recordId, gameId } = study;
    if (!source || this.isStarting) return;
    this.reset();
    this.isStarting = true;
    // A stored game is reviewed by its ID, to include its outcome; an edited game by its moves.
    const isUnchanged =
      source.moves.length === mainMoves.length && source.moves.every((move, at) => move === mainMoves[at]);
    const stored = recordId !== null ? { record_id: recordId } : gameId !== null ? { game_id: gameId } : null;
    const request = isUnchanged && stored ? stored : { game: source.game, text: source.start, moves: [...mainMoves] };
    try {
      this.view = await unwrap(api.POST("/api/reviews", { body: { seconds: null, moves: [], ...request } }));
      this.subscribe(this.view.id, true);
      if (!this.isRunning) void this.refresh();
    } catch (error) {
      this.error = errorText(error);
    }
    this.isStarting = false;
  }

  private subscribe(id: string, subscribe: boolean): void {
    send({ type: "subscribe_job", kind: "review", key: id, subscribe });
  }

  /** Shows the stored review of a game in the library, if there is one. */
  async loadStored(recordId: string): Promise<void> {
    const params = { path: { record_id: recordId } };
    try {
      const found = await unwrap(api.GET("/api/library/{record_id}/review", { params }));
      if (!this.view && !this.isStarting) this.view = found;
    } catch {
      // Without a stored review, the visitor can start one.
    }
  }

  private async refresh(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const id = this.view?.id;
    if (!id) return;
    try {
      const view = await unwrap(api.GET("/api/reviews/{review_id}", { params: { path: { review_id: id } } }));
      if (this.view?.id !== id || view.done < this.view.done) return;
      this.view = view;
      if (view.state === "failed") this.error = view.error ?? "The review failed.";
      if (!this.isRunning) this.subscribe(id, false);
    } catch (error) {
      this.error = errorText(error);
    }
  }

  async stop(): Promise<void> {
    if (!this.view) return;
    const params = { path: { review_id: this.view.id } };
    try {
      this.view = await unwrap(api.POST("/api/reviews/{review_id}/stop", { params }));
    } catch (error) {
      this.error = errorText(error);
    }
  }

  /** Stops a running review and removes it from the page. */
  reset(): void {
    if (this.view) this.subscribe(this.view.id, false);
    if (this.view && this.isRunning) void this.stop();
    clearTimeout(this.timer);
    this.timer = undefined;
    this.view = null;
    this.error = null;
  }
}
