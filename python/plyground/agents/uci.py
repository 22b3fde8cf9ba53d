"""An external UCI engine, such as Stockfish, as an agent for chess.

    agent("uci", command="stockfish", nodes=10_000)

The process starts with the first analysis and serves all later ones, until the agent is closed or collected, or the
program exits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from plyground._engine import Position
from plyground.agents.agent import Agent
from plyground.agents.alphabeta import expected_score
from plyground.agents.analysis import Analysis, Limit, MoveAnalysis
from plyground.agents.budget import Budget
from plyground.agents.options import MAX_INTEGER, SECONDS, THREADS, Option, depth
from plyground.errors import ParseError

if TYPE_CHECKING:
    import chess
    import chess.engine

    from plyground.agents.uci_process import Lines, UciProcess

DEFAULT_NODES = 10_000
MATE_SCORE = 30_000
"""Centipawns that a mate is worth, less one for each move to it."""


class UciAgent(Agent):
    """Asks an external UCI engine for its move.

    Its scores become expected scores, from its win, draw and loss probabilities if it reports them. Nothing counts as
    proven, because the engine's claims cannot be checked.
    """

    name = "uci"
    description = "an external UCI engine, such as Stockfish"
    games = ("chess",)
    can_restrict_moves = True
    for_visitors = False
    options = (
        Option("command", "command", "command that starts the engine, with its arguments", "stockfish"),
        Option(
            "nodes",
            "integer",
            "nodes searched per move, unless another limit is given",
            f"{DEFAULT_NODES}, or unlimited if depth or seconds is set",
            1,
            MAX_INTEGER,
        ),
        depth("search depth in plies, unless another limit is given", ""),
        SECONDS,
        Option("hash", "integer", "the engine's option Hash, in MiB", "the engine's default", 1, 2**20),
        replace(THREADS, description="the engine's option Threads", default="the engine's default"),
        Option("elo", "integer", "playing strength: the engine's options UCI_LimitStrength and UCI_Elo", "", 0, 5000),
        Option("lines", "integer", "number of best moves with values (MultiPV)", "1", 1, 256),
    )
    main_options = ("command", "nodes", "seconds", "elo")

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        options = self.values
        limits = {name: options.get(name) for name in ("nodes", "depth", "seconds")}
        if not any(limits.values()):
            limits["nodes"] = DEFAULT_NODES
        self.default_limit = Limit(**limits)
        self._command = options.get("command", "stockfish")
        self._lines = options.get("lines", 1)
        self._process: UciProcess | None = None
        self._last: Position | None = None
        self._game: object = object()
        """A token that changes when the positions no longer continue one game."""

    def close(self) -> None:
        """Terminate the engine's process; the next analysis starts a new one."""
        process, self._process = self._process, None
        if process is not None:
            process.close()

    def clear(self) -> None:
        """Terminate the engine's process, which frees its memory."""
        self.close()

    def effective_limit(self, limit: Limit) -> Limit:
        """Return the caller's limit or the default; a simulation limit alone counts as none."""
        return replace(limit, simulations=None).or_default(self.default_limit)

    def _analyse(self, position: Position, budget: Budget, seed: int) -> Analysis:  # noqa: ARG002
        """Ask the engine for its move."""
        if position.game.id != "chess":
            raise ParseError(f"agent {self.name} plays only chess, not {position.game.id}")
        import chess
        import chess.engine

        board = chess.Board(position.replay(0).text)
        for move in position.history:
            board.push_uci(move)
        limit = budget.limit
        process = self._running_process()
        found = process.search(
            board,
            chess.engine.Limit(time=limit.seconds, nodes=limit.nodes, depth=limit.depth),
            lines=self._lines,
            moves=[chess.Move.from_uci(move) for move in budget.moves],
            game=self._game_token(position),
            is_over=lambda: budget.expired,
            report=lambda lines: budget.report_if_due(lambda: _read_lines(position, lines, None, budget.elapsed)),
        )
        return _read_lines(position, found.lines, found.best.uci(), budget.elapsed)

    def _running_process(self) -> UciProcess:
        """Return the engine's process, started if necessary."""
        from plyground.agents.uci_process import UciProcess

        if self._process is not None and not self._process.is_alive:
            self.close()
        if self._process is None:
            process = UciProcess(self._command, {})
            self._process = process
            try:
                self._configure(process)
            except BaseException:
                self.close()
                raise
        return self._process

    def _configure(self, process: UciProcess) -> None:
        values = self.values
        options: dict[str, bool | int | str] = {
            name: values[key] for key, name in (("hash", "Hash"), ("threads", "Threads")) if key in values
        }
        if "elo" in values:
            options |= {"UCI_LimitStrength": True, "UCI_Elo": values["elo"]}
        for name, value in options.items():
            option = process.options.get(name)
            if option is None:
                raise ParseError(f"the UCI engine {self._command[:80]!r} has no option {name}")
            if option.type == "spin" and not (option.min or 0) <= int(value) <= (option.max or MAX_INTEGER):
                raise ParseError(
                    f"option {name} of the UCI engine {self._command[:80]!r} must be between {option.min} and "
                    f"{option.max}, got {value}"
                )
        process.configure(options)

    def _game_token(self, position: Position) -> object:
        """Return the token of the game that the position belongs to."""
        last, self._last = self._last, position
        if last is None or position.ply < last.ply or position.replay(last.ply) != last:
            self._game = object()
        return self._game


