/** Boards of nodes, asked for when somebody looks at one and kept. */

import { api, got, type Schemas } from "../api/client";

export type Board = Schemas["PositionView"];

export interface Root {
  game: string;
  start: string | null;
  moves: readonly string[];
}

const MOST = 600;

export class NodeBoards {
  private readonly kept = new Map<string, Board>();
  private readonly asked = new Set<string>();
  private version = $state(0);

  /** The board of a node, if it is there already. */
  get(root: Root, path: readonly string[]): Board | null {
    void this.version;
    return this.kept.get(name(root, path)) ?? null;
  }

  /** Asks for a board. Whoever reads it hears when it comes; a board that cannot be had is not asked for again. */
  async fetch(root: Root, path: readonly string[]): Promise<void> {
    const key = name(root, path);
    if (this.kept.has(key) || this.asked.has(key)) return;
    this.asked.add(key);
    try {
      const body = { game: root.game, text: root.start, moves: [...root.moves, ...path] };
      this.kept.set(key, await got(api.POST("/api/positions", { body })));
      if (this.kept.size > MOST) this.kept.delete(this.kept.keys().next().value ?? "");
      this.version += 1;
    } catch {
      setTimeout(() => this.asked.delete(key), 5000);
      return;
    }
    this.asked.delete(key);
  }
}

function name(root: Root, path: readonly string[]): string {
  return JSON.stringify([root.game, root.start, root.moves, path]);
}
