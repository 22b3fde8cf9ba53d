"""Games that are ended before the rules end them, because their outcome is known.

An adjudicator looks at a position and says how the game ends under best play, or None where it does not know. The
ply limit of a game is apart from this: it ends games of which nothing is known as draws.
"""

from __future__ import annotations

from collections.abc import Callable

from plyground._engine import Outcome, Position
from plyground.errors import UnknownNameError
from plyground.exact.tables import AT_FIRST_USE, use

Adjudicator = Callable[[Position], Outcome | None]


def never(position: Position) -> Outcome | None:  # noqa: ARG001
    """Leave every game to its rules."""
    return None


def by_tables(position: Position) -> Outcome | None:
    """The value of checkers endings that every machine knows, whatever larger tables it has.

    >>> import plyground
    >>> by_tables(plyground.game("checkers").position("W:WK6,K7:BK32"))
    Outcome("white", "endgame tables")
    """
    if position.game.id != "checkers" or len(position.cells) > AT_FIRST_USE:
        return None
    use()
    exact = position.exact
    return None if exact is None else Outcome(exact["winner"], "endgame tables")


ADJUDICATORS: dict[str, Adjudicator] = {"none": never, "tables": by_tables}
"""THE list of adjudicators. Jobs name them, so that every process and machine has the same; a new one is a line."""


def adjudicator(name: str) -> Adjudicator:
    """The adjudicator of this name.

    >>> import plyground
    >>> adjudicator("none")(plyground.game("chess").start()) is None
    True
    """
    found = ADJUDICATORS.get(name)
    if found is None:
        raise UnknownNameError(f"no adjudication is called {name[:80]!r}; there are: {', '.join(ADJUDICATORS)}")
    return found
