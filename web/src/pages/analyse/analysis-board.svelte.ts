/** The controller of the Analyse page: a study with an engine, a review, exact values and mistakes to retry. */

import { untrack } from "svelte";
import type { Schemas } from "../../api/client";
import type { AnalysisAddress } from "../../board-page/analysis-address";
import type { GameView } from "../../board-page/board-controller.svelte";
import type { Analysis } from "../../board-page/engine.svelte";
import type { Arrow, Move } from "../../board/types";
import { exactEvaluation, searchEvaluation, type Evaluation } from "../../parts/evaluation";
import { hasOwnLimit } from "../../parts/players";
import { catalog } from "../../state/catalog.svelte";
import { selectedGame } from "../../state/selected-game.svelte";
import { showError } from "../../state/notices.svelte";
import { settings } from "../../state/settings.svelte";
import { Comparison } from "./comparison.svelte";
import { AnalysisEngine } from "./engine.svelte";
import { ExactValues } from "./exact-values.svelte";
import { fetchSource, sourceFromGame, type GameSource } from "./game-source";
import { graphPoints } from "./graph-points";
import { Retry } from "./retry.svelte";
import { Review, type ReviewedPly } from "./review.svelte";
import { Study, type Place } from "./study.svelte";

/** Moves with less than this share of the visits get no arrow, except the best move. */
const MIN_ARROW_SHARE = 0.12;
const MAX_ARROWS = 3;
const DEFAULT_TREE_SIZE = 500;

export class AnalysisBoard extends Study {
  readonly engine = new AnalysisEngine();
  readonly review = new Review();
  readonly retry = new Retry(this);
  readonly comparison = new Comparison();
  private readonly exactValues = new ExactValues();

  /** The analysis of the current position; hidden during a retry. */
  readonly analysis: Analysis | null = $derived(this.retry.isActive ? null : this.engine.analysis);
  readonly points = $derived(graphPoints(this, this.review, this.engine));
  /** Marks for mistakes, keyed by the ply before the move. */
  readonly marks: Readonly<Record<number, string>> = $derived(
    Object.fromEntries(this.review.mistakes.map((one) => [one.ply, one.mark])),
  );
  /** The engine's evaluation of the position or, if there is none, the evaluation in the graph; null if unknown. */
  readonly searched: Evaluation | null = $derived.by(() => {
    if (this.retry.isActive || !this.current || !this.facts) return null;
    const own = searchEvaluation(this.analysis, "Engine", this.facts.sides);
    const point = this.isOnMainLine ? this.points[this.current.ply] : null;
    return own ?? (point ? { value: point.value, source: point.source, result: null } : null);
  });
  /** The best known evaluation: exact if possible; null if unknown. */
  readonly evaluation: Evaluation | null = $derived.by(() => {
    if (!this.exact || !this.shown || !this.facts) return this.searched;
    return exactEvaluation(this.exact, this.shown.turn, this.facts.sides);
  });
  /** The expected score of the side to move according to a search, 0 to 1. */
  readonly valueToMove: number | null = $derived.by(() => {
    if (!this.searched || !this.shown) return null;
    return this.shown.turn === this.facts?.sides[0] ? this.searched.value : 1 - this.searched.value;
  });
  readonly exact: Schemas["ExactView"] | null = $derived.by(() => {
    if (!this.current || !this.source || this.retry.isActive) return null;
    const reviewed = this.isOnMainLine ? this.review.byPly.get(this.current.ply)?.exact : null;
    return this.analysis?.exact ?? reviewed ?? this.exactValues.get(this.source.game, this.current.board.text);
  });
  /** The review of the move that led to the current position. */
  readonly reviewedMove: ReviewedPly | null = $derived.by(() => {
    if (!this.current || this.current.ply === 0 || !this.isOnMainLine || this.retry.isActive) return null;
    return this.review.byPly.get(this.current.ply - 1) ?? null;
  });
  /** The outcome if the game ended here by resignation, time forfeit or agreement instead of by the rules. */
  readonly recordedOutcome: string | null = $derived.by(() => {
    const { source, current } = this;
    if (!source?.outcome || !this.isOnMainLine || !current || current.board.outcome) return null;
    return current.ply === source.moves.length ? source.outcome.text : null;
  });
  readonly nextMistake: ReviewedPly | null = $derived(
    this.review.mistakes.find((one) => one.ply > (this.retry.mistake?.ply ?? this.ply)) ?? null,
  );
  readonly canMove: boolean = $derived(this.recordedOutcome === null && (!this.retry.isActive || this.retry.isWaiting));
  private readonly canSearch = $derived(this.current !== null && !this.current.board.outcome && !this.retry.isActive);

