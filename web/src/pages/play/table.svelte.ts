/** The game on the table: what the server says of it, what the hand has just done, what is looked at. */

import { ApiError, api, got, type Schemas } from "../../api/client";
import { provisional } from "../../board/track";
import type { Cells, Move } from "../../board/types";
import { play as playSound } from "../../board/sound";
import { factsOf, type GameFacts } from "../../state/catalog.svelte";
import { copy, fault, notice, say } from "../../state/notices.svelte";
import { listen, send } from "../../state/socket.svelte";
import { describeChange } from "./telling";

export type GameView = Schemas["GameView"];
export type Thought = Schemas["Thought"];

interface Pending {
  move: Move;
  ply: number;
}

/** A board to look at: the game as it stands, or an earlier one. */
export interface Shown {
  cells: Cells;
  /** The squares of the line that won. */
  winning: readonly string[];
  last: readonly string[] | null;
  turn: string;
  /** The moves that lead there. */
  line: readonly string[];
}

export class Table {
  game: GameView | null = $state.raw(null);
  trouble: string | null = $state(null);
  /** What the opponent thought last; it stays when the search ends. */
  thought: { thought: Thought; final: boolean } | null = $state.raw(null);
  hint: Schemas["HintView"] | null = $state.raw(null);
  hinting = $state(false);
  /** The ply that is looked at; null is the game as it stands. */
  looking: number | null = $state(null);
  private peeking = $state(false);
  boards: Schemas["BoardView"][] = $state.raw([]);
  private pending: Pending | null = $state.raw(null);
  private stop: (() => void)[] = [];
  private followed: string | null = null;

  readonly facts: GameFacts | undefined = $derived(this.game ? factsOf(this.game.game) : undefined);
  readonly over = $derived(this.game?.position.outcome != null);
  readonly ply = $derived(this.game?.moves.length ?? 0);
  readonly yourTurn = $derived.by(() => {
    const game = this.game;
    if (!game || game.read_only || game.position.outcome || this.pending) return false;
    return game.you === "both" || game.you === game.position.turn;
  });

  /** The letter that the side to move puts on the board, where a side has only one. */
  private readonly placed = $derived.by(() => {
    const own = this.facts?.pieces.filter((piece) => piece.side === this.game?.position.turn) ?? [];
    return own.length === 1 ? (own[0]?.letter ?? null) : null;
  });

  readonly shown: Shown | null = $derived.by(() => {
    const game = this.game;
    if (!game) return null;
    const earlier = this.looking === null ? undefined : this.boards[this.looking];
    const line = game.moves.map((move) => move.text);
    if (earlier) return { cells: earlier.cells, winning: earlier.winning, last: this.before ? null : (earlier.last?.path ?? null), turn: earlier.turn, line: line.slice(0, this.looking ?? 0) };
    const { position } = game;
    if (this.pending) {
      const { move } = this.pending;
      return { cells: provisional(position.cells, move, this.placed), winning: [], last: move.path, turn: position.turn, line: [...line, move.text] };
    }
    return { cells: position.cells, winning: position.winning, last: position.last?.path ?? null, turn: position.turn, line };
  });

  /** Whether the board before the last move is shown, with that move on it. */
  readonly before = $derived(this.peeking && this.looking !== null && this.looking === this.ply - 1);

  /** What may be played on the board that is shown. */
  readonly moves: readonly Move[] = $derived(this.yourTurn && this.looking === null ? (this.game?.position.moves ?? []) : []);

  constructor() {
    this.stop = [
      listen("game", (message) => this.take(message.game)),
      listen("report", (message) => {
        if (message.id === this.game?.id) this.thought = { thought: message.thought, final: message.final };
      }),
      listen("gone", (message) => {
        if (message.game_id === this.game?.id) this.trouble = "This game was deleted.";
      }),
    ];
  }

  /** Stops listening: the page is left. */
  close(): void {
    for (const end of this.stop) end();
    this.follow(null);
  }

  private follow(id: string | null): void {
    if (id === this.followed) return;
    if (this.followed) send({ type: "unfollow", game_id: this.followed });
    this.followed = id;
    if (id) send({ type: "follow", game_id: id, token: null });
  }

  /** Puts a game on the table. */
  put(game: GameView): void {
    this.game = null;
    this.pending = null;
    this.thought = null;
    this.boards = [];
    this.looking = null;
    this.take(game);
    this.follow(game.id);
  }

  /** What the server says, unless it has been overtaken. */
  private take(game: GameView): void {
    const before = this.game;
    if (before && (game.id !== before.id || game.version < before.version)) return;
    this.trouble = null;
    const same = before?.moves.length === game.moves.length && before.position.text === game.position.text;
    if (this.pending && (game.moves.length > this.pending.ply || game.position.outcome)) this.pending = null;
    this.game = game;
    if (!before || same) return;
    this.hint = null;
    this.looking = null;
    const last = game.moves.at(-1);
    if (game.moves.length > before.moves.length && last) {
      const fewer = Object.keys(game.position.cells).length < Object.keys(before.position.cells).length;
      if (!game.position.outcome) playSound(fewer ? "capture" : "move");
    }
    if (game.position.outcome && !before.position.outcome) playSound("end");
    const told = describeChange(before, game);
    if (told) say(told);
  }

  /** Asks the server for something that answers with the game. */
  private async ask(asked: Promise<GameView>): Promise<boolean> {
    try {
      this.take(await asked);
      return true;
    } catch (error) {
      fault(error);
      return false;
    }
  }

