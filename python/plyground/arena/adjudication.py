"""Adjudication: ending a game early because its outcome under best play is known.

An adjudicator returns the outcome of a position, or None if it is unknown. The ply limit of a game is independent of
adjudication: it ends the game as a draw whatever the position.
"""

from __future__ import annotations

from collections.abc import Callable

from plyground._engine import Outcome, Position
from plyground.errors import unknown_name
from plyground.exact.tables import DEFAULT_PIECES, activate_tables
from plyground.exact.tables import GAME as TABLES_GAME

Adjudicator = Callable[[Position], Outcome | None]


def never(position: Position) -> Outcome | None:  # noqa: ARG001
    """Never adjudicate."""
    return None


def by_tables(position: Position) -> Outcome | None:
    """Adjudicate checkers endgames of up to `DEFAULT_PIECES` pieces, for which tables are built on first use.

    >>> import plyground
    >>> by_tables(plyground.game("checkers").position("W:WK6,K7:BK32"))
    Outcome("white", "endgame tables")
    """
    if position.game.id != TABLES_GAME or len(position.cells) > DEFAULT_PIECES:
        return None
    activate_tables()
    value = position.proven_value
    return None if value is None else Outcome(value["winner"], "endgame tables")


ADJUDICATORS: dict[str, Adjudicator] = {"none": never, "tables": by_tables}
"""Adjudicators by name. Scheduled games refer to them by name and so behave the same on every machine."""


def adjudicator(name: str) -> Adjudicator:
    """Return an adjudicator by name.

    >>> import plyground
    >>> adjudicator("none")(plyground.game("chess").start()) is None
    True
    """
    found = ADJUDICATORS.get(name)
    if found is None:
        raise unknown_name("adjudication", name, ADJUDICATORS)
    return found
