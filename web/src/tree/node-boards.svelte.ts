/** The boards of tree nodes, loaded on demand and cached. */

import { api, unwrap, type Schemas } from "../api/client";

export type Board = Schemas["PositionView"];

export interface Root {
  game: string;
  start: string | null;
  moves: readonly string[];
}

const MAX_CACHED = 600;
/** Milliseconds before a failed request may be repeated. */
const RETRY_DELAY = 5000;

export class NodeBoards {
  private readonly cache = new Map<string, Board>();
  private readonly pending = new Set<string>();
  private version = $state(0);

  /** The board of a node, or null if it has not been loaded; reactive. */
  get(root: Root, path: readonly string[]): Board | null {
    void this.version;
    return this.cache.get(cacheKey(root, path)) ?? null;
  }

  /** Load the board of a node. Failures are ignored; the request may be repeated after a delay. */
  async load(root: Root, path: readonly string[]): Promise<void> {
    const key = cacheKey(root, path);
    if (this.cache.has(key) || this.pending.has(key)) return;
    this.pending.add(key);
    try {
      const body = { game: root.game, text: root.start, moves: [...root.moves, ...path] };
      this.cache.set(key, await unwrap(api.POST("/api/positions", { body })));
      if (this.cache.size > MAX_CACHED) this.cache.delete(this.cache.keys().next().value ?? "");
      this.version += 1;
    } catch {
      setTimeout(() => this.pending.delete(key), RETRY_DELAY);
      return;
    }
    this.pending.delete(key);
  }
}

function cacheKey(root: Root, path: readonly string[]): string {
  return JSON.stringify([root.game, root.start, root.moves, path]);
}
