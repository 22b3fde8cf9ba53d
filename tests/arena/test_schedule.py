"""Schedules: who plays whom, in which order, from which opening, and who is on a roster."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations

import pytest

from plyground import ParseError, UnknownNameError
from plyground.arena import GameJob, Rules, Schedule, entrants, roster
from plyground.arena.schedule import gauntlet, round_robin

RULES = Rules("tictactoe")
DECK = [("a1", "b2"), ("b1", "a1"), ("c3", "b2")]


@pytest.mark.parametrize("agents", range(2, 12))
def test_a_round_robin_has_every_pairing_once_and_keeps_everybody_busy(agents: int) -> None:
    pairs = round_robin(agents)
    assert sorted(tuple(sorted(pair)) for pair in pairs) == list(combinations(range(agents), 2))
    for upto in range(0, len(pairs), max(1, agents // 2)):
        games = Counter(agent for pair in pairs[:upto] for agent in pair)
        counts = [games[agent] for agent in range(agents)]
        assert max(counts) - min(counts) <= 2


def test_a_gauntlet_is_the_first_against_the_others() -> None:
    assert gauntlet(4) == [(0, 1), (0, 2), (0, 3)]


def test_each_opening_is_played_twice_with_sides_swapped() -> None:
    jobs = list(Schedule(RULES, ["random", "flat", "mcts"], DECK, games=6, seed=1).jobs())
    assert len(jobs) == len({job.key for job in jobs}) == len({job.seed for job in jobs}) == 18
    for pair in combinations(range(3), 2):
        games = [job for job in jobs if set(job.agents) == set(pair)]
        for one, other in zip(games[::2], games[1::2], strict=True):
            assert one.opening == other.opening
            assert one.agents == other.agents[::-1]
        assert sorted(job.opening for job in games[::2]) == sorted(DECK)


def test_every_pairing_has_its_first_two_games_before_any_has_its_third() -> None:
    jobs = list(Schedule(RULES, ["random"] * 5, games=4).jobs())
    assert len({frozenset(job.agents) for job in jobs[:20]}) == 10


def test_an_odd_number_of_games_leaves_one_opening_half_played() -> None:
    jobs = list(Schedule(RULES, ["random", "flat"], DECK, games=3).jobs())
    assert [job.agents for job in jobs] == [(0, 1), (1, 0), (1, 0)]


def test_jobs_are_plain_data_and_the_seed_decides_them() -> None:
    schedule = Schedule(Rules("chess", {"simulations": 5}, 100, clock="1+0.5"), ["random", "flat"], games=4, seed=7)
    for job in schedule.jobs():
        assert GameJob.from_payload(job.key, json.loads(json.dumps(job.to_payload()))) == job
    again = Schedule(**{**vars(schedule), "seed": 8})
    assert {job.seed for job in schedule.jobs()}.isdisjoint(job.seed for job in again.jobs())


def test_schedules_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ParseError, match="2 to 200"):
        Schedule(RULES, ["random"])
    with pytest.raises(ParseError, match="needs an opening"):
        Schedule(RULES, ["random", "flat"], openings=[])


def test_rosters_are_known_by_name() -> None:
    samuel = roster("samuel")
    assert (samuel.game, samuel.games, len(samuel.players)) == ("checkers", 20, 7)
    assert samuel.players["Random"] == "random"
    assert samuel.players["Veteran"] == "alphabeta(weights=veteran, depth=3)"
    assert list(roster("levels", "connect4").players)[:2] == ["Easy", "Medium"]
    with pytest.raises(UnknownNameError, match="samuel, levels"):
        roster("nobody")
    with pytest.raises(ParseError, match="plays checkers, not chess"):
        roster("samuel", "chess")
    with pytest.raises(ParseError, match="needs a game"):
        roster("levels")


def test_players_have_names_of_their_own_or_their_specs() -> None:
    found = entrants("checkers", ["hard", "Deep=alphabeta(depth=6)", "alphabeta(depth=2)", "R=random"])
    assert [one.name for one in found] == ["Hard", "Deep", "alphabeta(depth=2)", "R"]
    assert [one.spec for one in found] == ["Hard", "alphabeta(depth=6)", "alphabeta(depth=2)", "random"]
    for twice in (["random", "random"], ["A=random", "A=flat"], ["A=random", "B=random"]):
        with pytest.raises(ParseError, match="twice"):
            entrants("checkers", twice)
    with pytest.raises(ParseError, match="names of 1 to 100"):
        entrants("checkers", ["=random"])
    with pytest.raises(UnknownNameError):
        entrants("checkers", ["deepblue"])
