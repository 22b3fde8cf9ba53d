"""Tournaments from plan to standings, interrupted and resumed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, zip_longest
from pathlib import Path
from types import SimpleNamespace

import pytest

from arena.killed_tournament import KilledTournament
from plyground import Outcome, ParseError, StoreError, UnknownNameError
from plyground.agents import Limit
from plyground.arena import LocalExecutor, Rules, SerialExecutor, entrants
from plyground.arena.clock import Clock, parse_clock
from plyground.arena.scheduled_game import ScheduledGame, play_scheduled_game
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
    return {game.key: store.records.get(game.record_id).record.moves for game in tournament.finished_games()}


def test_plays_a_tournament_and_computes_standings(store: Store) -> None:
    tournament = Tournament.create(store, "small", plan())
    assert len(tournament.remaining()) == tournament.games == 12
    assert len(list(tournament.play(SerialExecutor()))) == 12
    assert tournament.remaining() == []
    table = tournament.standings()
    assert {one.name for one in table.agents} == {"Rand", "alphabeta(depth=1)", "flat(playouts=2)"}
    assert [one.rating for one in table.agents] == sorted((one.rating for one in table.agents), reverse=True)
    for place, one in enumerate(table.agents):
        assert one.games == one.wins + one.draws + one.losses == 8
        assert one.low < one.rating < one.high
        assert 5 <= one.plies <= 9
        assert (one.superiority is None) == (place == 2)
        row = [result for result in table.cross[place] if result is not None]
        assert [sum(got) for got in zip(*row, strict=True)] == [one.wins, one.draws, one.losses]
        for other in range(3):
            mirrored = table.cross[other][place]
            assert table.cross[place][other] == (mirrored and mirrored[::-1])
    assert sum(one.rating for one in table.agents) / 3 == pytest.approx(1500)
    assert sum(one.elo for one in table.agents) / 3 == pytest.approx(1500)
    stored = store.ratings.get("small", "tictactoe")
    assert [(one.agent, one.rating) for one in stored] == [(one.spec, one.rating) for one in table.agents]
    assert store.records.count(Filter(tournament="small")) == len(
        {one.record_id for one in tournament.finished_games()}
    )


def test_standings_are_available_before_and_during_a_tournament(store: Store) -> None:
    tournament = Tournament.create(store, "small", plan())
    assert {one.games for one in tournament.standings().agents} == {0}
    games = tournament.play(SerialExecutor())
    for _ in range(5):
        next(games)
    assert sum(one.games for one in Tournament(store, "small").standings().agents) == 10


def test_resumes_an_interrupted_tournament(store: Store) -> None:
    complete = Tournament.create(store, "complete", plan())
    list(complete.play(SerialExecutor()))
    interrupted = Tournament.create(store, "interrupted", plan())
    games = interrupted.play(SerialExecutor())
    for _ in range(5):
        next(games)
    del games
    resumed = Tournament(store, "interrupted")
    assert len(resumed.remaining()) == 7
    list(resumed.play(LocalExecutor(2)))
    assert moves(store, resumed) == moves(store, complete)


def test_two_programs_playing_the_same_tournament_finish_each_game_once(store: Store) -> None:
    one, other = Tournament.create(store, "both", plan()), Tournament(store, "both")
    for _ in zip_longest(one.play(SerialExecutor()), other.play(SerialExecutor())):
        pass
    assert len(one.finished_games()) == 12


def test_killing_a_tournament_loses_and_duplicates_no_game(tmp_path: Path) -> None:
    players = ["Rand=random", "alphabeta(depth=2)", "flat(playouts=4)"]
    killed = KilledTournament(str(tmp_path / "store.sqlite"), "checkers", players, games=8, max_plies=80)
    for games in (0, 1, 5, 2):
        assert killed.kill_after(games)
        assert len(killed.finished) < 24
    killed.finish()
    assert len(killed.finished) == 24
    expected = killed.plan().schedule().scheduled_games()
    assert killed.moves() == {scheduled.key: play_scheduled_game(scheduled).moves for scheduled in expected}


def test_the_anchor_has_the_given_rating(store: Store) -> None:
    tournament = Tournament.create(store, "anchored", plan(anchor="Rand=1000"))
    list(tournament.play(SerialExecutor()))
    (anchored,) = (one for one in tournament.standings().agents if one.name == "Rand")
    assert (anchored.rating, anchored.low, anchored.high) == pytest.approx((1000, 1000, 1000))


def test_plays_a_gauntlet(store: Store) -> None:
    tournament = Tournament.create(store, "gauntlet", plan(kind="gauntlet"))
    list(tournament.play(SerialExecutor()))
    table = tournament.standings()
    assert {one.name: one.games for one in table.agents} == {"Rand": 8, "alphabeta(depth=1)": 4, "flat(playouts=2)": 4}
    assert sum(result is None for row in table.cross for result in row) == 3 + 2


def test_invalid_plans_are_rejected_without_storing_anything(store: Store) -> None:
    with pytest.raises(UnknownNameError, match="unknown anchor"):
        Tournament.create(store, "bad", plan(anchor="Nobody"))
    with pytest.raises(UnknownNameError, match="unknown adjudication"):
        Tournament.create(store, "bad", plan(rules=Rules("tictactoe", adjudication="oracle")))
    with pytest.raises(ParseError, match="clock"):
        Tournament.create(store, "bad", plan(rules=Rules("tictactoe", clock="fast")))
    assert store.tournaments.all() == []
    Tournament.create(store, "good", plan())
    with pytest.raises(StoreError, match="already"):
        Tournament.create(store, "good", plan())
    assert [free_name(store, "good"), free_name(store, "new")] == ["good-2", "new"]
    store.tournaments.create("foreign", "chess", {}, [])
    with pytest.raises(ParseError, match="was not created by Plyground's arena"):
        Tournament(store, "foreign")


def test_the_ply_limit_ends_a_scheduled_game() -> None:
    scheduled = ScheduledGame("0", Rules("chess", max_plies=4), ("random", "random"), (0, 1), ("e2e4",), 1)
    record = play_scheduled_game(scheduled)
    assert (record.moves[0], len(record.moves), record.outcome) == ("e2e4", 5, Outcome(None, "ply limit"))


@pytest.mark.parametrize(
    ("clock", "outcome", "plies"),
    [("1.4", Outcome("black", "time"), 4), ("1.4+0.5", Outcome(None, "ply limit"), 20)],
)
def test_a_player_whose_clock_runs_out_loses(
    clock: str, outcome: Outcome, plies: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = count(start=0, step=0.5)
    monkeypatch.setattr("plyground.arena.game.time", SimpleNamespace(monotonic=lambda: next(ticks)))
    rules = Rules("chess", max_plies=20, clock=clock)
    record = play_scheduled_game(ScheduledGame("0", rules, ("random", "random"), (0, 1), (), 1))
    assert (record.outcome, len(record.moves)) == (outcome, plies)
    moves_of_white = (plies + 1) // 2 + (outcome.reason == "time")
    assert record.headers["Seconds"] == f"{0.5 * moves_of_white:.3f} {0.5 * (plies // 2):.3f}"


@pytest.mark.parametrize("text", ["", "fast", "0", "-1", "nan", "1e9", "5+-1", "5+x", "1+2+3"])
def test_invalid_clocks_are_rejected(text: str) -> None:
    with pytest.raises(ParseError, match="clock must be SECONDS or SECONDS"):
        parse_clock(text)


def test_a_clock_allots_less_time_as_it_runs_down_but_always_some() -> None:
    clock: Clock | None = parse_clock("2")
    allotted: list[float] = []
    while clock is not None and len(allotted) < 200:
        allotted.append(clock.limit(Limit()).seconds or 0)
        clock = clock.after(allotted[-1])
    assert allotted == sorted(allotted, reverse=True)
    assert all(one > 0 for one in allotted)
    assert len(allotted) > 100
    assert Clock(1.0, 0.5).after(0.25) == Clock(1.25, 0.5)
    assert Clock(1.0).after(1.5) is None
