"""One search of the UCI engine: it runs in a thread, reports its progress and ends with `bestmove`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Event, Thread, Timer
from time import perf_counter

from plyground._engine import Position
from plyground.agents.agent import Agent
from plyground.agents.analysis import Analysis, Limit, MoveAnalysis, ReportCallback
from plyground.agents.budget import Budget
from plyground.agents.forced import analysis_before_line, forced_line, outcome_analysis
from plyground.agents.options import MAX_DEPTH, MAX_SECONDS
from plyground.errors import PlygroundError, describe
from plyground.protocols.time_control import MIN_SECONDS, MoveTimer, allot
from plyground.protocols.uci_go import Go
from plyground.protocols.uci_info import Style, info_lines, plies_to_mate

Probe = Callable[[Position], Analysis | None]
"""Returns the analysis of a position from endgame tables; None if they do not cover it."""


class UciSearch:
    """A search that has been started by a `go` command."""

    def __init__(
        self,
        agent: Agent,
        position: Position,
        go: Go,
        style: Style,
        write: Callable[[str], None],
        *,
        overhead: float,
        is_analysis: bool = False,
        probe: Probe | None = None,
    ) -> None:
        """`overhead` is in seconds; an analysis never ends before its limits because the move is easy."""
        self._agent, self._position, self._go, self._style, self._write = agent, position, go, style, write
        self._probe = probe
        self._started = perf_counter()
        self.is_running = True
        """Whether the answer is not due yet."""
        self._tablebase_hits = 0
        self._reported = (-1, -1, "")
        """Work and best move of the last report, which is not repeated at the end of the search."""
        self._may_answer = Event()
        """Set once the answer is due: at once, or after `stop` or `ponderhit`."""
        clock = go.clock(position.turn)
        self._allowance = None if clock is None or go.infinite else allot(clock, overhead)
        self._timer = None if self._allowance is None or is_analysis else MoveTimer(self._allowance)
        """Ends the search before the hard limit; the time spent pondering counts."""
        self._is_clock_running = False
        self._watchdog: Timer | None = None
        legal = [move for move in go.moves if move in position.moves]
        self._budget = Budget(self._limit(), report=self._report, moves=legal)
        if not go.ponder:
            self._start_clock()
            if go.has_limit:
                self._may_answer.set()
        self._thread = Thread(target=self._run, name="UCI search", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the search and answer. Thread-safe."""
        self._may_answer.set()
        self._budget.stop()

    def ponderhit(self) -> None:
        """Go on with the search as a normal one: the opponent has played the expected move. Thread-safe."""
        if not self._go.ponder or self._may_answer.is_set():
            return
        self._start_clock()
        if self._is_time_over():
            self._budget.stop()
        if self._go.has_limit:
            self._may_answer.set()

    def wait(self) -> None:
        """Wait until the answer has been written."""
        self._thread.join()

    def _limit(self) -> Limit:
        """Return the limits other than time, which may only begin to count later."""
        go = self._go
        nodes, depth = go.positive("nodes"), go.positive("depth")
        if self._style.is_tree_search:
            return Limit(simulations=nodes, seconds=MAX_SECONDS)
        return Limit(nodes=nodes, depth=min(depth or MAX_DEPTH, MAX_DEPTH))

    def _start_clock(self) -> None:
        """Begin to count the time for the move."""
        self._is_clock_running = True
        seconds = self._go.movetime
        if self._allowance is not None:
            seconds = min(self._allowance.hard, seconds or MAX_SECONDS)
        if seconds is not None and not self._go.infinite:
            self._watchdog = Timer(max(seconds, MIN_SECONDS), self._budget.stop)
            self._watchdog.daemon = True
            self._watchdog.start()

    def _run(self) -> None:
        answer, reply = self._position.moves[0], None
        try:
            analysis = self._analyse()
            self._report_lines(analysis)
            answer = analysis.best.move
            reply = analysis.pv[1] if len(analysis.pv) > 1 and analysis.pv[0] == answer else None
        except PlygroundError as error:
            self._write(f"info string error: {error}")
        except Exception as error:  # noqa: BLE001  a GUI waits for an answer, whatever happens
            self._write(f"info string internal error: {describe(error)}")
        finally:
            self._may_answer.wait()
            if self._watchdog is not None:
                self._watchdog.cancel()
            self.is_running = False
            self._write(f"bestmove {answer}" + (f" ponder {reply}" if reply else ""))

    def _analyse(self) -> Analysis:
        position = self._position
        exact = self._probe(position) if self._probe is not None and not self._budget.moves else None
        if exact is not None:
            self._tablebase_hits = 1 + len(exact.moves)
            if exact.proven != "draw":
                return exact
            # All that is left is to set problems, without spoiling the draw.
            self._budget.moves = [move.move for move in exact.moves if move.proven == "draw"]
        if len(position.moves) > 1:
            return self._agent.analyse(position, self._budget)
        if self._timer is not None:
            return _unsearched(position)
        *forced, last = forced_line(position)
        if last.outcome is not None:
            return analysis_before_line(forced, outcome_analysis(last))
        with self._budget:
            budget = Budget(self._budget.limit, report=self._forward(forced))
            return analysis_before_line(forced, self._agent.analyse(last, budget))

    def _forward(self, forced: Sequence[Position]) -> ReportCallback:
        return lambda analysis: self._report(analysis_before_line(forced, analysis))

    def _report(self, analysis: Analysis) -> None:
        """Write the progress of the search and end it once it has reached its aim."""
        self._report_lines(analysis)
        if self._has_reached_aim(analysis):
            self._budget.stop()

    def _report_lines(self, analysis: Analysis) -> None:
        elapsed = perf_counter() - self._started
        if (analysis.nodes, analysis.simulations, analysis.best.move) == self._reported:
            return
        self._reported = analysis.nodes, analysis.simulations, analysis.best.move
        for line in info_lines(analysis, self._style, elapsed=elapsed, tablebase_hits=self._tablebase_hits):
            self._write(line)

    def _has_reached_aim(self, analysis: Analysis) -> bool:
        go, is_tree_search = self._go, self._style.is_tree_search
        mate, depth = go.positive("mate"), go.positive("depth")
        if mate is not None and analysis.proven == "win":
            plies = plies_to_mate(analysis.position, analysis.best)
            return plies is not None and plies <= 2 * mate - 1
        if is_tree_search and depth is not None and analysis.mean_depth >= depth:
            return True
        if self._timer is not None:
            self._timer.observe(analysis.best.move, analysis.value)
        return self._is_time_over()

    def _is_time_over(self) -> bool:
        """Whether the clock is running and the move deserves no more time."""
        elapsed = perf_counter() - self._started
        return (
            self._timer is not None
            and self._is_clock_running
            and self._timer.is_over(elapsed, new_depth=not self._style.is_tree_search)
        )


def _unsearched(position: Position) -> Analysis:
    """Return the analysis of a position whose only move is played at once."""
    return Analysis(position, (MoveAnalysis(position.moves[0], share=1.0),))
