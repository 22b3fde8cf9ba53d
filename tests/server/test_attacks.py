"""A visitor's moves are answered while others attack the server. `benchmarks/attacks.py` contains the attacks."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.serving import Server, eventually

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import attacks
from process_usage import PeakMemory, is_idle

MEMORY_MEBIBYTES = 2000
MOVES = 3
"""Number of moves that an ordinary visitor plays during each attack."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with two search threads and a memory limit."""
    folder = tmp_path_factory.mktemp("attacked")
    game = folder / "endless.py"
    game.write_text(attacks.ENDLESS_GAME)
    running = Server(
        folder / "store.sqlite", user_game=str(game), searches=2, move_seconds=2, memory_mebibytes=MEMORY_MEBIBYTES
    ).start()
    yield running
    running.stop()


@pytest.mark.parametrize("attack", attacks.ATTACKS, ids=lambda attack: attack.__name__)
def test_moves_are_answered_during_an_attack_and_the_server_becomes_idle_again(
    server: Server, attack: attacks.Attack
) -> None:
    peak = PeakMemory(server.pid)
    with attacks.Witness(server.port) as witness, attacks.under_attack(attack, server.port):
        for _ in range(MOVES):
            witness.play_move()
    eventually(lambda: is_idle(server.pid))
    peak.stop()
    assert peak.mebibytes < MEMORY_MEBIBYTES


def test_a_server_under_attack_stops_on_sigterm(server: Server) -> None:
    with attacks.Witness(server.port) as witness, attacks.under_attack(attacks.nested_evaluators, server.port):
        witness.play_move()
        os.kill(server.pid, signal.SIGTERM)
        eventually(lambda: not server.is_alive)