def _read_lines(position: Position, lines: Lines, best: str | None, seconds: float) -> Analysis:
    """Convert the engine's information; without a best move, it is the first move of the first line."""
    first: dict[str, Any] = lines[0] if lines else {}
    found: dict[str, MoveAnalysis] = {}
    for line in lines:
        pv = _legal_line(position, line.get("pv", ()))
        if pv and pv[0] not in found:
            found[pv[0]] = _read_line(line, pv)
    if best is None:
        best = next(iter(found), position.moves[0])
    moves = tuple(
        replace(found.get(move, MoveAnalysis(move, 0.0)), share=float(move == best)) for move in position.moves
    )
    index = position.moves.index(best)
    return Analysis(
        position,
        moves,
        best_index=index,
        value=moves[index].value,
        seconds=seconds,
        nodes=max((line.get("nodes", 0) for line in lines), default=0),
        mean_depth=float(first.get("depth", 0)),
        max_depth=first.get("seldepth") or first.get("depth") or 0,
    )


def _read_line(line: dict[str, Any], pv: tuple[str, ...]) -> MoveAnalysis:
    value = _value(line)
    bound = "lower" if line.get("lowerbound") else "upper" if line.get("upperbound") else None
    return MoveAnalysis(
        pv[0],
        share=0.0,
        value=value,
        low=0.0 if bound == "upper" else value,
        high=1.0 if bound == "lower" else value,
        bound=bound,  # type: ignore[arg-type]
        pv=pv,
    )


def _value(line: dict[str, Any]) -> float | None:
    """Return the expected score for the side to move, 0 to 1."""
    score: chess.engine.PovScore | None = line.get("score")
    wdl: chess.engine.PovWdl | None = line.get("wdl")
    if score is not None and score.is_mate():
        return float((score.relative.score(mate_score=MATE_SCORE) or 0) > 0)
    if wdl is not None:
        return wdl.relative.expectation()
    return None if score is None else expected_score(score.relative.score(mate_score=MATE_SCORE) or 0)


def _legal_line(position: Position, pv: Sequence[chess.Move]) -> tuple[str, ...]:
    """Return the principal variation as far as it is legal."""
    moves: list[str] = []
    for move in pv:
        if move.uci() not in position.moves:
            break
        moves.append(move.uci())
        position = position.play(move.uci())
    return tuple(moves)