  private get path(): { params: { path: { game_id: string } } } {
    return { params: { path: { game_id: this.game?.id ?? "" } } };
  }

  /** Plays a move: shown at once, on disk when the server answers. While the server is away it is kept and sent again. */
  async play(move: Move): Promise<void> {
    if (!this.game || !this.yourTurn) return;
    this.looking = null;
    this.hint = null;
    const pending = { move, ply: this.ply };
    this.pending = pending;
    await this.sendPending(pending);
  }

  private async sendPending(pending: Pending): Promise<void> {
    try {
      this.take(await got(api.POST("/api/games/{game_id}/moves", { ...this.path, body: { move: pending.move.text, ply: pending.ply, wait: 0 } })));
      if (this.pending === pending) this.pending = null;
    } catch (error) {
      if (error instanceof ApiError && error.status === 0) return;
      if (this.pending === pending) this.pending = null;
      fault(error);
      await this.refresh();
    }
  }

  /** The connection is back: what was not acknowledged is sent again, and the game fetched. */
  async resume(): Promise<void> {
    if (this.pending) await this.sendPending(this.pending);
    else await this.refresh();
  }

  async refresh(): Promise<void> {
    const id = this.game?.id;
    if (!id) return;
    try {
      this.take(await got(api.GET("/api/games/{game_id}", this.path)));
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) this.trouble = "This game is no longer there.";
    }
  }

  async undo(): Promise<void> {
    await this.ask(got(api.POST("/api/games/{game_id}/undo", { ...this.path, body: { ply: this.ply } })));
  }

  async redo(): Promise<void> {
    await this.ask(got(api.POST("/api/games/{game_id}/redo", { ...this.path, body: { ply: this.ply } })));
  }

  async resign(): Promise<void> {
    await this.ask(got(api.POST("/api/games/{game_id}/resign", { ...this.path, body: { ply: this.ply } })));
  }

  async offerDraw(): Promise<void> {
    try {
      const answer = await got(api.POST("/api/games/{game_id}/draw", { ...this.path, body: { ply: this.ply } }));
      this.take(answer.game);
      if (!answer.accepted) notice(answer.text);
    } catch (error) {
      fault(error);
    }
  }

  async changePlayer(player: string): Promise<void> {
    const done = await this.ask(got(api.POST("/api/games/{game_id}/seats", { ...this.path, body: { player } })));
    if (done) notice(`${player} plays from the next move on`);
  }

  async setCoach(coach: boolean): Promise<void> {
    await this.ask(got(api.POST("/api/games/{game_id}/coach", { ...this.path, body: { coach } })));
  }

  async moveNow(): Promise<void> {
    await this.ask(got(api.POST("/api/games/{game_id}/now", this.path)));
  }

  /** The next rung of the hint ladder. */
  async nextHint(): Promise<void> {
    if (!this.yourTurn || this.hinting || !this.game) return;
    const [ply, id] = [this.ply, this.game.id];
    const rung = Math.min(4, this.hint?.ply === ply ? this.hint.rung + 1 : 1);
    this.looking = null;
    this.hinting = true;
    try {
      const hint = await got(api.POST("/api/games/{game_id}/hint", { ...this.path, body: { rung, ply } }));
      if (this.game.id === id && this.ply === ply) {
        this.hint = hint;
        say(hint.text);
      }
    } catch (error) {
      fault(error);
    }
    this.hinting = false;
  }

  /** Copies a link under which others look on. */
  async share(): Promise<void> {
    try {
      const { address } = await got(api.POST("/api/games/{game_id}/share", this.path));
      const { href } = new URL(address, location.origin);
      await copy(href, "Link copied: whoever has it can look on", `Whoever has this link can look on: ${href}`);
    } catch (error) {
      fault(error);
    }
  }

  /** Looks at an earlier board; the boards are fetched when they are first asked for. */
  async look(ply: number): Promise<void> {
    const game = this.game;
    if (!game) return;
    this.peeking = false;
    const wanted = Math.max(0, Math.min(ply, game.moves.length));
    if (wanted === game.moves.length) {
      this.looking = null;
      return;
    }
    if (this.boards.length <= wanted || !this.fits(game)) {
      try {
        const line = await got(api.POST("/api/lines", { body: { game: game.game, text: game.start, moves: game.moves.map((move) => move.text) } }));
        this.boards = line.boards;
      } catch (error) {
        fault(error);
        return;
      }
    }
    this.looking = wanted;
  }

  back(): void {
    void this.look((this.looking ?? this.ply) - 1);
  }

  on(): void {
    void this.look((this.looking ?? this.ply) + 1);
  }

  first(): void {
    void this.look(0);
  }

  /** Back to the game as it stands. */
  last(): void {
    void this.look(this.ply);
  }

  /** Shows the board before the last move, or the game as it stands again. */
  async peek(on: boolean): Promise<void> {
    const [ply, last] = [this.ply - 1, this.game?.moves.at(-1)];
    if (!on || !last) {
      this.looking = null;
      this.peeking = false;
      return;
    }
    const shown = this.look(ply);
    this.peeking = true;
    await shown;
    // It may have been let go while the boards were fetched.
    if (this.peeking) say(`Before ${last.notation}.`);
    else if (this.looking === ply) this.looking = null;
  }

  /** Whether the boards that were fetched are those of the game as it is now. */
  private fits(game: GameView): boolean {
    return game.moves.every((move, at) => at + 1 >= this.boards.length || this.boards[at + 1]?.last?.text === move.text);
  }
}
