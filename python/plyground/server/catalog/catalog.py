"""Builds the catalog from the registered games and agents."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import Any, Literal

from plyground import __version__, networks
from plyground._engine import Game
from plyground.agents import Agent
from plyground.agents.options import Option
from plyground.agents.presets import Preset, presets
from plyground.agents.registry import AGENTS
from plyground.arena import BASELINES
from plyground.compare import default_agents
from plyground.games import games
from plyground.levels import Level
from plyground.records.formats import common_formats
from plyground.server.catalog.models import (
    AgentFacts,
    BaselineView,
    BoardStyle,
    Catalog,
    GameFacts,
    LevelView,
    Limits,
    OptionView,
    PieceKind,
    PresetView,
    SquareView,
)
from plyground.server.positions.setup import SETUP_GAMES
from plyground.server.search.exact import is_solvable
from plyground.server.search.players import DEFAULT_LEVEL, game_levels, visitor_maximum
from plyground.server.settings import Settings
from plyground.spec import parse_spec
from plyground.user_games import registered
from plyground.weights import names

STYLES: dict[str, BoardStyle] = {"checkers": "checkers", "chess": "chess", "connect4": "connect4", "tictactoe": "lines"}
LEVEL_DESCRIPTIONS = {
    "Easy": "misses almost everything; good for beginners",
    "Medium": "sees a win or a loss one move ahead",
    "Hard": "plans a little; beats most beginners",
    "Expert": "makes few mistakes",
    "Master": "full strength, one second per move",
    "Perfect": "never makes a mistake; try to draw",
}
EXACT_SOURCES = {
    "checkers": "Endgame tables solve positions with few pieces.",
    "connect4": "The solver solves any position, most of them within seconds.",
    "tictactoe": "The solver solves every position.",
}


class CatalogService:
    """The catalog as JSON, cached until its contents change."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._cached: tuple[list[object], dict[str, Any], str] | None = None
        """The games and agents, the settings, and the catalog built from them."""

    def json(self) -> str:
        """Return the catalog as JSON."""
        shown: list[object] = [*registered().values(), *AGENTS.values()]
        settings, cached = self._settings.model_dump(), self._cached
        # Compared by identity: a game registered again with different rules equals the old one.
        if cached is None or list(map(id, cached[0])) != list(map(id, shown)) or cached[1] != settings:
            cached = self._cached = shown, settings, make_catalog(self._settings).model_dump_json()
        return cached[2]


def make_catalog(settings: Settings) -> Catalog:
    """Return the catalog of all games and agents."""
    return Catalog(
        version=__version__,
        games=[game_facts(one) for one in games()],
        agents=[agent_facts(kind, settings) for kind in AGENTS.values() if kind.for_visitors],
        presets=[_preset_view(preset) for preset in presets().values()],
        baselines=[BaselineView(name=one.name, spec=one.spec) for one in BASELINES],
        limits=Limits(
            search_seconds=settings.search_seconds,
            search_mebibytes=settings.search_mebibytes,
            body_bytes=settings.body_bytes,
            import_bytes=settings.import_bytes,
            tree_nodes=settings.tree_nodes,
            tournament_games=settings.tournament_games,
            training_games=settings.training_games,
        ),
    )


def game_facts(game: Game) -> GameFacts:
    """Return the static information about a game."""
    squares = [
        SquareView(name=name, row=row, column=column)
        for row, names in enumerate(game.squares)
        for column, name in enumerate(names)
        if name is not None
    ]
    style: BoardStyle = STYLES.get(game.id, "grid" if game.rows else "list")
    has_exact = game.id == "checkers" or is_solvable(game.id, game.rows * game.columns)
    return GameFacts(
        id=game.spec,
        title=game.title,
        is_user_game=game.id in registered(),
        sides=list(game.sides),
        bottom=game.bottom,
        rows=game.rows,
        columns=game.columns,
        style=style,
        input=_input(game, style),
        squares=squares,
        column_labels=list(game.column_labels),
        row_labels=list(game.row_labels),
        numbered=bool(squares) and squares[0].name.isdigit(),
        pieces=[PieceKind(letter=letter, side=side, name=name) for letter, (side, name) in game.pieces.items()],
        rules=game.rules or f"{game.title} is a user game registered in Python.",
        levels=[
            LevelView(
                name=level.name,
                description=_level_description(level),
                spec=level.spec,
                rating=level.rating,
                low=level.low,
                high=level.high,
            )
            for level in game_levels(game.spec)
        ],
        default_level=DEFAULT_LEVEL,
        options={name: default for name, (default, _) in game.options.items()},
        exact_source=EXACT_SOURCES.get(game.id) if has_exact else None,
        can_set_up=game.id in SETUP_GAMES,
        formats=common_formats([game.id]),
        weights=[] if game.id in registered() else names(game.id),
        networks=[] if game.id in registered() else networks.names(game.id),
        compared=default_agents(game),
    )


def _level_description(level: Level) -> str:
    uses_tables = parse_spec(level.spec).name in ("tables", "syzygy")
    return LEVEL_DESCRIPTIONS.get(level.name, level.spec) + ("; uses endgame tables" if uses_tables else "")


def _input(game: Game, style: BoardStyle) -> Literal["path", "drop", "cell", "list"]:
    if style == "connect4":
        return "drop"
    start = game.start()
    paths = [start.path(move) for move in start.moves]
    if not game.rows or not paths or not all(paths):
        return "list"
    return "cell" if all(len(path) == 1 for path in paths) else "path"


def agent_facts(kind: type[Agent], settings: Settings) -> AgentFacts:
    """Return an agent and the options that visitors may set."""
    return AgentFacts(
        name=kind.name,
        description=kind.description,
        options=[_option_view(kind, option, settings) for option in kind.options if option.kind != "folder"],
        games=None if kind.games is None else list(kind.games),
    )


def _option_view(kind: type[Agent], option: Option, settings: Settings) -> OptionView:
    maximum = visitor_maximum(option, settings)
    for_visitors = replace(option, maximum=maximum)
    return OptionView(
        name=option.name,
        kind=option.kind,
        description=option.description,
        default=option.default,
        allowed=for_visitors.allowed,
        minimum=option.minimum if option.is_number else None,
        maximum=maximum if option.is_number and maximum < inf else None,
        choices=list(option.choices),
        is_main=not kind.main_options or option.name in kind.main_options,
    )


def _preset_view(preset: Preset) -> PresetView:
    games = None if preset.games is None else list(preset.games)
    return PresetView(name=preset.name, description=preset.description, agent=preset.agent, games=games)
