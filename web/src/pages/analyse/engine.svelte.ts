/** The engine of the analysis: on or off, of whatever board is shown. What it found of a board stays with the board. */

import type { Schemas } from "../../api/client";
import { connection, listen, send } from "../../state/socket.svelte";
import type { Columns } from "../../tree/model";

export type Thought = Schemas["Thought"];

const NAME = "analyse";
const MOST = 300;

interface Found {
  thought: Thought | null;
  columns: Columns | null;
}

interface Asked {
  game: string;
  start: string | null;
  line: readonly string[];
  /** The text of the position at the end of the line. */
  text: string;
}

export class Engine {
  on = $state(false);
  running = $state(false);
  waiting = $state(false);
  /** Why there is no search just now. */
  refused: string | null = $state(null);
  /** Nodes of the tree that are wanted, and where to look closest. */
  top = $state(0);
  path: readonly string[] = $state.raw([]);
  private found: Found = $state.raw({ thought: null, columns: null });
  private readonly kept = new Map<string, Found>();
  private shown: Asked | null = null;
  /** The board that was asked about last, and whether that search may still go on. */
  private asked = "";
  private live = false;

  readonly thought = $derived(this.found.thought);
  readonly columns = $derived(this.found.columns);

  private readonly stops = [
    listen("report", (message) => {
      if (message.id !== NAME || !this.isAbout(message.thought.position, message.thought.ply)) return;
      this.keep({ ...this.found, thought: message.thought });
      this.running = !message.final;
      this.waiting = message.waiting;
      this.refused = null;
      if (message.final) this.live = false;
    }),
    listen("tree", (message) => {
      if (message.id === NAME && this.isAbout(message.position, message.ply)) this.keep({ ...this.found, columns: message.tree });
    }),
    listen("busy", (message) => {
      if (message.id !== NAME) return;
      this.refused = message.message;
      this.running = this.live = false;
      this.asked = "";
    }),
    listen("error", (message) => {
      // A server that came back knows nothing of a search that had ended; what it found is still here.
      if (message.id !== NAME || message.kind === "UnknownNameError") return;
      this.refused = message.message;
      this.running = this.live = false;
    }),
  ];

  private isAbout(text: string, ply: number): boolean {
    return this.asked !== "" && this.shown !== null && this.asked === key(this.shown) && text === this.shown.text && ply === this.shown.line.length;
  }

  private keep(found: Found): void {
    this.found = found;
    if (!this.shown) return;
    this.kept.set(key(this.shown), found);
    if (this.kept.size > MOST) this.kept.delete(this.kept.keys().next().value ?? "");
  }

  /** Turns to a board: shows what is known of it, and thinks about it if the engine is on. */
  look(shown: Asked | null): void {
    const same = this.shown !== null && shown !== null && key(this.shown) === key(shown);
    this.shown = shown;
    if (!same) {
      this.found = (shown && this.kept.get(key(shown))) ?? { thought: null, columns: null };
      this.path = [];
    }
    if (this.on && shown && !same) this.ask(shown);
    else if (!same) this.halt();
  }

  private ask(shown: Asked): void {
    this.asked = key(shown);
    this.running = this.live = true;
    this.refused = null;
    const { game, start, line } = shown;
    const limits = { agent: null, seconds: null, simulations: null };
    send({ type: "analyse", id: NAME, game, text: start, moves: [...line], exact: true, tree: this.top, path: [], ...limits });
  }

  /** How much of the tree is wanted; 0 is none. */
  watch(top: number, path: readonly string[] = []): void {
    this.top = top;
    this.path = path;
    if (this.asked) send({ type: "tree", id: NAME, top, path: [...path] });
  }

  toggle(): void {
    if (this.on) this.off();
    else this.start();
  }

  start(): void {
    this.on = true;
    if (this.shown && !this.live) this.ask(this.shown);
  }

  /** Ends the search; its last word comes as a final report and stays. */
  off(): void {
    this.on = false;
    this.waiting = false;
    if (this.live) send({ type: "stop", id: NAME });
    this.running &&= this.live && connection.state === "open";
    this.live = false;
  }

  /** Ends the search of a board that is no longer shown. */
  private halt(): void {
    if (this.live) send({ type: "stop", id: NAME });
    this.asked = "";
    this.running = this.waiting = this.live = false;
  }

  /** What was found of a line earlier, if anything. */
  of(game: string, start: string | null, line: readonly string[]): Thought | null {
    return this.kept.get(JSON.stringify([game, start, line]))?.thought ?? null;
  }

  forget(): void {
    this.halt();
    this.on = false;
    this.shown = null;
    this.found = { thought: null, columns: null };
    this.kept.clear();
  }

  close(): void {
    this.forget();
    for (const stop of this.stops) stop();
  }
}

function key(asked: Asked): string {
  return JSON.stringify([asked.game, asked.start, asked.line]);
}
