/** A study of a game: its main line, the variations played on the board, and the current position. */

import { api, unwrap } from "../../api/client";
import {
  BoardController,
  fetchBoards,
  shownBoard,
  type BoardView,
  type PositionView,
  type ShownPosition,
} from "../../board-page/board-controller.svelte";
import { gameFacts, type GameFacts } from "../../state/catalog.svelte";
import type { GameSource } from "./game-source";
import { addNode, childOf, followMoves, lineFrom, movesTo, promote, sortChildren, type GameNode } from "./game-tree";
import { linesOf, type MoveBranch } from "./variation-storage";

/** The position at which a game is opened. */
export interface Place {
  ply: number;
  /** Moves of a variation that leaves the main line at `ply`. */
  line?: readonly string[];
  variations?: readonly MoveBranch[];
  /** Aborted if another game is opened in the meantime. */
  signal?: AbortSignal;
}

export abstract class Study extends BoardController {
  source: GameSource | null = $state.raw(null);
  /** The game's ID in the library; null if it is not there. */
  recordId: string | null = $state(null);
  /** The game's ID on the Play or Watch page; null if it is not there. */
  gameId: string | null = $state(null);
  root: GameNode | null = $state.raw(null);
  current: GameNode | null = $state.raw(null);
  /** Counts changes to the tree, whose nodes are not reactive. */
  version = $state(0);
  private positions = new Map<number, PositionView>();
  private positionCount = $state(0);

  readonly facts: GameFacts | undefined = $derived(this.source ? gameFacts(this.source.game) : undefined);
  readonly mainLine: readonly GameNode[] = $derived.by(() => {
    void this.version;
    return this.root ? lineFrom(this.root) : [];
  });
  readonly mainMoves: readonly string[] = $derived(this.mainLine.slice(1).map((node) => node.move));
  /** The moves from the start to the current position. */
  readonly line: readonly string[] = $derived(this.current ? movesTo(this.current) : []);
  readonly ply: number = $derived(this.current?.ply ?? 0);
  readonly lastPly: number = $derived(Math.max(0, this.mainLine.length - 1));
  readonly isOnMainLine: boolean = $derived(this.current !== null && this.mainLine[this.current.ply] === this.current);
  /** Whether the game is neither in the library nor on another page, in which case the URL contains its moves. */
  readonly isFree: boolean = $derived(this.recordId === null && this.gameId === null);
  readonly isEmpty: boolean = $derived(this.lastPly === 0 && this.isFree);
  /** Whether the tree contains variations or changes that the URL does not store. */
  readonly hasVariations: boolean = $derived(
    this.mainLine.some((node) => node.children.length > 1) ||
      (!this.isFree && this.mainMoves.some((move, at) => move !== this.source?.moves[at])),
  );
  readonly shown: ShownPosition | null = $derived(this.current && shownBoard(this.current.board));
  readonly position: PositionView | null = $derived.by(() => {
    void this.positionCount;
    return this.current ? (this.positions.get(this.current.id) ?? null) : null;
  });

  /** Shows a game. */
  protected async open(source: GameSource, place: Place): Promise<void> {
    const boards = await fetchBoards(source.game, source.start, source.moves);
    const [start] = boards;
    if (!start) return;
    const root = addNode(start, null);
    appendBoards(root, boards.slice(1));
    await restoreVariations(source, root, place.variations ?? []);
    if (place.signal?.aborted) return;
    this.positions = new Map();
    this.source = source;
    this.root = root;
    this.version += 1;
    const line = lineFrom(root);
    this.current = line[Math.max(0, Math.min(place.ply, line.length - 1))] ?? root;
    await this.follow(place.line ?? []);
  }

  /** Plays moves from the current position, adding those that the tree does not contain. */
  async follow(moves: readonly string[]): Promise<void> {
    for (const move of moves) {
      const here = this.current;
      const next = here && (childOf(here, move) ?? (await this.addMove(here, move)));
      if (!next) return;
      this.current = next;
    }
  }

  private async addMove(node: GameNode, move: string): Promise<GameNode | null> {
    if (!this.source) return null;
    const body = { game: this.source.game, text: this.source.start, moves: [...movesTo(node), move] };
    const position = await unwrap(api.POST("/api/positions", { body }));
    const existing = childOf(node, position.last_move?.text ?? "");
    if (existing) return existing;
    const child = addNode(position, node);
    this.positions.set(child.id, position);
    this.version += 1;
    return child;
  }

  /** Fetches the legal moves of the current position. */
  protected async fetchPosition(): Promise<void> {
    const { current, source } = this;
    if (!current || !source || this.positions.has(current.id)) return;
    const body = { game: source.game, text: source.start, moves: movesTo(current) };
    this.positions.set(current.id, await unwrap(api.POST("/api/positions", { body })));
    this.positionCount += 1;
  }

  select(node: GameNode | null | undefined): void {
    if (node) this.current = node;
  }

  override previous(): void {
    this.select(this.current?.parent);
  }

  override next(): void {
    this.select(this.current?.children[0]);
  }

  override first(): void {
    this.select(this.root);
  }

  override last(): void {
    if (this.current) this.select(lineFrom(this.current).at(-1));
  }

  /** Shows a ply of the main line. */
  goTo(ply: number): void {
    this.select(this.mainLine[Math.max(0, Math.min(ply, this.lastPly))]);
  }

  /** Deletes a node and everything after it. */
  remove(node: GameNode): void {
    const { parent } = node;
    if (!parent) return;
    parent.children = parent.children.filter((child) => child !== node);
    for (let here = this.current; here; here = here.parent) if (here === node) this.current = parent;
    this.version += 1;
  }

  makeMainLine(node: GameNode): void {
    promote(node);
    this.version += 1;
  }

  /** Appends the new moves of a game in progress. If the last position is on the board, the board follows the game. */
  protected async extend(moves: readonly string[]): Promise<void> {
    const before = this.mainMoves;
    if (moves.length < before.length || before.some((move, at) => move !== moves[at])) return;
    let last = this.mainLine.at(-1) ?? null;
    const follows = this.current === last;
    for (const move of moves.slice(before.length)) last = last && (await this.addMove(last, move));
    if (follows && last) this.current = last;
  }
}

function appendBoards(node: GameNode, boards: readonly BoardView[]): void {
  let last = node;
  for (const board of boards) last = addNode(board, last);
}

/** Restores stored variations in their order, omitting lines that are no longer legal. */
async function restoreVariations(source: GameSource, root: GameNode, variations: readonly MoveBranch[]): Promise<void> {
  for (const line of linesOf(variations)) {
    const node = followMoves(root, line);
    if (node.ply === line.length) continue;
    const boards = await fetchBoards(source.game, source.start, line).catch(() => []);
    appendBoards(node, boards.slice(node.ply + 1));
  }
  sortChildren(root, variations);
}
