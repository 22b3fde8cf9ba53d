"""The available measures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from plyground._engine import Game
from plyground.bench import openspiel
from plyground.bench.perft import Perft
from plyground.bench.playouts import Playouts
from plyground.bench.probes import Probes
from plyground.bench.python_play import PythonPlay
from plyground.bench.result import Result
from plyground.bench.search import TreeSearch
from plyground.bench.solver import SolverSets
from plyground.bench.timing import Effort
from plyground.errors import unknown_name
from plyground.games import games


class Measure(Protocol):
    """A speed that can be measured for a game."""

    @property
    def name(self) -> str:
        """Name used in results."""

    @property
    def peers(self) -> tuple[str, ...]:
        """Peers that support this measure."""

    @property
    def games(self) -> tuple[str, ...] | None:
        """Ids of the games it applies to; None means every game."""

    def run(self, game: Game, peer: str | None, effort: Effort) -> Result:
        """Measure one game, alone or interleaved with one of `peers`."""


MEASURES: tuple[Measure, ...] = (Playouts(), TreeSearch(), Perft(), PythonPlay(), Probes())
SETS = {SolverSets.name: SolverSets()}
"""Measures over fixed sets of positions, by name."""
PEER_GAMES = {openspiel.OpenSpiel.name: tuple(openspiel.EQUIVALENTS)}
"""Ids of the games that each peer implements."""


def measure(selected: Sequence[Game], peer: str | None, effort: Effort) -> Iterator[Result]:
    """Run every measure for the selected games (default: all); with a peer, only those it supports."""
    if peer is not None and peer not in PEER_GAMES:
        raise unknown_name("peer", peer, PEER_GAMES)
    supported = [game for game in games() if peer is None or game.id in PEER_GAMES[peer]]
    for one in MEASURES:
        if peer is None or peer in one.peers:
            for game in selected or supported:
                if one.games is None or game.id in one.games:
                    yield one.run(game, peer, effort)


def measure_set(name: str, peer: str | None) -> Iterator[Result]:
    """Run one of `SETS`, alone or interleaved with one of its peers."""
    one = SETS[name]
    if peer is not None and peer not in one.peers:
        raise unknown_name("peer", peer, one.peers, scope=f"for {name}")
    yield from one.run(peer)
