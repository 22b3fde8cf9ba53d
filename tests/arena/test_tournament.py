"""Tournaments from their plan to their table, killed and resumed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from random import Random

import pytest

from arena.tournament_runs import Killings
from plyground import Outcome, ParseError, StoreError, UnknownNameError
from plyground.agents import Limit
from plyground.arena import LocalExecutor, Rules, SerialExecutor, entrants
from plyground.arena.clock import Clock, parse_clock
from plyground.arena.job import GameJob, play_job
from plyground.arena.tournament import Plan, Tournament, free_name
from plyground.store import Filter, Store

PLAYERS = ["Rand=random", "alphabeta(depth=1)", "flat(playouts=2)"]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(str(tmp_path / "store.sqlite")) as opened:
        yield opened


def plan(**changes: object) -> Plan:
    settings = {"rules": Rules("tictactoe"), "entrants": entrants("tictactoe", PLAYERS), "games": 4, "seed": 3}
    return Plan(**{**settings, **changes})  # type: ignore[arg-type]


def moves(store: Store, tournament: Tournament) -> dict[str, tuple[str, ...]]:
    return {one.key: store.records.get(one.record_id).record.moves for one in tournament.played()}


def test_a_tournament_goes_from_its_plan_to_its_table(store: Store) -> None:
    tournament = Tournament.create(store, "small", plan())
    assert len(tournament.left()) == tournament.jobs == 12
    assert len(list(tournament.play(SerialExecutor()))) == 12
    assert tournament.left() == []
    table = tournament.standings()
    assert {one.name for one in table.agents} == {"Rand", "alphabeta(depth=1)", "flat(playouts=2)"}
    assert [one.rating for one in table.agents] == sorted((one.rating for one in table.agents), reverse=True)
    for place, one in enumerate(table.agents):
        assert one.games == one.wins + one.draws + one.losses == 8
        assert one.low < one.rating < one.high
        assert 5 <= one.plies <= 9
        assert (one.superiority is None) == (place == 2)
        row = [count for count in table.cross[place] if count is not None]
        assert [sum(got) for got in zip(*row, strict=True)] == [one.wins, one.draws, one.losses]
        for other in range(3):
            mirrored = table.cross[other][place]
            assert table.cross[place][other] == (mirrored and mirrored[::-1])
    assert sum(one.rating for one in table.agents) / 3 == pytest.approx(1500)
    assert sum(one.elo for one in table.agents) / 3 == pytest.approx(1500)
    kept = store.ratings.get("small", "tictactoe")
    assert [(one.agent, one.rating) for one in kept] == [(one.spec, one.rating) for one in table.agents]
    assert store.records.count(Filter(tournament="small")) == len({one.record_id for one in tournament.played()})


def test_the_table_is_there_before_the_first_game_and_in_the_middle(store: Store) -> None:
    tournament = Tournament.create(store, "small", plan())
    assert {one.games for one in tournament.standings().agents} == {0}
    games = tournament.play(SerialExecutor())
    for _ in range(5):
        next(games)
    assert sum(one.games for one in Tournament(store, "small").standings().agents) == 10


def test_what_was_broken_off_is_resumed_and_ends_alike(store: Store) -> None:
    whole = Tournament.create(store, "whole", plan())
    list(whole.play(SerialExecutor()))
    broken = Tournament.create(store, "broken", plan())
    games = broken.play(SerialExecutor())
    for _ in range(5):
        next(games)
    del games
    again = Tournament(store, "broken")
    assert len(again.left()) == 7
    list(again.play(LocalExecutor(2)))
    assert moves(store, again) == moves(store, whole)


def test_two_who_play_the_same_tournament_at_once_finish_it_once(store: Store) -> None:
    one, other = Tournament.create(store, "both", plan()), Tournament(store, "both")
    for _ in zip_longest(one.play(SerialExecutor()), other.play(SerialExecutor())):
        pass
    assert len(one.played()) == 12


def test_killed_at_random_moments_nothing_is_lost_or_doubled(tmp_path: Path) -> None:
    players = ["Rand=random", "alphabeta(depth=2)", "flat(playouts=4)"]
    arguments = ["checkers", *players, "--games", "8", "--max-plies", "80"]
    killings = Killings(tmp_path / "killed.sqlite", arguments, Random(4))
    for _ in range(4):
        killings.kill_once(longest=0.3)
    while killings.begin().wait() != 0:
        pass
    killings.check()
    assert len(killings.known) == 24
    whole = Plan(Rules("checkers", max_plies=80), entrants("checkers", players), games=8)
    assert killings.games() == {job.key: play_job(job).moves for job in whole.schedule().jobs()}


def test_the_anchor_has_its_rating(store: Store) -> None:
    tournament = Tournament.create(store, "anchored", plan(anchor="Rand=1000"))
    list(tournament.play(SerialExecutor()))
    (anchored,) = (one for one in tournament.standings().agents if one.name == "Rand")
    assert (anchored.rating, anchored.low, anchored.high) == pytest.approx((1000, 1000, 1000))


def test_a_gauntlet_is_played_by_the_first(store: Store) -> None:
    tournament = Tournament.create(store, "gauntlet", plan(kind="gauntlet"))
    list(tournament.play(SerialExecutor()))
    table = tournament.standings()
    assert {one.name: one.games for one in table.agents} == {"Rand": 8, "alphabeta(depth=1)": 4, "flat(playouts=2)": 4}
    assert sum(count is None for row in table.cross for count in row) == 3 + 2


def test_plans_that_make_no_sense_leave_nothing(store: Store) -> None:
    with pytest.raises(UnknownNameError, match="the anchor"):
        Tournament.create(store, "bad", plan(anchor="Nobody"))
    with pytest.raises(UnknownNameError, match="adjudication"):
        Tournament.create(store, "bad", plan(rules=Rules("tictactoe", adjudication="oracle")))
    with pytest.raises(ParseError, match="clock"):
        Tournament.create(store, "bad", plan(rules=Rules("tictactoe", clock="fast")))
    assert store.tournaments.all() == []
    Tournament.create(store, "good", plan())
    with pytest.raises(StoreError, match="already"):
        Tournament.create(store, "good", plan())
    assert [free_name(store, "good"), free_name(store, "new")] == ["good-2", "new"]
    store.tournaments.create("foreign", "chess", {}, [])
    with pytest.raises(ParseError, match="not made by this command"):
        Tournament(store, "foreign")


def test_clocks_and_ply_limits_end_games() -> None:
    job = GameJob("0", Rules("chess", max_plies=4), ("random", "random"), (0, 1), ("e2e4",), 1)
    record = play_job(job)
    assert (record.moves[0], len(record.moves), record.outcome) == ("e2e4", 5, Outcome(None, "ply limit"))
    slow = GameJob("0", Rules("chess", clock="0.000001"), ("plain-flat(playouts=1)", "random"), (0, 1), (), 1)
    assert play_job(slow).outcome == Outcome("black", "time")
    quick = GameJob("0", Rules("connect4", clock="1.5+0.01"), ("mcts", "mcts(c=1)"), (0, 1), (), 1)
    started = play_job(quick)
    assert started.outcome is not None
    assert all(float(one) < 1.5 + 0.01 * 21 + 0.5 for one in started.headers["Seconds"].split())


@pytest.mark.parametrize("text", ["", "fast", "0", "-1", "nan", "1e9", "5+-1", "5+x", "1+2+3"])
def test_clocks_that_make_no_sense_are_refused(text: str) -> None:
    with pytest.raises(ParseError, match="SECONDS or SECONDS"):
        parse_clock(text)


def test_a_clock_gives_less_the_less_is_left_and_never_nothing() -> None:
    clock: Clock | None = parse_clock("2")
    given: list[float] = []
    while clock is not None and len(given) < 200:
        given.append(clock.limit(Limit()).seconds or 0)
        clock = clock.after(given[-1])
    assert given == sorted(given, reverse=True)
    assert all(one > 0 for one in given)
    assert len(given) > 100
    assert Clock(1.0, 0.5).after(0.25) == Clock(1.25, 0.5)
    assert Clock(1.0).after(1.5) is None
