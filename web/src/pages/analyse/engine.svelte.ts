/** The engine of the Analyse page. It keeps the results for recent positions and reports its search tree. */

import { Engine, positionKey, type Analysis, type SearchPosition } from "../../board-page/engine.svelte";
import { listen, send } from "../../state/socket.svelte";
import type { Columns } from "../../tree/model";

const MAX_RESULTS = 300;

interface Result {
  analysis: Analysis | null;
  columns: Columns | null;
}

/** The position on the board. */
interface ShownPosition extends SearchPosition {
  text: string;
}

const NO_RESULT: Result = { analysis: null, columns: null };

export class AnalysisEngine extends Engine {
  /** The number of tree nodes to report; 0 for no tree. */
  treeSize = $state(0);
  /** The moves to the node around which the tree is reported. */
  treePath: readonly string[] = $state.raw([]);
  private result: Result = $state.raw(NO_RESULT);
  private readonly results = new Map<string, Result>();
  private shown: ShownPosition | null = null;

  constructor() {
    super("analyse");
    const stop = listen("tree", (message) => {
      if (message.id === this.id && this.isOfShown(message.position, message.ply))
        this.store({ ...this.result, columns: message.tree });
    });
    $effect(() => stop);
  }

  override get analysis(): Analysis | null {
    return this.result.analysis;
  }

  /** The search tree of the displayed position. */
  get columns(): Columns | null {
    return this.result.columns;
  }

  /** Whether a search message is about the displayed position; the board may have changed since it was sent. */
  private isOfShown(text: string, ply: number): boolean {
    const { shown } = this;
    return shown !== null && this.searched === positionKey(shown) && text === shown.text && ply === shown.moves.length;
  }

  protected override receive(analysis: Analysis): boolean {
    if (!this.isOfShown(analysis.position, analysis.ply)) return false;
    this.store({ ...this.result, analysis });
    return true;
  }

  private store(result: Result): void {
    this.result = result;
    if (!this.shown) return;
    this.results.set(positionKey(this.shown), result);
    if (this.results.size > MAX_RESULTS) this.results.delete(this.results.keys().next().value ?? "");
  }

  /** Shows the results for a position and searches it if the engine is on. Null stops the search. */
  show(position: ShownPosition | null): void {
    const isSame = this.shown !== null && position !== null && positionKey(this.shown) === positionKey(position);
    this.shown = position;
    if (isSame) return;
    this.result = (position && this.results.get(positionKey(position))) ?? NO_RESULT;
    this.treePath = [];
    if (this.isOn && position) this.search(position, this.treeSize);
    else this.stopSearch();
  }

  /** Changes the agent. Discards the results of the previous agent and restarts a running search. */
  setAgent(agent: string | null, seconds: number | null): void {
    if (agent === this.agent && seconds === this.seconds) return;
    [this.agent, this.seconds] = [agent, seconds];
    this.results.clear();
    const { shown } = this;
    this.stopSearch();
    this.shown = null;
    this.show(shown);
  }

  override turnOn(): void {
    super.turnOn();
    if (this.shown && !this.isLive) this.search(this.shown, this.treeSize);
  }

  /** Changes how much of the tree is reported and around which node. */
  requestTree(size: number, path: readonly string[] = []): void {
    this.treeSize = size;
    this.treePath = path;
    if (this.searched) send({ type: "tree", id: this.id, top: size, path: [...path] });
  }

  /** Returns the stored analysis of a position. */
  analysisOf(position: SearchPosition): Analysis | null {
    return this.results.get(positionKey(position))?.analysis ?? null;
  }

  override reset(): void {
    super.reset();
    this.shown = null;
    this.result = NO_RESULT;
    this.results.clear();
  }
}
