/** Server data for a component: loaded when the component is created and again after every reconnect. */

import { errorText } from "./notices.svelte";
import { connection } from "./socket.svelte";

export class Resource<T> {
  /** Null until loaded. */
  value: T | null = $state.raw(null);
  /** The error message of the last load; null if it succeeded. */
  error: string | null = $state(null);

  constructor(private readonly fetch: () => Promise<T>) {
    $effect(() => {
      void connection.session;
      void this.load();
    });
  }

  async load(): Promise<void> {
    try {
      this.value = await this.fetch();
      this.error = null;
    } catch (error) {
      this.error = errorText(error);
    }
  }
}
