"""Checks the names in a filter that matches no game: a misspelt name is an error, not an empty list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyground import games
from plyground.errors import PlygroundError, unknown_name
from plyground.games import game as make_game
from plyground.levels import agent as make_agent
from plyground.records import HUMAN
from plyground.spec import parse_spec

if TYPE_CHECKING:
    from plyground.store import Filter
    from plyground.store.records import Records


def check_filter(records: Records, which: Filter) -> None:
    """Raise an error if the filter names a game, side, player or tag that does not exist."""
    if which.game is not None and parse_spec(which.game).name not in records.games():
        make_game(which.game)
    if which.result is not None:
        _check_result(which.result, which.game)
    if which.agent is not None and not _is_player(which.agent) and which.agent not in (known := records.players()):
        raise unknown_name("player", which.agent, list(known))
    if which.tag is not None and which.tag not in records.tags():
        raise unknown_name("tag", which.tag, records.tags())


def _check_result(result: str, game: str | None) -> None:
    try:
        chosen = games() if game is None else [make_game(game)]
    except PlygroundError:  # a user game that is not registered
        return
    results = [*dict.fromkeys(side for one in chosen for side in one.sides), "draw", "unfinished"]
    if result not in results:
        raise unknown_name("result", result, results)


def _is_player(text: str) -> bool:
    try:
        make_agent(text)
    except PlygroundError:
        return text == HUMAN
    return True
