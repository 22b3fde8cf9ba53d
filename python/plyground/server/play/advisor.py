"""Independent assessments of a game's position, for hints and draw offers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from starlette.concurrency import run_in_threadpool

from plyground._engine import Position
from plyground.agents import Analysis, MoveAnalysis
from plyground.agents.analysis import RESULT_VALUE
from plyground.agents.forced import analyse_through_forced_moves
from plyground.arena.draw_offer import accepts_draw
from plyground.review import Evaluation
from plyground.server.play.live import LiveGame
from plyground.server.play.models import DrawView, HintView
from plyground.server.play.snapshot import Snapshot
from plyground.server.play.views import game_view
from plyground.server.search.exact import ExactAnalysis
from plyground.server.search.models import MoveAnalysisView
from plyground.server.search.pool import Priority, SearchTask
from plyground.server.search.reviewers import make_reviewer, max_seconds, review_limit
from plyground.server.search.services import SearchServices
from plyground.server.search.views import move_analysis_views, value_text

HINT_SECONDS = 0.7
HINT_MOVES = 4
"""Maximum number of moves whose values the last step of a hint shows."""
HINT_PLIES = 8
"""Maximum length of the line that a hint shows, in plies."""
DRAW_SECONDS = 0.3


@dataclass(frozen=True)
class Assessment:
    """The assessment of a position on which all steps of a hint are based."""

    moves: list[MoveAnalysisView]
    """The best moves, best first: either all with exact values or all with values from the same search."""
    pv: list[str]
    """The principal variation, starting with the best move."""

    @property
    def best(self) -> str:
        """The best move."""
        return self.moves[0].move


class Advisor:
    """Gives hints and decides on draw offers."""

    def __init__(self, search: SearchServices) -> None:
        self._search = search

    def assess(self, position: Position, seconds: float = HINT_SECONDS) -> Assessment:
        """Assess a position. Blocks: call it in a search thread."""
        exact = self._search.exact.solve(position, seconds)
        if exact is None or not exact.moves:
            analysis = self._analyse(position, seconds)
            ranked = _ranked_moves(analysis)
            pv = list(analysis.pv)
        else:
            # Where the tables lack distances, the reviewer ranks moves by distance to the next conversion.
            needs_search = exact.source == "tables" or len(exact.best_moves) > 1
            ranked = _ranked_exactly(exact, self._analyse(position, seconds) if needs_search else None)
            analysis = _exact_moves(position, exact, ranked)
            pv = self._exact_line(position, ranked[0], seconds)
        views = {view.move: view for view in move_analysis_views(analysis, exact)}
        return Assessment([views[move] for move in ranked[:HINT_MOVES]], pv[:HINT_PLIES])

    async def hint(self, live: LiveGame, step: int, ply: int | None) -> HintView:
        """Return a hint: step 1 names the piece, 2 the move, 3 the best line, 4 the values of the best moves."""
        snapshot = live.snapshot
        snapshot.check_ply(ply)
        snapshot.check_unfinished()
        assessment = await self._current_assessment(snapshot)
        return await run_in_threadpool(_hint_view, snapshot.position, assessment, step)

    async def offer_draw(self, live: LiveGame, ply: int | None) -> DrawView:
        """Offer a draw. Two humans always agree; an agent accepts if it does not consider itself better."""
        snapshot = live.snapshot
        snapshot.check_ply(ply)
        snapshot.check_unfinished()
        humans, position = snapshot.state.humans, snapshot.position
        if len(humans) == 2:
            accepted, text = True, "Draw agreed."
        elif not humans:
            accepted, text = False, "Agents play both sides, so nobody can offer a draw."
        else:
            agent_side = live.opponent(humans[0])
            accepted = _accepts_draw(await self._evaluate_in_pool(position), position, agent_side)
            name = snapshot.state.players[agent_side]
            text = f"{name} accepts the draw." if accepted else f"{name} declines the draw."
        return await run_in_threadpool(_finish_offer, live, position.ply, accepted, text)

    def _analyse(self, position: Position, seconds: float) -> Analysis:
        player = make_reviewer(self._search, position.game, seconds, lines=HINT_MOVES).agent
        return analyse_through_forced_moves(player, position, review_limit(self._search, seconds))

    def _exact_line(self, position: Position, best: str, seconds: float) -> list[str]:
        """Return a line of best moves, as long as exact values with distances are found within the time limit."""
        line, end = [best], time.monotonic() + seconds
        position = position.play(best)
        while len(line) < HINT_PLIES and position.outcome is None and (remaining := end - time.monotonic()) > 0:
            exact = self._search.exact.solve(position, remaining)
            if exact is None or exact.distance is None or exact.best is None:
                break
            line.append(exact.best)
            position = position.play(exact.best)
        return line

    async def _current_assessment(self, snapshot: Snapshot) -> Assessment:
        """Assess the current position of a game once; later hints reuse the result."""
        cache = snapshot.cache
        if "assessment" not in cache:
            position = snapshot.position
            cache["assessment"] = self._submit(position, lambda: self.assess(position), 3 * HINT_SECONDS + 1)
        assessment: Assessment = await asyncio.wrap_future(cache["assessment"])
        return assessment

    async def _evaluate_in_pool(self, position: Position) -> Evaluation:
        def evaluate() -> Evaluation:
            reviewer = make_reviewer(self._search, position.game, DRAW_SECONDS)
            return reviewer.evaluate(position, review_limit(self._search, DRAW_SECONDS))

        future = self._submit(position, evaluate, max_seconds(1, DRAW_SECONDS))
        evaluation: Evaluation = await asyncio.wrap_future(future)
        return evaluation

    def _submit(self, position: Position, search: Callable[[], Any], seconds: float) -> Future[Any]:
        """Run a search of a position in the pool."""

        def run(task: SearchTask) -> Any:
            self._search.exact.wait_for_tables(position.game)
            with task.searching():
                return search()

        return self._search.pool.submit(SearchTask(run, Priority.REPLY, seconds=seconds)).future


def _hint_view(position: Position, assessment: Assessment, step: int) -> HintView:
    best = assessment.best
    path = position.path(best)
    view = HintView(step=step, ply=position.ply, text="")
    if step == 1:
        if len(path) > 1:
            view.square, view.text = path[0], f"Look at {path[0]}."
        else:  # the only square of the path would reveal the move
            view.text = _region_hint(position, path)
        return view
    view.square = path[0] if path else None
    view.move, view.path = best, path
    view.text = f"{position.notation(best)} is {'the only move' if len(position.moves) == 1 else 'best'}."
    if step >= 3:
        view.pv = assessment.pv
        line = position
        for move in assessment.pv:
            line = line.play(move)
        view.text = f"Best play: {' '.join(line.history_notation[position.ply :])}"
    if step >= 4:
        view.moves = assessment.moves
        view.text = " · ".join(f"{move.notation}: {value_text(move) or 'not evaluated'}" for move in assessment.moves)
    return view


def _finish_offer(live: LiveGame, ply: int, accepted: bool, text: str) -> DrawView:
    """End the game if the draw is accepted."""
    if accepted:
        with live.lock:
            live.snapshot.check_ply(ply)
            live.snapshot.check_unfinished()
            live.end(None, "agreement")
    return DrawView(accepted=accepted, text=text, game=game_view(live))


def _ranked_moves(analysis: Analysis) -> list[str]:
    """Return the best move, then the other moves whose values are not just bounds, best first."""
    best, *others = analysis.ranked()
    return [best.move, *(move.move for move in others if move.value is not None and move.bound is None)]


def _ranked_exactly(exact: ExactAnalysis, analysis: Analysis | None) -> list[str]:
    """Return the moves with exact values, best first; `analysis` breaks ties for the first place."""
    ranked, candidates = exact.ranked_moves, exact.best_moves
    best = ranked[0] if not candidates else candidates[0]
    if analysis is not None:
        found = {move.move: (move.move == analysis.best.move, move.share, move.value or 0) for move in analysis.moves}
        best = max(candidates or ranked[:1], key=lambda move: found[move])
    return [best, *(move for move in ranked if move != best)]


def _exact_moves(position: Position, exact: ExactAnalysis, ranked: list[str]) -> Analysis:
    """Return exact values as an analysis."""
    moves = []
    for move in position.moves:
        result, distance = exact.moves.get(move, (None, None))
        value = None if result is None else RESULT_VALUE[result]
        moves.append(
            MoveAnalysis(
                move, float(move == ranked[0]), value, value, value, proven=result, distance=distance, pv=(move,)
            )
        )
    return Analysis(position, tuple(moves))


def _accepts_draw(evaluation: Evaluation, position: Position, side: str) -> bool:
    value = evaluation.value_for(side, position.game)
    if value is None:
        return False
    return accepts_draw(value, position.ply, is_proven=evaluation.exact is not None)


def _region_hint(position: Position, path: list[str]) -> str:
    """Name the third of the board that contains the square of the best move."""
    columns = {name: column for row in position.game.squares for column, name in enumerate(row) if name is not None}
    width = position.game.columns
    if not path or path[0] not in columns or width < 3:
        return "There is one best move."
    third = 3 * columns[path[0]] // width
    return f"Look {('on the left', 'in the middle', 'on the right')[third]}."
