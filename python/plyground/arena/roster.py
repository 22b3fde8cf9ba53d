"""The players of a tournament."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from plyground._engine import Game
from plyground.agents.registry import learners
from plyground.errors import ParseError, unknown_name
from plyground.games import game as find_game
from plyground.games import games
from plyground.levels import levels, player

MAX_NAME = 100
"""Maximum length of a player's name, in characters."""
GAMES = 20
"""Default number of games per pairing."""
QUICK_GAMES = 4
"""Default number of games per pairing in a quick tournament."""


@dataclass(frozen=True)
class Entrant:
    """A player in a tournament."""

    name: str
    spec: str
    """A level of the game or an agent spec."""


BASELINES = (Entrant("Flat Monte Carlo", "flat(playouts=100)"), Entrant("Random", "random"))
"""Simple players that can be added to any tournament as fixed reference points for its ratings."""


@dataclass(frozen=True)
class Roster:
    """A predefined set of players for a game."""

    game: str
    description: str
    players: Mapping[str, str]
    """The level or agent spec of each player, by name."""
    games: int = GAMES
    """Games per pairing."""
    quick_games: int = QUICK_GAMES
    """Games per pairing in a quick tournament."""


def _samuel() -> Roster:
    names = ("Default", "Rookie", "Trained", "Veteran", "Aggressor", "Turtle")
    players = {name: f"alphabeta(weights={name.lower()}, depth=3)" for name in names}
    return Roster(
        "checkers",
        "Six checkers players with learned or hand-set weights, searching 3 plies, and Random (about a minute).",
        {"Default": players.pop("Default"), "Random": "random", **players},
    )


def _levels(game: Game) -> Roster:
    return Roster(game.spec, "Every level of a game.", {level.name: level.name for level in levels(game.spec)})


def _learners(game: Game) -> Roster | None:
    """Return the learned agents of a game and the baselines; None if the game has no learned agent."""
    found = learners(game)
    players = {**{name: name for name in found}, **{one.name: one.spec for one in BASELINES}}
    return Roster(game.spec, "The learned agents of a game, and the baselines.", players) if found else None


ROSTERS: dict[str, Callable[[], Roster]] = {"samuel": _samuel}
"""Rosters of one game, by name."""
GAME_ROSTERS: dict[str, Callable[[Game], Roster | None]] = {"levels": _levels, "learners": _learners}
"""Rosters that every game may have, by name."""


def rosters() -> list[tuple[str, Roster]]:
    """Return the names and rosters of all games."""
    found = [(name, make(game)) for name, make in GAME_ROSTERS.items() for game in games()]
    return [*((name, make()) for name, make in ROSTERS.items()), *((name, one) for name, one in found if one)]


def roster(name: str, game: str | None = None) -> Roster:
    """Return a roster by name; raise `ParseError` if the game does not have it.

    >>> list(roster("samuel").players)
    ['Default', 'Random', 'Rookie', 'Trained', 'Veteran', 'Aggressor', 'Turtle']
    """
    if name in GAME_ROSTERS:
        if game is None:
            raise ParseError(
                f"the {name} roster requires a game, for example: plyground tournament run chess --roster {name}"
            )
        made = GAME_ROSTERS[name](find_game(game))
        if made is None:
            raise ParseError(f"{game} has no players for the {name} roster")
        return made
    if name not in ROSTERS:
        raise unknown_name("roster", name, [*ROSTERS, *GAME_ROSTERS])
    found = ROSTERS[name]()
    if game is not None and game != found.game:
        raise ParseError(f"the {name} roster is for {found.game}, not for {game}")
    return found


@dataclass(frozen=True)
class Lineup:
    """The game, players and default number of games per pairing of a tournament."""

    game: str
    """The spec of the game."""
    players: list[str]
    """Players in the form that `entrants` parses."""
    games: int
    """Default number of games per pairing."""
    name: str
    """Default name of the tournament: the name of its roster, or the id of the game."""


def lineup(
    game: str | None,
    players: Sequence[str],
    roster_name: str | None = None,
    *,
    quick: bool = False,
    baselines: bool = False,
) -> Lineup:
    """Combine the players of a roster, if one is named, with other players and, if requested, with `BASELINES`.

    >>> lineup("chess", ["Easy", "Hard"], quick=True)
    Lineup(game='chess', players=['Easy', 'Hard'], games=4, name='chess')
    >>> lineup(None, [], "samuel").game
    'checkers'
    >>> lineup("chess", ["Easy", "random"], baselines=True).players
    ['Easy', 'random', 'Flat Monte Carlo=flat(playouts=100)']
    """
    spec = None if game is None else find_game(game).spec
    if roster_name is not None:
        chosen = roster(roster_name, spec)
        texts = [f"{label}={text}" for label, text in chosen.players.items()]
        game_id = chosen.game.partition("(")[0]
        name = {"levels": game_id, "learners": f"{game_id}-learners"}.get(roster_name, roster_name)
        found = [*texts, *players]
        games = chosen.quick_games if quick else chosen.games
        return Lineup(chosen.game, found + (_missing_baselines(found) if baselines else []), games, name)
    found = list(players) + (_missing_baselines(players) if baselines else [])
    if spec is None or len(found) < 2:
        raise ParseError("a tournament requires a game and at least two players, or a roster")
    return Lineup(spec, found, QUICK_GAMES if quick else GAMES, spec.partition("(")[0])


def _missing_baselines(players: Sequence[str]) -> list[str]:
    """Return the baselines that are not among the players, by spec."""
    specs = {split_name(text)[1].strip() for text in players}
    return [f"{baseline.name}={baseline.spec}" for baseline in BASELINES if baseline.spec not in specs]


def split_name(text: str) -> tuple[str | None, str]:
    """Split ``NAME=PLAYER`` into name and player; the name is None if the text has none.

    >>> split_name("Deep=alphabeta(depth=6)"), split_name("alphabeta(depth=6)")
    (('Deep', 'alphabeta(depth=6)'), (None, 'alphabeta(depth=6)'))
    """
    name, equals, rest = text.partition("=")
    return (name.strip(), rest) if equals and "(" not in name else (None, text)


def entrants(game: str, texts: Iterable[str]) -> list[Entrant]:
    """Parse players: a level or an agent spec, optionally preceded by ``NAME=``; names and specs must be unique.

    >>> entrants("chess", ["Hard", "Deep=alphabeta(depth=6)"])
    [Entrant(name='Hard', spec='Hard'), Entrant(name='Deep', spec='alphabeta(depth=6)')]
    """
    found: list[Entrant] = []
    for text in texts:
        name, rest = split_name(text)
        spec = player(game, rest).spec
        entrant = Entrant(spec if name is None else name, spec)
        found.append(entrant)
    check_entrants(found)
    return found


def check_entrants(found: Sequence[Entrant], *, unique_specs: bool = True) -> None:
    """Raise `ParseError` unless the names of the players and, with `unique_specs`, their specs are unique."""
    names: set[str] = set()
    specs: set[str] = set()
    for entrant in found:
        if not 0 < len(entrant.name) <= MAX_NAME or not entrant.name.isprintable():
            raise ParseError(
                f"a player's name must have 1 to {MAX_NAME} printable characters, got {entrant.name[:80]!r}"
            )
        if entrant.name in names:
            raise ParseError(f"players must have different names, got {entrant.name!r} twice")
        if unique_specs and entrant.spec in specs:
            raise ParseError(f"players must have different specs, got {entrant.spec!r} twice")
        names.add(entrant.name)
        specs.add(entrant.spec)
