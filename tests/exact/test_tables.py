"""Endgame tables of checkers: totals, answers, perfect play."""

from __future__ import annotations

from pathlib import Path

import pytest

from plyground import Position, Rng, TablesError, game
from plyground._engine import Tables, random_ending
from plyground.agents import Limit, agent
from plyground.exact.tables import MOST_PIECES, build, tables, use

CHECKERS = game("checkers")
TOTALS = {2: 3_488, 3: 196_032, 4: 6_209_316}


@pytest.fixture(scope="module")
def four() -> Tables:
    return use()


def ending(pieces: int, seed: int) -> Position:
    return CHECKERS.position(random_ending(pieces, seed))


def won_endings(pieces: int, count: int) -> list[Position]:
    """Endings that the side to move wins."""
    found: list[Position] = []
    seed = 0
    while len(found) < count:
        position = ending(pieces, seed)
        exact = position.exact
        if exact is not None and exact["winner"] == position.turn:
            found.append(position)
        seed += 1
    return found


def test_tables_of_four_pieces_are_made_on_first_use(four: Tables) -> None:
    assert four.pieces >= 4
    assert four is tables(Path(four.folder))


def test_totals_are_the_known_ones(four: Tables) -> None:
    counts = four.counts()
    for pieces, total in TOTALS.items():
        slices = [one for one in counts if one["pieces"] == pieces]
        assert sum(one["wins"] + one["draws"] + one["losses"] for one in slices) == total
        assert len({tuple(one.values())[:5] for one in slices}) == len(slices)


def test_values_follow_from_the_values_one_move_on(four: Tables) -> None:
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
def test_some_positions_are_known_by_hand(four: Tables, fen: str, value: str, distance: int | None) -> None:
    assert four.probe(fen) == (value, distance)


def test_alpha_beta_proves_nothing_else(four: Tables) -> None:
    searcher = agent("alphabeta(depth=9)")
    proven = 0
    for seed in range(40):
        position = ending(3, seed)
        if position.outcome is not None:
            continue
        analysis = searcher.analyse(position, Limit(), seed=0)
        known = four.probe(position.text)
        assert known is not None
        if analysis.known in ("win", "loss"):
            proven += 1
            assert known == (analysis.known, analysis.distance), position.text
    assert proven >= 5


def test_won_endings_are_won_in_exactly_their_distance(four: Tables) -> None:
    player = agent("tables")
    for position in won_endings(4, 200):
        start = position.text
        known = four.probe(start)
        while position.outcome is None:
            position = position.play(player.analyse(position, Limit(), seed=0).best.move)
        assert known == ("win", position.ply), start
        assert position.outcome.winner == CHECKERS.position(start).turn, start


def test_drawn_endings_are_held_against_a_search() -> None:
    player, opponent = agent("tables(depth=3)"), agent("alphabeta(depth=3)")
    drawn = [one for seed in range(60) if (one := ending(4, seed)).outcome is None and one.exact is not None]
    drawn = [one for one in drawn if one.exact == {"winner": None, "distance": None}][:4]
    assert len(drawn) == 4
    for position in drawn:
        mine = position.turn
        for _ in range(30):
            if position.outcome is not None:
                break
            mover = player if position.turn == mine else opponent
            position = position.play(mover.analyse(position, Limit(), seed=0).best.move)
        assert position.outcome is None or position.outcome.winner in (None, mine)


def test_the_agent_says_what_every_move_leads_to() -> None:
    position = CHECKERS.position("W:WK6,K7:BK32")
    analysis = agent("tables").analyse(position, Limit(), seed=0)
    assert [move.move for move in analysis.moves] == position.moves
    for move in analysis.moves:
        after = use().probe(position.play(move.move).text)
        assert after is not None
        assert {"win": "loss", "draw": "draw", "loss": "win"}[after[0]] == move.known
        assert move.distance == (None if after[1] is None else after[1] + 1)
    assert analysis.distance == analysis.best.distance == min(move.distance or 999 for move in analysis.moves)


def test_the_agent_hands_over_where_the_tables_do_not_know() -> None:
    start = CHECKERS.start()
    assert start.exact is None
    handed = agent("tables(otherwise=mcts, simulations=50)").analyse(start, Limit(), seed=1)
    assert handed.moves == agent("mcts").analyse(start, Limit(simulations=50), seed=1).moves
    other = game("connect4").start()
    assert agent("tables(depth=2)").analyse(other, Limit(), seed=0).best.move == "4"


def test_other_draw_rules_are_not_what_the_tables_know() -> None:
    use()
    assert game("checkers(draws=openspiel)").position("B:WK6:BK1").exact is None


def test_conversions_count_down_for_the_winner(four: Tables) -> None:
    """Whoever takes the least count comes nearer to a capture or a man's step with every move of both sides."""
    for position in won_endings(4, 40):
        counts = four.conversions(position.text)
        assert counts is not None and len(counts) == len(position.moves)
        winning = [
            (count, move)
            for count, move in zip(counts, position.moves, strict=True)
            if count is not None and (position.play(move).exact or {}).get("winner") == position.turn
        ]
        least, move = min(winning)
        after = position.play(move)
        if least > 1 and after.outcome is None:
            replies = four.conversions(after.text)
            assert replies is not None
            assert max(count or 0 for count in replies) == least - 1


def test_a_number_of_pieces_that_makes_no_sense_is_refused(tmp_path: Path) -> None:
    for pieces in (-1, 0, 1, MOST_PIECES + 1):
        with pytest.raises(TablesError, match="accepted is 2 to 6"):
            build(pieces, tmp_path)
    with pytest.raises(TablesError, match="accepted is 2 to 6"):
        random_ending(7, 0)


def test_random_endings_are_drawn_from_the_seed() -> None:
    rng = Rng(1)
    seeds = [rng.below(10_000) for _ in range(20)]
    assert [random_ending(5, seed) for seed in seeds] == [random_ending(5, seed) for seed in seeds]
    assert len({random_ending(5, seed) for seed in seeds}) == len(set(seeds))
    assert all(len(CHECKERS.position(random_ending(5, seed)).cells) == 5 for seed in seeds)
