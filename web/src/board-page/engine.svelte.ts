/** A search that the visitor can start and stop. */

import type { Schemas } from "../api/client";
import { connection, listen, send } from "../state/socket.svelte";

export type Analysis = Schemas["AnalysisView"];

export interface SearchPosition {
  game: string;
  start: string | null;
  moves: readonly string[];
}

export function positionKey({ game, start, moves }: SearchPosition): string {
  return JSON.stringify([game, start, moves]);
}

export class Engine {
  /** Whether the visitor turned the engine on. */
  isOn = $state(false);
  isRunning = $state(false);
  /** Whether the search is waiting for games in progress, which have priority. */
  isPreempted = $state(false);
  /** The reason the server gave for refusing the search; null if the search was not refused. */
  refusal: string | null = $state(null);
  private latest: Analysis | null = $state.raw(null);
  /** The position of the last search; null after a reset. */
  private position: SearchPosition | null = null;
  /** The key of the last position sent. */
  protected searched = "";
  /** Whether the last search requested may still be running. */
  protected isLive = false;
  /** The agent that searches; null for the server's default. */
  protected agent: string | null = null;
  /** The search time limit in seconds; null to use the limit of the agent or the server. */
  protected seconds: number | null = null;

  /** `id` identifies this search on the tab's socket. */
  constructor(protected readonly id: string) {
    const stops = [
      listen("report", (message) => {
        if (message.id !== id || !this.receive(message.analysis)) return;
        this.isRunning = !message.final;
        this.isPreempted = message.preempted;
        this.refusal = null;
        if (message.final) this.isLive = false;
      }),
      listen("busy", (message) => {
        if (message.id !== id) return;
        this.refuse(message.error.message);
        this.searched = "";
      }),
      listen("error", (message) => {
        // After a restart, the server no longer knows a search that had already ended; its results are still shown.
        if (message.id === id && message.error.kind !== "UnknownNameError") this.refuse(message.error.message);
      }),
    ];
    $effect(() => () => {
      this.stopSearch();
      for (const stop of stops) stop();
    });
  }

  /** The latest report; kept after the search ends. */
  get analysis(): Analysis | null {
    return this.latest;
  }

  /** Stores a report and returns whether it was stored. Reports that arrive after the game has changed are ignored. */
  protected receive(analysis: Analysis): boolean {
    const { position } = this;
    if (position?.game !== analysis.game || position.moves.length !== analysis.ply) return false;
    this.latest = analysis;
    return true;
  }

  private refuse(reason: string): void {
    this.refusal = reason;
    this.isRunning = this.isLive = false;
  }

  /** Starts a search, unless this is the last position sent. `tree` is the number of tree nodes to report. */
  search(position: SearchPosition, tree = 0): void {
    const key = positionKey(position);
    if (key === this.searched) return;
    this.searched = key;
    this.position = position;
    this.isRunning = this.isLive = true;
    this.refusal = null;
    const { game, start, moves } = position;
    const limits = { agent: this.agent, seconds: this.seconds, simulations: null };
    send({
      type: "analyse",
      id: this.id,
      game,
      text: start,
      moves: [...moves],
      exact: true,
      tree,
      path: [],
      ...limits,
    });
  }

  turnOn(): void {
    this.isOn = true;
    if (!this.isLive) this.searched = "";
  }

  /** Stops the search; its final report is still received. */
  turnOff(): void {
    this.isOn = false;
    this.isPreempted = false;
    if (this.isLive) send({ type: "stop", id: this.id });
    this.isRunning &&= this.isLive && connection.state === "open";
    this.isLive = false;
  }

  toggle(): void {
    if (this.isOn) this.turnOff();
    else this.turnOn();
  }

  /** Stops the search, for example because its position is no longer shown. */
  protected stopSearch(): void {
    if (this.isLive) send({ type: "stop", id: this.id });
    this.searched = "";
    this.isRunning = this.isPreempted = this.isLive = false;
  }

  /** Turns the engine off and clears its results. */
  reset(): void {
    this.stopSearch();
    this.isOn = false;
    this.latest = this.position = null;
  }
}
