"""Games that are ended before the rules end them, because their outcome is known.

An adjudicator looks at a position and says how the game ends under best play, or None where it does not know. The
ply limit of a game is apart from this: it ends games of which nothing is known as draws.
"""

from __future__ import annotations

from collections.abc import Callable

from plyground._engine import Outcome, Position
from plyground.errors import UnknownNameError

Adjudicator = Callable[[Position], Outcome | None]


def never(position: Position) -> Outcome | None:  # noqa: ARG001
    """Leave every game to its rules."""
    return None


ADJUDICATORS: dict[str, Adjudicator] = {"none": never}
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
