"""User games whose rules run in a worker process, so that a method that never returns cannot block the server."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import partial
from typing import Any

from cachetools import LRUCache

from plyground._engine import Game, Position
from plyground.agents import Budget, Limit
from plyground.errors import PlygroundError
from plyground.games import game
from plyground.server.workers.pool import KilledError, WorkerPool
from plyground.server.workers.process import Call
from plyground.user_games import register, registered, rules

RULES_SECONDS = 2.0
"""Time limit of a user game for computing the facts of one position."""
MAX_CACHED = 5000
"""Maximum number of cached positions, and of cached moves, per game."""


@dataclass(frozen=True)
class GameFacts:
    """The constants of a user game."""

    id: str
    title: str
    sides: tuple[str, str]
    rows: int
    columns: int
    pieces: dict[str, int]
    """Side of each piece letter, 0 or 1."""
    repetition_limit: int
    start: str
    """The initial position as text."""


@dataclass(frozen=True)
class PositionFacts:
    """Facts about one position, computed by the rules of a user game."""

    text: str
    turn: int
    moves: tuple[str, ...]
    outcome: int | str | None
    """The winner, 0 or 1, or ``"draw"``; None while the game is in progress."""
    cells: dict[str, str]
    paths: dict[str, list[str]]
    """The squares of each move."""


class RulesHost:
    """A user game in a worker process."""

    def __init__(self, game_id: str) -> None:
        self._game = game(game_id)

    def facts(self, call: Call) -> GameFacts:  # noqa: ARG002
        """Return the constants of the game."""
        chosen, sides = self._game, self._game.sides
        return GameFacts(
            chosen.id,
            chosen.title,
            (sides[0], sides[1]),
            chosen.rows,
            chosen.columns,
            {letter: sides.index(side) for letter, (side, _) in chosen.pieces.items()},
            int(getattr(rules(chosen.id), "repetition_limit", 0)),
            chosen.start().text,
        )

    def position(self, call: Call, text: str) -> PositionFacts:  # noqa: ARG002
        """Return the facts of a position."""
        return _position_facts(self._game.position(text))

    def play(self, call: Call, text: str, move: str) -> PositionFacts:  # noqa: ARG002
        """Return the facts of the position after a move."""
        return _position_facts(self._game.position(text).play(move))


def _position_facts(position: Position) -> PositionFacts:
    sides, outcome, moves = position.game.sides, position.outcome, tuple(position.moves)
    return PositionFacts(
        position.text,
        sides.index(position.turn),
        moves,
        None if outcome is None else "draw" if outcome.winner is None else sides.index(outcome.winner),
        dict(position.cells),
        {move: list(position.path(move)) for move in moves},
    )


class WorkerGame:
    """A user game in the form `plyground.register` accepts. Its states are the positions as text."""

    is_remote = True

    def __init__(self, workers: WorkerPool, game_id: str) -> None:
        self._workers = workers
        self._key = f"rules of {game_id}"
        self._create = partial(RulesHost, game_id)
        self._positions: LRUCache[str, PositionFacts] = LRUCache(MAX_CACHED)
        self._successors: LRUCache[tuple[str, str], str] = LRUCache(MAX_CACHED)
        self._lock = threading.Lock()
        """Guards the caches."""
        facts: GameFacts = self._call("facts")
        self.id, self.title, self.sides = facts.id, facts.title, facts.sides
        self.rows, self.columns, self.pieces = facts.rows, facts.columns, facts.pieces
        self.repetition_limit = facts.repetition_limit
        self._start = facts.start

    def start(self) -> str:
        """Return the initial state."""
        return self._start

    def turn(self, state: str) -> int:
        """Return the side to move, 0 or 1."""
        return self._facts(state).turn

    def moves(self, state: str) -> list[str]:
        """Return the legal moves."""
        return list(self._facts(state).moves)

    def play(self, state: str, move: str) -> str:
        """Return the state after a move."""
        with self._lock:
            found = self._successors.get((state, move))
        if found is not None:
            return found
        facts: PositionFacts = self._call("play", state, move)
        with self._lock:
            self._positions[facts.text] = facts
            self._successors[state, move] = facts.text
        return facts.text

    def outcome(self, state: str) -> int | str:
        """Return the winner, 0 or 1, or ``"draw"``."""
        outcome = self._facts(state).outcome
        return "draw" if outcome is None else outcome

    def text(self, state: str) -> str:
        """Return the state, which is already text."""
        return state

    def parse(self, text: str) -> str:
        """Return the state that text describes."""
        return self._facts(text).text

    def cells(self, state: str) -> dict[str, str]:
        """Return the piece letter on each occupied square."""
        return self._facts(state).cells

    def path(self, state: str, move: str) -> list[str]:
        """Return the squares of a move."""
        return self._facts(state).paths.get(move, [])

    def _facts(self, text: str) -> PositionFacts:
        with self._lock:
            facts = self._positions.get(text)
        if facts is None:
            facts = self._call("position", text)
            with self._lock:
                self._positions[text] = self._positions[facts.text] = facts
        return facts

    def _call(self, method: str, *arguments: Any) -> Any:
        try:
            return self._workers.call(
                self._key, self._create, method, *arguments, budget=Budget(Limit(seconds=RULES_SECONDS))
            )
        except KilledError as error:
            raise UserGameTimeoutError(
                f"the rules of the game took longer than {RULES_SECONDS:g} s for one position and had to be restarted"
            ) from error


class UserGameTimeoutError(PlygroundError):
    """The rules of a user game did not return in time."""

    http_status = 503


def register_worker_games(workers: WorkerPool) -> list[Game]:
    """Replace the registered user games with ones whose rules run in a worker process."""
    return [register(WorkerGame(workers, game_id)) for game_id in registered()]
