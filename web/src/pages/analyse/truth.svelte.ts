/** What is certain of the board that is shown, asked for when one stays with it. */

import { api, got, type Schemas } from "../../api/client";

type Exact = Schemas["ExactView"];

const REST = 350;

export class Truth {
  private readonly kept = new Map<string, Exact | null>();
  private version = $state(0);
  private timer: ReturnType<typeof setTimeout> | undefined;

  of(game: string, text: string): Exact | null {
    void this.version;
    return this.kept.get(`${game} ${text}`) ?? null;
  }

  /** Asks after a moment of rest, so that stepping through a game asks nothing. */
  ask(game: string, text: string): void {
    clearTimeout(this.timer);
    const key = `${game} ${text}`;
    if (this.kept.has(key)) return;
    this.timer = setTimeout(() => void this.fetch(key, game, text), REST);
  }

  private async fetch(key: string, game: string, text: string): Promise<void> {
    try {
      const found = await got(api.POST("/api/exact", { body: { game, text, moves: [] } }));
      this.kept.set(key, found.exact);
      this.version += 1;
    } catch {
      // Nobody knows: then nothing is said.
    }
  }

  close(): void {
    clearTimeout(this.timer);
  }
}
