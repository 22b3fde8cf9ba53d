/** Exact values of positions, from solvers and endgame tables. */

import { api, unwrap, type Schemas } from "../../api/client";

type Exact = Schemas["ExactView"];

/** Debounce delay for requests, so that stepping quickly through a game sends none. */
const DELAY_MS = 350;

export class ExactValues {
  private readonly values = new Map<string, Exact | null>();
  private version = $state(0);
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    $effect(() => () => clearTimeout(this.timer));
  }

  /** Returns the value of a position, or null if it is unknown or not fetched yet. */
  get(game: string, text: string): Exact | null {
    void this.version;
    return this.values.get(`${game} ${text}`) ?? null;
  }

  /** Fetches the value of a position after a delay, unless another value is requested in the meantime. */
  request(game: string, text: string): void {
    clearTimeout(this.timer);
    const key = `${game} ${text}`;
    if (!this.values.has(key)) this.timer = setTimeout(() => void this.fetch(key, game, text), DELAY_MS);
  }

  private async fetch(key: string, game: string, text: string): Promise<void> {
    try {
      const { exact } = await unwrap(api.POST("/api/exact", { body: { game, text, moves: [] } }));
      this.values.set(key, exact);
      this.version += 1;
    } catch {
      // The value is optional: if it is unavailable, nothing is shown.
    }
  }
}
