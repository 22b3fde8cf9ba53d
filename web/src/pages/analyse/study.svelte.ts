/** A study of a game: its main line, the variations played on the board, and the current position. */

import { ApiError, api, unwrap, type Schemas } from "../../api/client";
import {
  BoardController,
  shownBoard,
  type PositionView,
  type ShownPosition,
} from "../../board-page/board-controller.svelte";
import { gameFacts, type GameFacts } from "../../state/catalog.svelte";
import { errorText, showNotice } from "../../state/notices.svelte";
import type { GameSource } from "./game-source";
import {
  addNode,
  childOf,
  followMoves,
  growTree,
  isAnnotated,
  lineFrom,
  lineOfTree,
  movesTo,
  plainLine,
  promote,
  type GameLine,
  type GameNode,
} from "./game-tree";

/** The position at which a game is opened. */
export interface Place {
  ply: number;
  /** Moves of a variation that leaves the main line at `ply`. */
  line?: readonly string[];
  /** Unsaved changes to the game's comments and variations. */
  unsaved?: GameLine | null;
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
  /** The stored game as a tree, and with its own moves as the main line. */
  private openedTree: GameLine = $state.raw(plainLine([]));
  private saved: GameLine = $state.raw(plainLine([]));
  /** Whether the tree contains all variations of the game. */
  private isComplete = $state(true);
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
  /** The moves, comments, NAGs and variations of the tree. */
  readonly tree: GameLine = $derived.by(() => {
    void this.version;
    return this.root ? lineOfTree(this.root) : plainLine([]);
  });
  /** The tree with the moves of the stored game as the main line. */
  readonly savable: GameLine = $derived.by(() => {
    void this.version;
    return this.root ? lineOfTree(this.root, this.source?.moves ?? []) : plainLine([]);
  });
  /** Whether the tree differs from what the URL or the library stores. */
  readonly isChanged: boolean = $derived.by(() => {
    const stored = this.recordId === null ? plainLine(this.isFree ? this.mainMoves : (this.source?.moves ?? [])) : null;
    return JSON.stringify(this.tree) !== JSON.stringify(stored ?? this.openedTree);
  });
  /** Whether changes to comments and variations can be saved in the visitor's stored game. */
  readonly canSaveChanges: boolean = $derived.by(() => {
    const isOwn = this.recordId !== null && this.source?.isOwner === true && this.isComplete;
    return isOwn && JSON.stringify(this.savable) !== JSON.stringify(this.saved);
  });
  /** The last named opening on the way to the current position. */
  readonly opening: Schemas["OpeningView"] | null = $derived.by(() => {
    for (let here = this.current; here; here = here.parent) if (here.board.opening) return here.board.opening;
    return null;
  });
  readonly shown: ShownPosition | null = $derived(this.current && shownBoard(this.current.board));
  readonly position: PositionView | null = $derived.by(() => {
    void this.positionCount;
    return this.current ? (this.positions.get(this.current.id) ?? null) : null;
  });

  /** Shows a game. */
  protected async open(source: GameSource, place: Place): Promise<void> {
    const opened = await openTree(source, place.unsaved ?? null);
    if (place.signal?.aborted) return;
    const { root } = opened;
    this.openedTree = opened.stored;
    this.saved = opened.saved;
    this.isComplete = opened.isComplete;
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

  /** Changes the comment and the NAGs of a node. */
  annotate(node: GameNode, comment: string, nags: readonly number[]): void {
    node.comment = comment;
    node.nags = [...nags].sort((a, b) => a - b);
    this.version += 1;
  }

  /** Notes that the changes have been saved in the stored game. */
  markSaved(line: GameLine): void {
    const moves = this.source?.moves ?? [];
    this.saved = line;
    this.openedTree = moves.every((move, at) => move === this.mainMoves[at]) ? this.tree : line;
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

interface OpenedTree {
  root: GameNode;
  /** The stored game as a tree. */
  stored: GameLine;
  /** The same with the moves of the game as the main line. */
  saved: GameLine;
  /** Whether the tree contains all variations of the game. */
  isComplete: boolean;
}

async function fetchTree(source: GameSource, line: GameLine): Promise<GameNode> {
  const body = { game: source.game, text: source.start, ...line };
  return growTree(line, await unwrap(api.POST("/api/game-trees", { body })));
}

/** Opens a game, or `unsaved` if the server accepts it. Large variations are omitted, with a notice. */
async function openTree(source: GameSource, unsaved: GameLine | null): Promise<OpenedTree> {
  const line = source.line ?? plainLine(source.moves);
  let isComplete = true;
  const stored = await fetchTree(source, line).catch((error: unknown) => {
    if (!isAnnotated(line) || (error instanceof ApiError && error.status === 0)) throw error;
    isComplete = false;
    showNotice(`The variations cannot be shown: ${errorText(error)}`, { kind: "error" });
    return fetchTree(source, plainLine(source.moves));
  });
  const lines = { stored: lineOfTree(stored), saved: lineOfTree(stored, source.moves) };
  const root = unsaved ? await fetchTree(source, unsaved).catch(() => null) : null;
  if (root) {
    // A game in progress may have continued since the changes were made.
    let last = followMoves(root, source.moves);
    for (const node of lineFrom(stored).slice(last.ply + 1, source.moves.length + 1)) last = addNode(node.board, last);
  }
  return { root: root ?? stored, ...lines, isComplete };
}
