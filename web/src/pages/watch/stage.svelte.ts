/** A watched game: the table of Play, and besides what both of its agents think. */

import { api, got, type Schemas } from "../../api/client";
import { fault, notice } from "../../state/notices.svelte";
import { listen } from "../../state/socket.svelte";
import { Table } from "../play/table.svelte";

/** What an agent thought last; it stays when the search ends. */
export interface Minded {
  thought: Schemas["Thought"];
  final: boolean;
}

export class Watched {
  readonly table = new Table();
  /** By side. */
  minds: Record<string, Minded> = $state.raw({});
  /** Who played a side before it was taken over. */
  former: Record<string, string> = $state.raw({});
  private readonly stop: () => void;

  constructor(private readonly id: string) {
    this.stop = listen("report", (message) => {
      if (message.id === this.id) this.minds = { ...this.minds, [message.thought.turn]: { thought: message.thought, final: message.final } };
    });
  }

  close(): void {
    this.stop();
    this.table.close();
  }

  /** What a side expects for itself: of its newest thought, or of its last move. */
  belief(side: string): number | null {
    const game = this.table.game;
    if (!game || !game.seats[side] || game.seats[side].kind === "person") return null;
    const first = this.minds[side]?.thought.value_first ?? game.moves.findLast((move) => move.side === side && move.value_first !== null)?.value_first ?? null;
    if (first === null) return null;
    return this.table.facts?.sides[0] === side ? first : 1 - first;
  }

  /** Whether a side thinks just now. */
  thinks(side: string): boolean {
    const game = this.table.game;
    return game !== null && game.thinking && game.position.turn === side && this.minds[side]?.final !== true;
  }

  private get path(): { params: { path: { game_id: string } } } {
    return { params: { path: { game_id: this.id } } };
  }

  /** Pauses, goes on, changes the speed, or plays one move. */
  async pace(change: { paused?: boolean; seconds?: number; one?: boolean }): Promise<void> {
    try {
      await got(api.POST("/api/games/{game_id}/pace", { ...this.path, body: { paused: change.paused ?? null, seconds: change.seconds ?? null, one: change.one ?? false } }));
      await this.table.refresh();
    } catch (error) {
      fault(error);
    }
  }

  /** Lets somebody else play a side from the next move on; null is the visitor. */
  async seat(side: string, player: string | null): Promise<void> {
    const before = this.table.game?.seats[side]?.player;
    try {
      const game = await got(api.POST("/api/games/{game_id}/seats", { ...this.path, body: { side, player } }));
      const former = { ...this.former };
      delete former[side];
      this.former = player === null && before ? { ...former, [side]: before } : former;
      await this.table.refresh();
      notice(player === null ? `You play ${side} now` : `${game.seats[side]?.name ?? player} plays ${side} from the next move on`);
    } catch (error) {
      fault(error);
    }
  }
}
