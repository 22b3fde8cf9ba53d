"""Game records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from plyground._engine import Game, Outcome, Position
from plyground.agents.analysis import Analysis
from plyground.errors import ParseError, PlygroundError
from plyground.games import game
from plyground.records.annotations import Checker, Note, Variation

HUMAN = "human"
"""The name of a human player."""
MAX_MOVES = 20_000
"""Maximum number of moves in a game, including those of variations."""


@dataclass(frozen=True)
class Record:
    """The start, moves, outcome, players and annotations of a game.

    >>> record = Record("tictactoe", ("b2", "a1"), players={"x": HUMAN, "o": "random"}, seed=7)
    >>> record.to_position().text
    '.../.x./o..'
    """

    game: str
    """The spec of the game."""
    moves: tuple[str, ...] = ()
    start: str | None = None
    """The text of the start position; None for the standard one."""
    outcome: Outcome | None = None
    """The outcome by the rules or otherwise (resignation, ply limit); None if the game is unfinished."""
    players: Mapping[str, str] = field(default_factory=dict)
    """The agent spec of each side, or `HUMAN`; sides whose player is unknown are omitted."""
    seed: int | None = None
    """The move at ply n was chosen with ``split_seed(seed, n)``."""
    started: str | None = None
    """Date, or date and time, of the start in ISO 8601 format."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Other data from a game file: Event, Site, Round and so on."""
    analyses: Mapping[int, Analysis] = field(default_factory=dict)
    """Analyses by ply: the analysis at n is of the position after n moves."""
    notes: Mapping[int, Note] = field(default_factory=dict)
    """Comments and NAGs by ply: the note at n belongs to the position after n moves and the move that led to it."""
    variations: Mapping[int, tuple[Variation, ...]] = field(default_factory=dict)
    """Alternatives to moves: those at n replace the move at index n."""

    def to_position(self) -> Position:
        """Return the last position with its history; raise `ParseError` with the ply of the first illegal move."""
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
        notes: Mapping[int, Note] | None = None,
        variations: Mapping[int, tuple[Variation, ...]] | None = None,
    ) -> Record:
        """Return the record of the game that led to a position; `outcome` applies if the rules did not end it."""
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
            notes=dict(notes or {}),
            variations=dict(variations or {}),
        )

    def check(self) -> None:
        """Raise `ParseError` if the moves, sides, analyses, annotations or outcome contradict the rules."""
        position = self.to_position()
        _check_sides(position.game, self)
        for ply, analysis in self.analyses.items():
            if not 0 <= ply <= len(self.moves) or analysis.position != position.replay(ply):
                raise ParseError(f"analyses.{ply} does not match the position after {ply} of {len(self.moves)} moves")
        if self.notes or self.variations:
            Checker(MAX_MOVES).check(position.replay(0), self.moves, self.notes, self.variations)
        if position.outcome is not None and position.outcome != self.outcome:
            raise ParseError(f"outcome must be {str(position.outcome)!r} by the rules, got {str(self.outcome)!r}")


def _check_sides(game: Game, record: Record) -> None:
    sides = " or ".join(game.sides)
    for side in record.players:
        if side not in game.sides:
            raise ParseError(f"a side in players must be {sides} in {game.spec}, got {side!r}")
    winner = record.outcome.winner if record.outcome else None
    if winner is not None and winner not in game.sides:
        raise ParseError(f"outcome.winner must be {sides} in {game.spec}, or null for a draw, got {winner!r}")
