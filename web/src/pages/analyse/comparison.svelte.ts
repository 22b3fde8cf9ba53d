/** Compares agents on one position: each of them proposes a move, one after the other. */

import { ApiError, api, unwrap, type Schemas } from "../../api/client";
import { positionKey, type SearchPosition } from "../../board-page/engine.svelte";
import { errorText } from "../../state/notices.svelte";

export type Proposal = Schemas["ProposalView"];

/** An agent, with its proposal or the error that it caused. */
export interface Entry {
  agent: string;
  proposal: Proposal | null;
  error: string | null;
}

const MAX_AGENTS = 12;

const newEntry = (agent: string): Entry => ({ agent, proposal: null, error: null });

export class Comparison {
  isOpen = $state(false);
  entries: readonly Entry[] = $state.raw([]);
  /** The seconds of each agent; null for its own limit or the server's default. */
  seconds: number | null = $state(null);
  /** The agent that is analysing the position; null if none is. */
  running: string | null = $state(null);
  private position: SearchPosition | null = null;
  /** The game whose default agents were added. */
  private game = "";
  private abort: AbortController | null = null;

  readonly done: number = $derived(this.entries.filter((entry) => entry.proposal || entry.error).length);
  /** The exact value of the position; null if unknown. */
  readonly exact: Schemas["ExactView"] | null = $derived(
    this.entries.find((entry) => entry.proposal?.exact)?.proposal?.exact ?? null,
  );
  readonly canAdd: boolean = $derived(this.entries.length < MAX_AGENTS);

  constructor() {
    $effect(() => () => this.stop());
  }

  /** Shows a position; null if there is none to compare. Proposals for another position are dropped. */
  show(position: SearchPosition | null, defaults: readonly string[]): void {
    const isSame = this.position && position && positionKey(this.position) === positionKey(position);
    this.position = position;
    if (isSame) return;
    this.stop();
    if (position && position.game !== this.game) {
      this.game = position.game;
      this.entries = defaults.map(newEntry);
    } else this.entries = this.entries.map(({ agent }) => newEntry(agent));
  }

  add(agent: string): void {
    if (this.canAdd && !this.entries.some((entry) => entry.agent === agent))
      this.entries = [...this.entries, newEntry(agent)];
  }

  remove(agent: string): void {
    this.entries = this.entries.filter((entry) => entry.agent !== agent);
  }

  stop(): void {
    this.abort?.abort();
    this.abort = null;
    this.running = null;
  }

  /** Asks every agent for its move, in the order of the list. */
  async start(): Promise<void> {
    const { position } = this;
    if (!position) return;
    this.stop();
    const abort = (this.abort = new AbortController());
    this.entries = this.entries.map(({ agent }) => newEntry(agent));
    for (const { agent } of this.entries) {
      this.running = agent;
      const found = await this.propose(position, agent, abort.signal);
      if (abort.signal.aborted) return;
      this.entries = this.entries.map((entry) => (entry.agent === agent ? found : entry));
    }
    this.stop();
  }

  private async propose({ game, start, moves }: SearchPosition, agent: string, signal: AbortSignal): Promise<Entry> {
    const body = { game, text: start, moves: [...moves], agent, seconds: this.seconds, seed: 0 };
    try {
      return { agent, proposal: await unwrap(api.POST("/api/proposals", { body, signal })), error: null };
    } catch (error) {
      if (error instanceof ApiError) return { agent, proposal: null, error: errorText(error) };
      throw error;
    }
  }
}