  /** `isTreeShown` returns whether the page shows the search tree. */
  constructor(private readonly isTreeShown: () => boolean) {
    super();
    $effect(() => {
      if (this.current) this.fetchPosition().catch(showError);
    });
    $effect(() => {
      const agent = settings.engine || null;
      // An agent without its own limit gets the server's time limit for searches, like the default agent.
      const isLimited = agent === null || !catalog.ready || hasOwnLimit(agent, this.facts);
      const seconds = isLimited ? null : (catalog.limits?.search_seconds ?? null);
      untrack(() => this.engine.setAgent(agent, seconds));
    });
    $effect(() => {
      const { current, source, line } = this;
      const position =
        this.canSearch && current && source
          ? { game: source.game, start: source.start, moves: line, text: current.board.text }
          : null;
      const compared = this.facts?.compared ?? [];
      untrack(() => {
        this.engine.show(position);
        this.comparison.show(position, compared);
      });
    });
    $effect(() => {
      const shown = this.isTreeShown();
      untrack(() => {
        if (shown) this.engine.requestTree(this.engine.treeSize || DEFAULT_TREE_SIZE);
        else if (this.engine.treeSize > 0) this.engine.requestTree(0);
      });
    });
    $effect(() => {
      if (this.source && this.current && this.facts?.exact_source && !this.engine.isOn && this.canSearch)
        this.exactValues.request(this.source.game, this.current.board.text);
    });
    $effect(() => {
      if (this.gameId) return this.subscribe(this.gameId, null, (game) => this.update(game));
    });
  }

  /** Appends the new moves of a game that is still being played. */
  private update(game: GameView): void {
    const source = sourceFromGame(game);
    if (this.source) this.extend(source.moves).then(() => (this.source = source), showError);
  }

  /** Returns the game that a URL names, or null on failure. */
  async fetchSource(address: AnalysisAddress, signal: AbortSignal): Promise<GameSource | null> {
    return this.load(() => fetchSource(address, selectedGame()), signal);
  }

  /** Replaces the game on the board. */
  async replace(
    source: GameSource,
    ids: { recordId: string | null; gameId: string | null },
    place: Place,
  ): Promise<void> {
    this.engine.reset();
    this.retry.end();
    this.review.reset();
    this.reset();
    this.recordId = ids.recordId;
    this.gameId = ids.gameId;
    await this.open(source, place);
  }

  /** Plays the visitor's move: as an attempt during a retry, otherwise as a move in the study. */
  playMove(move: Move): void {
    if (this.retry.isActive) void this.retry.tryMove(move);
    else this.playLine([move.text]);
  }

  playLine(moves: readonly string[]): void {
    this.follow(moves).catch(showError);
  }

  playSuggestion(index: number): void {
    const move = this.suggestions[index];
    if (move && this.analysis?.ply === this.ply) this.playLine([move]);
  }

  startReview(): void {
    this.engine.turnOff();
    void this.review.start(this);
  }

  startRetry(mistake: ReviewedPly): void {
    this.engine.turnOff();
    this.hovered = null;
    this.retry.start(mistake);
  }

  endRetry(): void {
    const ply = this.retry.mistake?.ply ?? 0;
    this.retry.end();
    this.goTo(ply + 1);
  }

  toggleEngine(): void {
    if (this.canSearch) this.engine.toggle();
  }

  /** Starts the engine for the search tree, unless a tree for this position is already available. */
  startTree(): void {
    if (!this.engine.isOn && !this.engine.columns && this.canSearch) this.engine.turnOn();
  }

  goToMistake(direction: 1 | -1): void {
    const ply = this.ply - 1;
    const { mistakes } = this.review;
    const found = direction > 0 ? mistakes.find((one) => one.ply > ply) : mistakes.findLast((one) => one.ply < ply);
    if (found) this.goTo(found.ply + 1);
  }

  protected override drawArrows(): Arrow[] {
    if (this.hovered || !settings.arrows || this.analysis?.ply !== this.ply) return super.drawArrows();
    const best = [...this.analysis.moves].sort((a, b) => b.share - a.share).slice(0, MAX_ARROWS);
    return best
      .filter((move) => move.share > MIN_ARROW_SHARE || move === best[0])
      .map((move): Arrow => ({ path: this.pathOf(move.move), kind: "line", weight: move.share }))
      .reverse();
  }
}
