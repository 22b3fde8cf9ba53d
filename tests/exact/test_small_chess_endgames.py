"""Alpha-beta wins KQvK, KRvK and KPvK without tablebases against perfect defence."""

from __future__ import annotations

from itertools import islice

import pytest

from exact.chess_endgames import random_endgames, syzygy_folder
from plyground import game
from plyground.agents import Limit, agent
from plyground.exact.syzygy import open_syzygy


@pytest.mark.parametrize("name", ["KQvK", "KRvK", "KPvK"])
def test_alpha_beta_mates_a_perfect_defender(name: str) -> None:
    search, defender = agent("alphabeta(depth=6)"), agent(f"syzygy(folder={syzygy_folder()})")
    syzygy = open_syzygy(syzygy_folder())
    won = (board.fen() for board in random_endgames(name, seed=11) if syzygy.probe(board.fen()).result == "win")
    for fen in islice(won, 25):
        position = game("chess").position(fen)
        winner = position.turn
        while position.outcome is None:
            mover = search if position.turn == winner else defender
            position = position.play(mover.analyse(position, Limit(), seed=0).best.move)
        assert (position.outcome.winner, position.outcome.reason) == (winner, "checkmate"), fen
