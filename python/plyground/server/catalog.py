"""What there is: games with their boards and levels, agents with their options."""

from __future__ import annotations

from typing import Literal

from plyground import __version__
from plyground._engine import Game
from plyground.agents import alphabeta, mcts, tables
from plyground.agents.registry import AGENTS
from plyground.games import games
from plyground.levels import Level
from plyground.own import registered
from plyground.records.formats import FORMATS
from plyground.server.exact import Exact
from plyground.server.players import levels_of
from plyground.server.settings import Settings
from plyground.server.setup import GAMES as SET_UP
from plyground.server.views.catalog import (
    AgentFacts,
    Catalog,
    GameFacts,
    LevelView,
    Limits,
    Look,
    OptionView,
    PieceKind,
    SquareView,
)
from plyground.spec import parse_spec

FIRST_LEVEL = "Medium"
"""Who plays against a visitor who names nobody."""
LOOKS: dict[str, Look] = {"checkers": "checkers", "chess": "chess", "connect4": "connect4", "tictactoe": "lines"}
RULES = {
    "checkers": "Men move one dark square forward, kings both ways. Captures are compulsory and go on as long as they "
    "can. A man that reaches the far row becomes a king. Who cannot move loses.",
    "connect4": "Drop a disc into a column; it falls to the lowest free cell. Four in a row, in any direction, win.",
    "tictactoe": "Put your mark on a free cell. Three in a row, in any direction, win.",
    "chess": "Check the king so that it cannot escape. Castling, en passant, promotion and draws are those of FIDE.",
}
LEVEL_WORDS = {
    "Easy": "overlooks almost everything; a first opponent",
    "Medium": "sees a win or a loss in one move",
    "Hard": "plans a little; beats most beginners",
    "Expert": "hard to catch out",
    "Master": "thinks for a second with everything it has",
    "Perfect": "never errs; draw if you can",
}
EXACT_WORDS = {
    "checkers": "Endgame tables know positions with few pieces.",
    "connect4": "The solver knows every position, most of them in time.",
    "tictactoe": "The solver knows every position.",
}
_ABOUT: dict[str, str] = {
    "threads": "threads that search together",
    "mebibytes": "the most memory it takes",
    "book": "whether it may look at the opening book",
    "playouts": "random games of each move",
    "simulations": "simulations of a move",
    "c": "how much to explore",
    "playout_plies": "plies after which a playout is cut off",
    "depth": "plies to look ahead",
    "pruning": "whether lines that cannot matter are left out",
    "seconds": "seconds of a move",
    "weights": "the weights that judge",
    "evaluation": "what judges",
    "quiescence": "whether captures are played out before judging",
}
_MADE: dict[tuple[str, ...], str] = {}
_FILES = ("folder",)
"""Options that name files, which visitors may not."""


def catalog_text(settings: Settings) -> str:
    """The catalog as JSON, made once for the games that are registered."""
    key = tuple(registered())
    if key not in _MADE:
        _MADE.clear()
        _MADE[key] = catalog(settings).model_dump_json()
    return _MADE[key]


def catalog(settings: Settings) -> Catalog:
    """Everything that does not change while the server runs."""
    return Catalog(
        version=__version__,
        games=[game_facts(one) for one in games()],
        agents=[agent_facts(name) for name in AGENTS],
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
    """The fixed facts of a game."""
    own = game.id in registered()
    squares = [
        SquareView(name=name, row=row, column=column)
        for row, names in enumerate(game.squares)
        for column, name in enumerate(names)
        if name is not None
    ]
    look: Look = LOOKS.get(game.id, "grid" if game.rows else "list")
    return GameFacts(
        id=game.spec,
        title=game.title,
        own=own,
        sides=list(game.sides),
        bottom=game.bottom,
        rows=game.rows,
        columns=game.columns,
        look=look,
        input=_input(game, look),
        squares=squares,
        column_labels=list(game.column_labels),
        row_labels=list(game.row_labels),
        numbered=bool(squares) and squares[0].name.isdigit(),
        pieces=[PieceKind(letter=letter, side=side, name=name) for letter, (side, name) in game.pieces.items()],
        rules=RULES.get(game.id, f"{game.title} is a game of your own, registered in Python."),
        levels=[
            LevelView(
                name=level.name,
                words=_level_words(level),
                spec=level.spec,
                rating=level.rating,
                low=level.low,
                high=level.high,
            )
            for level in levels_of(game.spec)
        ],
        level=FIRST_LEVEL,
        options={name: default for name, (default, _) in game.options.items()},
        exact=EXACT_WORDS.get(game.id)
        if game.id == "checkers" or Exact.knows(game.id, game.rows * game.columns)
        else None,
        can_set_up=game.id in SET_UP,
        formats=[
            name for name in FORMATS if name == "json" or (name, game.id) in (("pdn", "checkers"), ("pgn", "chess"))
        ],
    )


def _level_words(level: Level) -> str:
    """One line about a level; whether it plays endings by tables is part of it."""
    by_tables = parse_spec(level.spec).name in ("tables", "syzygy")
    return LEVEL_WORDS.get(level.name, level.spec) + ("; plays endings by the tables" if by_tables else "")


def _input(game: Game, look: Look) -> Literal["path", "drop", "cell", "list"]:
    if look == "connect4":
        return "drop"
    start = game.start()
    paths = [start.path(move) for move in start.moves]
    if not game.rows or not paths or not all(paths):
        return "list"
    return "cell" if all(len(path) == 1 for path in paths) else "path"


def agent_facts(name: str) -> AgentFacts:
    """An agent and what can be chosen about it."""
    entry = AGENTS[name]
    return AgentFacts(
        name=name,
        words=entry.about,
        options=[_option(name, option) for option in entry.options if option not in _FILES],
    )


def _option(agent: str, name: str) -> OptionView:
    tunables = {"mcts": mcts.TUNABLES, "alphabeta": alphabeta.SWITCHES, "minimax": alphabeta.SWITCHES}.get(agent, {})
    if name in tunables:
        default, accepted, about = tunables[name]
        return OptionView(name=name, words=about, default=default, accepted=accepted)
    own = {"mcts": mcts.OWN, "alphabeta": alphabeta.OWN, "minimax": alphabeta.OWN, "tables": tables.OWN}.get(agent, {})
    return OptionView(name=name, words=own.get(name) or _ABOUT.get(name, name))
