/** Keeps the Analyse page and its URL in sync: the URL names the game to open and follows the current position. */

import { untrack } from "svelte";
import { gameKey, opensAtEnd, readAddress, writeAddress } from "../../board-page/analysis-address";
import type { PageProps } from "../../frame/page";
import { catalog } from "../../state/catalog.svelte";
import { selectedGame, rememberGame } from "../../state/selected-game.svelte";
import { errorText } from "../../state/notices.svelte";
import { go, route } from "../../state/router.svelte";
import type { AnalysisBoard } from "./analysis-board.svelte";
import type { GameSource } from "./game-source";
import { movesTo } from "./game-tree";
import { loadAnalysis, storeAnalysis } from "./variation-storage";

/** Debounce delay for URL updates, so that stepping quickly does not write every position. */
const WRITE_DELAY_MS = 300;

export class AddressSync {
  /** The key of the last game requested, which is on the board or being loaded. */
  private requestedKey = "";
  /** The key of the game on the board. */
  private shownKey = "";
  /** A game opened from text or a file, which the next `load` will show. */
  private opened: GameSource | null = null;
  /** Aborted when another game is requested or the page is left. */
  private loading = new AbortController();

  private readonly address = $derived.by(() => readAddress(this.props().parts, this.props().query));
  private readonly key = $derived.by(() => gameKey(this.address, selectedGame()));

  constructor(
    private readonly board: AnalysisBoard,
    private readonly props: () => PageProps,
  ) {
    $effect(() => {
      const { key } = this;
      if (catalog.ready && key !== this.requestedKey) untrack(() => void this.load());
    });
    $effect(() => this.scheduleWrite());
    $effect(() => () => this.loading.abort());
  }

  /** Opens a game that was read from text or a file. */
  openSource(source: GameSource): void {
    this.opened = source;
    this.requestedKey = "";
    const { game, start, moves } = source;
    const url = writeAddress(
      { record: null, play: null, game, start, moves: [...moves], ply: 0, from: null, line: [] },
      new URLSearchParams(),
    );
    if (url === route().address) void this.load();
    else go(url);
  }

  /** Opens an empty board after an error. */
  openEmpty(): void {
    this.board.error = null;
    this.requestedKey = "";
    go("/analyse");
  }

  private async load(): Promise<void> {
    const { board, address, key, opened } = this;
    const { parts, query } = this.props();
    this.loading.abort();
    this.loading = new AbortController();
    const { signal } = this.loading;
    this.requestedKey = key;
    this.opened = null;
    if (parts.length > 0 && address.record === null) {
      board.error = "Game not found.";
      return;
    }
    if (!opened && this.isOtherGame()) {
      go(`/analyse?game=${encodeURIComponent(address.game ?? "")}`, { replace: true });
      return;
    }
    try {
      const source = opened ?? (await board.fetchSource(address, signal));
      if (!source || signal.aborted) return;
      const ids = { recordId: address.record, gameId: address.record === null ? address.play : null };
      await board.replace(source, ids, {
        ply: address.from ?? address.ply ?? (opensAtEnd(address) ? source.moves.length : 0),
        line: address.line,
        unsaved: opened ? null : loadAnalysis(key),
        signal,
      });
      if (signal.aborted) return;
      this.shownKey = key;
      rememberGame(source.game.split("(")[0] ?? source.game);
      if (query.get("review")) await board.review.start(board);
      else if (source.recordId != null) await board.review.loadStored(source.recordId);
      if (!signal.aborted && query.get("view") === "tree") board.startTree();
    } catch (error) {
      if (!signal.aborted) board.error = errorText(error);
    }
  }

  /**
   * Whether the visitor selected another game in the top bar. That changes only `game` in the URL, so the other
   * parameters still belong to the game on the board, and the other game begins at its start position.
   */
  private isOtherGame(): boolean {
    const { board, address } = this;
    const { source } = board;
    if (source === null || address.game === null || address.game === source.game) return false;
    if (address.record !== board.recordId || address.play !== board.gameId) return false;
    if (!board.isFree) return true;
    const isSame = address.start === source.start && address.moves.join() === board.mainMoves.join();
    return isSame && (address.moves.length > 0 || address.start !== null);
  }

  private scheduleWrite(): (() => void) | undefined {
    const { current, source, mainLine, version } = this.board;
    if (!current || !source || this.board.retry.isActive) return;
    void mainLine;
    void version;
    const timer = setTimeout(() => this.write(), WRITE_DELAY_MS);
    return () => clearTimeout(timer);
  }

  private write(): void {
    const { current, source, mainLine, mainMoves, root, recordId, gameId, isFree, isChanged, tree } = this.board;
    // While another game is being loaded, the URL already names it.
    if (this.shownKey !== this.key || route().parts[0] !== "analyse") return;
    if (!current || !source || !root) return;
    let fork = current;
    while (fork.parent && mainLine[fork.ply] !== fork) fork = fork.parent;
    const address = {
      record: recordId,
      play: gameId,
      game: source.game,
      start: source.start,
      moves: isFree ? [...mainMoves] : [],
      ply: current.ply,
      from: fork.ply,
      line: movesTo(current).slice(fork.ply),
    };
    const previousKey = this.shownKey;
    this.requestedKey = this.shownKey = gameKey(address, source.game);
    storeAnalysis(this.shownKey, previousKey, isChanged ? tree : null);
    go(writeAddress(address, this.props().query), { replace: true });
  }
}
