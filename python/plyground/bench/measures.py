"""THE list of measures. A new measure is a file and a word here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from plyground._engine import Game
from plyground.bench import openspiel
from plyground.bench.clock import Effort
from plyground.bench.perft import Perft
from plyground.bench.playouts import Playouts
from plyground.bench.probes import Probes
from plyground.bench.python_play import PythonPlay
from plyground.bench.result import Result
from plyground.bench.search import TreeSearch
from plyground.errors import UnknownNameError
from plyground.games import games


class Measure(Protocol):
    """Something whose speed can be told."""

    @property
    def name(self) -> str:
        """What it is called in results."""

    @property
    def peers(self) -> tuple[str, ...]:
        """Beside whom it can be measured."""

    @property
    def games(self) -> tuple[str, ...] | None:
        """The ids of the games it is for; None: every game."""

    def run(self, game: Game, peer: str | None, effort: Effort) -> Result:
        """Measure one game, alone or in turns with one of `peers`."""


MEASURES: tuple[Measure, ...] = (Playouts(), TreeSearch(), Perft(), PythonPlay(), Probes())
GAMES_OF_PEERS = {openspiel.OpenSpiel.name: tuple(openspiel.TWINS)}
"""The peers, and the ids of the games that each has."""


def measure(asked: Sequence[Game], peer: str | None, effort: Effort) -> Iterator[Result]:
    """Measure after measure, game after game (none asked: all); beside a peer, what that peer can do too."""
    if peer is not None and peer not in GAMES_OF_PEERS:
        raise UnknownNameError(f"no peer is called {peer!r}; there are: {', '.join(GAMES_OF_PEERS)}")
    known = [game for game in games() if peer is None or game.id in GAMES_OF_PEERS[peer]]
    for one in MEASURES:
        if peer is None or peer in one.peers:
            for game in asked or known:
                if one.games is None or game.id in one.games:
                    yield one.run(game, peer, effort)
