"""API models of the catalog."""

from __future__ import annotations

from typing import Literal

from plyground.agents.options import Kind
from plyground.server.models import View

BoardStyle = Literal["checkers", "chess", "connect4", "lines", "grid", "list"]
"""How to draw a board: `lines` for the tic-tac-toe family, `grid` for user games with a board, `list` for games without
one, whose position is shown as text."""


class PieceKind(View):
    """Meaning of a piece letter in `cells`."""

    letter: str
    side: str
    name: str
    """Kind of piece, such as `man`, `king` or `disc`."""


class SquareView(View):
    """A square of the board."""

    name: str
    row: int
    """Counted from 0 at the top of the printed board."""
    column: int
    """Counted from 0 at the left of the printed board."""


class LevelView(View):
    """A level: a named opponent."""

    name: str
    description: str
    spec: str
    rating: float | None = None
    """Measured Elo rating; None if not measured."""
    low: float | None = None
    """Lower bound of the rating's 95% confidence interval."""
    high: float | None = None
    """Upper bound of the rating's 95% confidence interval."""


class GameFacts(View):
    """Static information about a game."""

    id: str
    """The game's spec: the value of `game` in requests."""
    title: str
    is_user_game: bool
    """Whether the game is a user game, registered in Python."""
    sides: list[str]
    """The two sides; the first one moves first."""
    bottom: str
    """Side at the bottom of the printed board."""
    rows: int
    columns: int
    style: BoardStyle
    input: Literal["path", "drop", "cell", "list"]
    """How to enter a move: as a path of squares, a column, a single square, or a choice from a list."""
    squares: list[SquareView]
    column_labels: list[str]
    row_labels: list[str]
    numbered: bool
    """Whether squares are numbered, as in checkers."""
    pieces: list[PieceKind]
    rules: str
    """Short description of the rules."""
    levels: list[LevelView]
    default_level: str
    options: dict[str, str]
    """Options of the game's spec with their defaults."""
    exact_source: str | None = None
    """Description of the source of exact values; None if there is none."""
    can_set_up: bool
    """Whether `make_position` accepts cells."""
    formats: list[str]
    """Export formats."""
    weights: list[str]
    """Names of the evaluation weights that agents can use."""
    networks: list[str]
    """Names of the networks that agents can use."""
    compared: list[str]
    """The agents that are compared by default."""


class OptionView(View):
    """An option of an agent."""

    name: str
    kind: Kind
    """Type of the value."""
    description: str
    default: str
    """Default as text; empty if there is none."""
    allowed: str
    """Description of the values that visitors may use."""
    minimum: float | None = None
    """Minimum; None if the value is not a number."""
    maximum: float | None = None
    """Maximum for visitors; None if there is no limit or the value is not a number."""
    choices: list[str] = []
    """Accepted values of an option of kind `choice`."""
    is_main: bool
    """Whether forms show the option before the others."""


class AgentFacts(View):
    """An agent and its options."""

    name: str
    description: str
    options: list[OptionView]
    games: list[str] | None
    """IDs of the games that the agent can play; None means every game."""


class BaselineView(View):
    """A simple player that can be added to every tournament."""

    name: str
    spec: str


class PresetView(View):
    """A named agent with options."""

    name: str
    description: str
    agent: str
    """The spec of the agent."""
    games: list[str] | None
    """IDs of the games that the preset is meant for; None means every game."""


class Limits(View):
    """Limits that apply to every visitor."""

    search_seconds: float
    search_mebibytes: int
    body_bytes: int
    import_bytes: int
    tree_nodes: int
    tournament_games: int
    training_games: int


class Catalog(View):
    """The games, agents and limits of the server."""

    version: str
    games: list[GameFacts]
    agents: list[AgentFacts]
    presets: list[PresetView]
    baselines: list[BaselineView]
    limits: Limits
