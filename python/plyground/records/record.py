"""One played game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from plyground._engine import Game, Outcome, Position
from plyground.agents.agent import Analysis
from plyground.errors import ParseError, PlygroundError
from plyground.games import game

HUMAN = "human"
"""Who plays a side that no agent plays."""


@dataclass(frozen=True)
class Record:
    """Where a game began, its moves, how it ended and who played.

    >>> record = Record("tictactoe", ("b2", "a1"), players={"x": HUMAN, "o": "random"}, seed=7)
    >>> record.to_position().text
    '.../.x./o..'
    """

    game: str
    """The spec of the game."""
    moves: tuple[str, ...] = ()
    start: str | None = None
    """The text of the first position; None is where the game always begins."""
    outcome: Outcome | None = None
    """How it ended, by the rules or otherwise (resignation, ply limit); None while it goes on."""
    players: Mapping[str, str] = field(default_factory=dict)
    """The spec of the agent of each side, or `HUMAN`; empty where it is not known."""
    seed: int | None = None
    """Move n was chosen with ``split_seed(seed, n)``."""
    started: str | None = None
    """When it began: a date, or a date and time, as ISO 8601 writes it."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """What a file of games says besides: Event, Site, Round and the like."""
    analyses: Mapping[int, Analysis] = field(default_factory=dict)
    """What an agent thought of the position after so many moves."""

    def to_position(self) -> Position:
        """The last position, all moves behind it; a move that is not legal is an error that names its ply."""
        position = game(self.game).position(self.start)
        for ply, move in enumerate(self.moves, start=1):
            try:
                position = position.play(move)
            except PlygroundError as error:
                raise ParseError(f"ply {ply} of {len(self.moves)}: {error}") from error
        return position

    @classmethod
    def from_position(
        cls,
        position: Position,
        players: Mapping[str, str],
        *,
        outcome: Outcome | None = None,
        seed: int | None = None,
        started: str | None = None,
        headers: Mapping[str, str] | None = None,
        analyses: Mapping[int, Analysis] | None = None,
    ) -> Record:
        """The game that led to a position; `outcome` is for a game that ended otherwise than by the rules."""
        start = position.replay(0).text
        return cls(
            game=position.game.spec,
            moves=tuple(position.history),
            start=None if start == position.game.start().text else start,
            outcome=position.outcome or outcome,
            players=dict(players),
            seed=seed,
            started=started,
            headers=dict(headers or {}),
            analyses=dict(analyses or {}),
        )

    def check(self) -> None:
        """An error that says what is wrong, if the rules do not allow this game or its outcome."""
        position = self.to_position()
        _check_sides(position.game, self)
        for ply, analysis in self.analyses.items():
            if not 0 <= ply <= len(self.moves) or analysis.position != position.replay(ply):
                raise ParseError(f"analyses.{ply}: it is not of the position after {ply} of {len(self.moves)} moves")
        if position.outcome is not None and position.outcome != self.outcome:
            raise ParseError(f"outcome: it is {self.outcome}, but by the rules the game ended: {position.outcome}")


def _check_sides(game: Game, record: Record) -> None:
    accepted = f"accepted are {' and '.join(game.sides)}"
    for side in record.players:
        if side not in game.sides:
            raise ParseError(f"players: {side!r} is no side of {game.spec}; {accepted}")
    winner = record.outcome.winner if record.outcome else None
    if winner is not None and winner not in game.sides:
        raise ParseError(f"outcome: {winner!r} is no side of {game.spec}; {accepted}, or null for a draw")
