"""Openings: the first moves of games, so that agents that always play alike do not play one game over and over.

An opening is a list of moves from the start of a game; a deck is a list of openings. Decks are text files with an
opening on each line, moves apart by spaces; what follows a ``#`` is a remark. Games of the package have a deck in
`decks`, made by `plyground openings make`.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from pathlib import Path

from plyground._engine import Game, Rng
from plyground.errors import ParseError, PlygroundError, UnknownNameError
from plyground.records.files import read_text

Opening = tuple[str, ...]
START = "start"
"""Names the deck of one opening without moves."""
DECK = "deck"
"""Names the deck that the package has for a game."""
_MOST = 10_000


def shipped() -> list[str]:
    """The ids of the games that have a deck."""
    files = resources.files("plyground.arena").joinpath("decks").iterdir()
    return sorted(file.name.removesuffix(".txt") for file in files if file.name.endswith(".txt"))


def openings(game: Game, which: str | None = None) -> list[Opening]:
    """The openings that a word names: ``start``, ``deck``, or a file; None is the deck where there is one.

    >>> import plyground
    >>> len(openings(plyground.game("checkers"))), openings(plyground.game("checkers"), "start")
    (156, [()])
    """
    if which == START:
        return [()]
    if which in (None, DECK):
        if game.spec in shipped():
            text = resources.files("plyground.arena").joinpath("decks", f"{game.spec}.txt").read_text("utf-8")
            return parse_deck(game, text, f"the deck of {game.spec}")
        if which is None:
            return [()]
        raise UnknownNameError(f"{game.spec} has no deck of openings; these have one: {', '.join(shipped())}")
    try:
        text = read_text(Path(str(which)))
    except PlygroundError as error:
        raise ParseError(f"openings: accepted are start, deck or a file of openings; {error}") from error
    return parse_deck(game, text, str(which))


def parse_deck(game: Game, text: str, source: str) -> list[Opening]:
    """Read a deck, playing every opening; one that the rules do not allow is an error that names its line."""
    found: list[Opening] = []
    for number, line in enumerate(text.splitlines(), start=1):
        moves = line.partition("#")[0].split()
        if not moves:
            continue
        try:
            position = game.position(moves=moves)
        except PlygroundError as error:
            raise ParseError(f"{source}, line {number}: {error}") from error
        if position.outcome is not None:
            raise ParseError(f"{source}, line {number}: the game is over after this opening")
        found.append(tuple(position.history))
        if len(found) > _MOST:
            raise ParseError(f"{source}: accepted are at most {_MOST:,} openings")
    if not found:
        raise ParseError(f"{source}: there is no opening in it; accepted are lines of moves")
    return found


def shuffled(deck: Sequence[Opening], seed: int) -> list[Opening]:
    """The deck in an order drawn from a seed."""
    cards, rng = list(deck), Rng(seed)
    for place in range(len(cards) - 1, 0, -1):
        other = rng.below(place + 1)
        cards[place], cards[other] = cards[other], cards[place]
    return cards
