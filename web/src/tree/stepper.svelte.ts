/** A search that is made one iteration at a time, and shown phase by phase. */

import type { Schemas } from "../api/client";
import { mayMove } from "../state/settings.svelte";
import { listen, send } from "../state/socket.svelte";
import type { Root } from "./boards.svelte";
import type { Light } from "./draw";
import { keyOf } from "./model";

export type Iteration = Schemas["IterationView"];

export const PHASES = [
  { name: "selection", words: "Selection" },
  { name: "expansion", words: "Expansion" },
  { name: "playout", words: "Playout" },
  { name: "backup", words: "Back-up" },
] as const;
export type Phase = (typeof PHASES)[number]["name"];

const NAME = "step";
const PACE = 900;

export class Stepper {
  iteration: Iteration | null = $state.raw(null);
  phase: Phase = $state("selection");
  playing = $state(false);
  waiting = $state(false);
  trouble: string | null = $state(null);
  private root: Root | null = null;
  private again = true;
  private target: Phase = "selection";
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly stops = [
    listen("iteration", (message) => {
      if (message.id !== NAME) return;
      this.waiting = false;
      this.trouble = null;
      this.iteration = message.iteration;
      this.phase = this.target;
      this.schedule();
    }),
    listen("error", (message) => {
      if (message.id !== NAME) return;
      this.waiting = false;
      this.playing = false;
      this.trouble = message.message;
    }),
  ];

  /** The moves from the root to the node where selection ended. */
  readonly way: readonly string[] = $derived(this.iteration?.selection.map((step) => step.move).filter((move) => move !== "") ?? []);
  /** The node from which the playout was played. */
  readonly leaf: readonly string[] = $derived(this.iteration?.expanded == null ? this.way : [...this.way, this.iteration.expanded]);

  /** What is lit in the phase that is shown. */
  readonly lit: ReadonlyMap<string, Light> = $derived.by(() => {
    const found = new Map<string, Light>();
    if (!this.iteration) return found;
    const path = this.phase === "backup" ? this.leaf : this.way;
    for (let length = 0; length <= path.length; length += 1) found.set(keyOf(path.slice(0, length)), this.phase === "backup" ? "backup" : "way");
    if (this.phase === "expansion" && this.iteration.expanded !== null) found.set(keyOf(this.leaf), "new");
    if (this.phase === "playout") found.set(keyOf(this.leaf), "playout");
    return found;
  });

  /** Begins with an empty tree at a position. */
  begin(root: Root): void {
    this.halt();
    this.root = root;
    this.again = true;
    this.iteration = null;
    this.trouble = null;
    this.iterate(1, "selection");
  }

  /** Makes iterations and shows the last of them. */
  iterate(iterations: number, phase: Phase = "backup"): void {
    if (!this.root || this.waiting) return;
    this.waiting = true;
    this.target = phase;
    const { game, start, moves } = this.root;
    send({ type: "step", id: NAME, game, text: start, moves: [...moves], iterations, c: Math.SQRT2, seed: 1, again: this.again });
    this.again = false;
  }

  /** The next phase; after the last one, the next iteration. */
  next(): void {
    const at = PHASES.findIndex((phase) => phase.name === this.phase);
    const following = PHASES[at + 1];
    if (following && this.iteration) this.phase = following.name;
    else this.iterate(1, "selection");
  }

  /** Goes on by itself, phase after phase. */
  play(): void {
    this.playing = true;
    this.next();
    this.schedule();
  }

  halt(): void {
    this.playing = false;
    clearTimeout(this.timer);
  }

  show(phase: Phase): void {
    this.halt();
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
      mayMove() ? PACE : 2 * PACE,
    );
  }

  close(): void {
    this.halt();
    send({ type: "stop", id: NAME });
    for (const stop of this.stops) stop();
  }
}
