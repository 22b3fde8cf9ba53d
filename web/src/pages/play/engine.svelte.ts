/** A search of the visitor's own beside the game: on request, of whatever board is shown. */

import type { Schemas } from "../../api/client";
import { connection, listen, send } from "../../state/socket.svelte";

const NAME = "play";

export class Engine {
  on = $state(false);
  thought: Schemas["Thought"] | null = $state.raw(null);
  running = $state(false);
  waiting = $state(false);
  /** Why there is no search just now. */
  refused: string | null = $state(null);
  private asked = "";
  private readonly stops = [
    listen("report", (message) => {
      if (message.id !== NAME) return;
      this.thought = message.thought;
      this.running = !message.final;
      this.waiting = message.waiting;
      this.refused = null;
    }),
    listen("busy", (message) => {
      if (message.id !== NAME) return;
      this.refused = message.message;
      this.running = false;
      this.asked = "";
    }),
    listen("error", (message) => {
      if (message.id !== NAME) return;
      this.refused = message.message;
      this.running = false;
    }),
  ];

  /** Thinks about a position, unless it does so already. */
  look(game: string, text: string | null, moves: readonly string[]): void {
    const asked = JSON.stringify([game, text, moves]);
    if (asked === this.asked) return;
    this.asked = asked;
    this.running = true;
    this.refused = null;
    const limits = { agent: null, seconds: null, simulations: null };
    send({ type: "analyse", id: NAME, game, text, moves: [...moves], exact: true, tree: 0, path: [], ...limits });
  }

  /** Ends the search; its last word comes as a final report and stays. */
  off(): void {
    this.on = false;
    if (this.asked) send({ type: "stop", id: NAME });
    this.asked = "";
    this.running &&= connection.state === "open";
    this.waiting = false;
  }

  forget(): void {
    this.off();
    this.running = false;
    this.thought = null;
  }

  close(): void {
    this.off();
    for (const stop of this.stops) stop();
  }
}
