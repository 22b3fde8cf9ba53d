"""Checkers endgame tables: counts, probes, perfect play."""

from __future__ import annotations

from pathlib import Path

import pytest

from plyground import Position, Rng, TablesError, game
from plyground._engine import Tables, random_endgame
from plyground.agents import Limit, agent
from plyground.exact.tables import MAX_PIECES, activate_tables, build, tables

CHECKERS = game("checkers")
TOTALS = {2: 3_488, 3: 196_032, 4: 6_209_316}


@pytest.fixture(scope="module")
def four() -> Tables:
    return activate_tables()


def endgame(pieces: int, seed: int) -> Position:
    return CHECKERS.position(random_endgame(pieces, seed))


def won_endgames(pieces: int, count: int) -> list[Position]:
    """Return endgames that the side to move wins."""
    found: list[Position] = []
    seed = 0
    while len(found) < count:
        position = endgame(pieces, seed)
        exact = position.proven_value
        if exact is not None and exact["winner"] == position.turn:
            found.append(position)
        seed += 1
    return found


def test_four_piece_tables_are_built_on_first_use(four: Tables) -> None:
    assert four.pieces >= 4
    assert four is tables(Path(four.folder))


def test_the_position_counts_are_correct(four: Tables) -> None:
    counts = four.counts()
    for pieces, total in TOTALS.items():
        slices = [count for count in counts if count["pieces"] == pieces]
        assert sum(count["wins"] + count["draws"] + count["losses"] for count in slices) == total
        assert len({tuple(count.values())[:5] for count in slices}) == len(slices)


def test_values_are_consistent_with_their_successors(four: Tables) -> None:
    for pieces in (2, 3, 4):
        assert four.verify(pieces, 100_000, seed=pieces, threads=2) is None


@pytest.mark.parametrize(
    ("fen", "value", "distance"),
    [
        ("B:WK10:BK1", "draw", None),
        ("W:WK10:BK1", "draw", None),
        ("B:WK6:BK1", "win", 1),
        ("W:WK4:B8,11", "loss", 0),
        ("B:W25,22:BK29", "loss", 0),
    ],
)
def test_simple_positions_have_the_correct_value(four: Tables, fen: str, value: str, distance: int | None) -> None:
    assert four.probe(fen) == (value, distance)


def test_agrees_with_values_proven_by_alpha_beta(four: Tables) -> None:
    searcher = agent("alphabeta(depth=9)")
    proven = 0
    for seed in range(40):
        position = endgame(3, seed)
        if position.outcome is not None:
            continue
        analysis = searcher.analyse(position, Limit(), seed=0)
        value = four.probe(position.text)
        assert value is not None
        if analysis.proven in ("win", "loss"):
            proven += 1
            assert value == (analysis.proven, analysis.distance), position.text
    assert proven >= 5


def test_wins_in_exactly_the_probed_distance(four: Tables) -> None:
    player = agent("tables")
    for position in won_endgames(4, 200):
        start = position.text
        value = four.probe(start)
        while position.outcome is None:
            position = position.play(player.analyse(position, Limit(), seed=0).best.move)
        assert value == ("win", position.ply), start
        assert position.outcome.winner == CHECKERS.position(start).turn, start


def test_holds_drawn_endgames_against_a_search() -> None:
    player, opponent = agent("tables(depth=3)"), agent("alphabeta(depth=3)")
    positions = [endgame(4, seed) for seed in range(60)]
    drawn = [
        position
        for position in positions
        if position.outcome is None and position.proven_value == {"winner": None, "distance": None}
    ][:4]
    assert len(drawn) == 4
    for position in drawn:
        side = position.turn
        for _ in range(30):
            if position.outcome is not None:
                break
            mover = player if position.turn == side else opponent
            position = position.play(mover.analyse(position, Limit(), seed=0).best.move)
        assert position.outcome is None or position.outcome.winner in (None, side)


def test_the_agent_proves_every_move() -> None:
    position = CHECKERS.position("W:WK6,K7:BK32")
    analysis = agent("tables").analyse(position, Limit(), seed=0)
    assert [move.move for move in analysis.moves] == position.moves
    for move in analysis.moves:
        after = activate_tables().probe(position.play(move.move).text)
        assert after is not None
        assert {"win": "loss", "draw": "draw", "loss": "win"}[after[0]] == move.proven
        assert move.distance == (None if after[1] is None else after[1] + 1)
    assert analysis.distance == analysis.best.distance == min(move.distance or 999 for move in analysis.moves)


def test_the_fallback_agent_plays_outside_the_tables() -> None:
    start = CHECKERS.start()
    assert start.proven_value is None
    analysis = agent("tables(fallback=mcts, simulations=50)").analyse(start, Limit(), seed=1)
    assert analysis.moves == agent("mcts").analyse(start, Limit(simulations=50), seed=1).moves
    other = game("connect4").start()
    assert agent("tables(depth=2)").analyse(other, Limit(), seed=0).best.move == "4"


def test_the_tables_do_not_apply_to_other_draw_rules() -> None:
    activate_tables()
    assert game("checkers(draws=openspiel)").position("B:WK6:BK1").proven_value is None


def test_conversions_count_down_for_the_winner(four: Tables) -> None:
    """If the winner plays the move with the lowest count, every move brings the conversion one ply closer."""
    for position in won_endgames(4, 40):
        counts = four.conversions(position.text)
        assert counts is not None and len(counts) == len(position.moves)
        winning = [
            (count, move)
            for count, move in zip(counts, position.moves, strict=True)
            if count is not None and (position.play(move).proven_value or {}).get("winner") == position.turn
        ]
        lowest, move = min(winning)
        after = position.play(move)
        if lowest > 1 and after.outcome is None:
            replies = four.conversions(after.text)
            assert replies is not None
            assert max(count or 0 for count in replies) == lowest - 1


def test_an_invalid_number_of_pieces_is_rejected(tmp_path: Path) -> None:
    for pieces in (-1, 0, 1, MAX_PIECES + 1):
        with pytest.raises(TablesError, match=f"pieces must be between 2 and 6, got {pieces}"):
            build(pieces, tmp_path)
    with pytest.raises(TablesError, match="pieces must be between 2 and 6"):
        random_endgame(7, 0)


def test_random_endgames_are_reproducible() -> None:
    rng = Rng(1)
    seeds = [rng.below(10_000) for _ in range(20)]
    assert [random_endgame(5, seed) for seed in seeds] == [random_endgame(5, seed) for seed in seeds]
    assert len({random_endgame(5, seed) for seed in seeds}) == len(set(seeds))
    assert all(len(CHECKERS.position(random_endgame(5, seed)).cells) == 5 for seed in seeds)
