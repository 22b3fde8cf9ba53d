"""What there is: games, levels, agents."""

from __future__ import annotations

from typing import Literal

from plyground.server.views.common import View

Look = Literal["checkers", "chess", "connect4", "lines", "grid", "list"]
"""How a board is drawn: `lines` is tic-tac-toe and its family, `grid` a plain board of a user's own game, `list` a game
without a board, whose position is a text."""


class PieceKind(View):
    """What a letter of `cells` stands for."""

    letter: str
    side: str
    name: str
    """Such as `man`, `king`, `disc`."""


class SquareView(View):
    """A place where a piece can stand."""

    name: str
    row: int
    """From the top as books print the board, counted from 0."""
    column: int


class LevelView(View):
    """A named opponent."""

    name: str
    words: str
    """One line for people."""
    spec: str
    rating: float | None = None
    """Measured, in Elo points; None where it was not."""
    low: float | None = None
    """The 95 % interval of the rating."""
    high: float | None = None


class GameFacts(View):
    """The fixed facts of a game; positions name squares and letters that stand here."""

    id: str
    """The spec: what every request calls `game`."""
    title: str
    own: bool
    """Whether a user registered it."""
    sides: list[str]
    """Two; the first begins."""
    bottom: str
    """The side at the bottom of the board as books print it."""
    rows: int
    columns: int
    look: Look
    input: Literal["path", "drop", "cell", "list"]
    """How a move is made: along squares, into a column, on a square, or chosen from a list."""
    squares: list[SquareView]
    column_labels: list[str]
    row_labels: list[str]
    numbered: bool
    """Whether squares are known by their numbers, which then stand on the board."""
    pieces: list[PieceKind]
    rules: str
    """The rules in a few sentences."""
    levels: list[LevelView]
    level: str
    """The level that a visitor meets first."""
    options: dict[str, str]
    """What can be chosen in a spec, with the default."""
    exact: str | None = None
    """Who knows exact values, in words; None where nobody does."""
    can_set_up: bool
    """Whether `make_position` takes cells."""
    formats: list[str]
    """In which its games can be exported."""


class OptionView(View):
    """An option of an agent's spec."""

    name: str
    words: str
    default: str | None = None
    accepted: str | None = None


class AgentFacts(View):
    """An agent before its options are chosen."""

    name: str
    words: str
    options: list[OptionView]


class Limits(View):
    """What a visitor may ask for at most."""

    search_seconds: float
    search_mebibytes: int
    body_bytes: int
    import_bytes: int
    tree_nodes: int
    tournament_games: int
    training_games: int


class Catalog(View):
    """Everything that does not change while the server runs."""

    version: str
    games: list[GameFacts]
    agents: list[AgentFacts]
    limits: Limits
