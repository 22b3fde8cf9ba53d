/** Something that the server has: fetched when a component is made, and again after each break of the connection. */

import { words } from "./notices.svelte";
import { connection } from "./socket.svelte";

export class Fetched<T> {
  /** Null until it has come. */
  value: T | null = $state.raw(null);
  /** Why it did not come, in words. */
  trouble: string | null = $state(null);

  constructor(private readonly fetch: () => Promise<T>) {
    $effect(() => {
      void connection.session;
      void this.load();
    });
  }

  async load(): Promise<void> {
    try {
      this.value = await this.fetch();
      this.trouble = null;
    } catch (error) {
      this.trouble = words(error);
    }
  }
}
