/** A search run one iteration at a time and shown phase by phase. */

import type { Schemas } from "../api/client";
import { animationsEnabled } from "../state/settings.svelte";
import { listen, send } from "../state/socket.svelte";
import type { Highlight } from "./draw";
import { keyOf } from "./model";
import type { Root } from "./node-boards.svelte";

export type Iteration = Schemas["IterationView"];

export const PHASES = [
  { name: "selection", label: "Selection" },
  { name: "expansion", label: "Expansion" },
  { name: "playout", label: "Playout" },
  { name: "backup", label: "Backup" },
] as const;
export type Phase = (typeof PHASES)[number]["name"];

const REQUEST_ID = "step";
/** Milliseconds per phase during automatic play. */
const PHASE_TIME = 900;

export class Stepper {
  iteration: Iteration | null = $state.raw(null);
  phase: Phase = $state("selection");
  playing = $state(false);
  waiting = $state(false);
  error: string | null = $state(null);
  private root: Root | null = null;
  private restart = true;
  private nextPhase: Phase = "selection";
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly removeListeners = [
    listen("iteration", (message) => {
      if (message.id !== REQUEST_ID) return;
      this.waiting = false;
      this.error = null;
      this.iteration = message.iteration;
      this.phase = this.nextPhase;
      this.schedule();
    }),
    listen("error", (message) => {
      if (message.id !== REQUEST_ID) return;
      this.waiting = false;
      this.playing = false;
      this.error = message.error.message;
    }),
  ];

  /** The moves from the root to the node where selection ended. */
  readonly path: readonly string[] = $derived(
    this.iteration?.selection.map((step) => step.move).filter((move) => move !== "") ?? [],
  );
  /** The path to the node where the playout started. */
  readonly leaf: readonly string[] = $derived(
    this.iteration?.expanded_move == null ? this.path : [...this.path, this.iteration.expanded_move],
  );

  /** The nodes to highlight in the current phase, by key. */
  readonly highlights: ReadonlyMap<string, Highlight> = $derived.by(() => {
    const result = new Map<string, Highlight>();
    if (!this.iteration) return result;
    const path = this.phase === "backup" ? this.leaf : this.path;
    for (let length = 0; length <= path.length; length += 1)
      result.set(keyOf(path.slice(0, length)), this.phase === "backup" ? "backup" : "path");
    if (this.phase === "expansion" && this.iteration.expanded_move !== null) result.set(keyOf(this.leaf), "new");
    if (this.phase === "playout") result.set(keyOf(this.leaf), "playout");
    return result;
  });

  /** Start with an empty tree. */
  start(root: Root): void {
    this.pause();
    this.root = root;
    this.restart = true;
    this.iteration = null;
    this.error = null;
    this.iterate(1, "selection");
  }

  /** Run iterations and show the last one in the given phase. */
  iterate(iterations: number, phase: Phase = "backup"): void {
    if (!this.root || this.waiting) return;
    this.waiting = true;
    this.nextPhase = phase;
    const { game, start, moves } = this.root;
    send({
      type: "step",
      id: REQUEST_ID,
      game,
      text: start,
      moves: [...moves],
      iterations,
      c: Math.SQRT2,
      seed: 1,
      restart: this.restart,
    });
    this.restart = false;
  }

  /** Show the next phase; after the last phase, run the next iteration. */
  next(): void {
    const index = PHASES.findIndex((phase) => phase.name === this.phase);
    const following = PHASES[index + 1];
    if (following && this.iteration) this.phase = following.name;
    else this.iterate(1, "selection");
  }

  /** Advance automatically, phase by phase. */
  play(): void {
    this.playing = true;
    this.next();
    this.schedule();
  }

  pause(): void {
    this.playing = false;
    clearTimeout(this.timer);
  }

  show(phase: Phase): void {
    this.pause();
    this.phase = phase;
  }

  private schedule(): void {
    clearTimeout(this.timer);
    if (!this.playing || this.waiting) return;
    this.timer = setTimeout(
      () => {
        this.next();
        this.schedule();
      },
      animationsEnabled() ? PHASE_TIME : 2 * PHASE_TIME,
    );
  }

  close(): void {
    this.pause();
    send({ type: "stop", id: REQUEST_ID });
    for (const remove of this.removeListeners) remove();
  }
}
