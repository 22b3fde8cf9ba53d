"""Hypothesis strategies for games and positions reached by random moves."""

from __future__ import annotations

from hypothesis import strategies as st

import plyground
from plyground import Game, Position, Rng

SPECS = (
    "tictactoe",
    "tictactoe(rows=4, columns=5, line=4)",
    "tictactoe(rows=1, columns=30)",
    "connect4",
    "connect4(columns=5, rows=4, line=3)",
    "connect4(columns=12, rows=3)",
    "checkers",
    "checkers(draws=openspiel)",
    "chess",
    "chess(draws=forced)",
)

seeds = st.integers(0, 2**64 - 1)


def play_randomly(position: Position, seed: int, plies: int) -> Position:
    """Play up to `plies` random moves."""
    rng = Rng(seed)
    while plies and position.outcome is None:
        position = position.play_random(rng)
        plies -= 1
    return position


@st.composite
def games(draw: st.DrawFn) -> Game:
    return plyground.game(draw(st.sampled_from(SPECS)))


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """A position after up to 100 random plies, possibly finished."""
    return play_randomly(draw(games()).start(), draw(seeds), draw(st.integers(0, 100)))


@st.composite
def unfinished_positions(draw: st.DrawFn) -> Position:
    """An unfinished position."""
    position = draw(positions())
    return position if position.outcome is None else position.undo()


@st.composite
def connect4_games(draw: st.DrawFn) -> Game:
    """Connect Four on a board of up to 9 columns and 8 rows."""
    columns = draw(st.integers(1, 9))
    rows = draw(st.integers(1, min(8, 64 // columns - 1)))
    line = draw(st.integers(2, 5))
    return plyground.game(f"connect4(columns={columns}, rows={rows}, line={line})")


@st.composite
def connect4_positions(draw: st.DrawFn) -> Position:
    game = draw(connect4_games())
    return play_randomly(game.start(), draw(seeds), draw(st.integers(0, game.rows * game.columns)))
