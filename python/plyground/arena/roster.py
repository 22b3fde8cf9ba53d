"""Who plays in a tournament: names and what makes their players."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from plyground.errors import ParseError, UnknownNameError
from plyground.levels import levels, player

LONGEST_NAME = 100


@dataclass(frozen=True)
class Entrant:
    """Somebody who plays in a tournament."""

    name: str
    spec: str
    """A level of the game, or the spec of an agent."""


@dataclass(frozen=True)
class Roster:
    """Players that belong together, and how often they meet."""

    game: str
    players: Mapping[str, str]
    """The spec of each name."""
    games: int = 20
    quick: int = 4
    """Games of each two when there is little time."""


def _samuel(_: str | None) -> Roster:
    """Weights for the same features, learned in so many games or set by hand, all looking 3 plies ahead."""
    names = ("Default", "Rookie", "Trained", "Veteran", "Aggressor", "Turtle")
    players = {name: f"alphabeta(weights={name.lower()}, depth=3)" for name in names}
    return Roster("checkers", {"Default": players.pop("Default"), "Random": "random", **players})


def _levels(game: str | None) -> Roster:
    """Every level of a game."""
    if game is None:
        raise ParseError("the roster levels needs a game: plyground tournament run GAME --roster levels")
    return Roster(game, {one.name: one.name for one in levels(game)})


ROSTERS: dict[str, Callable[[str | None], Roster]] = {"samuel": _samuel, "levels": _levels}
"""THE list of rosters, each made for the game that was asked for, if any was."""


def roster(name: str, game: str | None = None) -> Roster:
    """The roster of a name; another game than its own is an error.

    >>> list(roster("samuel").players)
    ['Default', 'Random', 'Rookie', 'Trained', 'Veteran', 'Aggressor', 'Turtle']
    """
    if name not in ROSTERS:
        raise UnknownNameError(f"no roster is called {name[:80]!r}; there are: {', '.join(ROSTERS)}")
    found = ROSTERS[name](game)
    if game is not None and game != found.game:
        raise ParseError(f"the roster {name} plays {found.game}, not {game}")
    return found


def entrants(game: str, texts: Iterable[str]) -> list[Entrant]:
    """Players from texts: a level, a spec, or ``NAME=`` before either; each is made once to see that it can be.

    >>> entrants("chess", ["Hard", "Deep=alphabeta(depth=6)"])
    [Entrant(name='Hard', spec='Hard'), Entrant(name='Deep', spec='alphabeta(depth=6)')]
    """
    found: list[Entrant] = []
    for text in texts:
        name, equals, rest = text.partition("=")
        named = bool(equals) and "(" not in name
        spec = player(game, rest if named else text).spec
        one = Entrant(name.strip() if named else spec, spec)
        if not 0 < len(one.name) <= LONGEST_NAME or not one.name.isprintable():
            raise ParseError(f"player {text[:80]!r}: accepted are names of 1 to {LONGEST_NAME} printable characters")
        if any(one.name == other.name or one.spec == other.spec for other in found):
            raise ParseError(f"the player {one.name!r} is there twice; accepted are different names and specs")
        found.append(one)
    return found
