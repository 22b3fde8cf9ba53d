"""Records in the store."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from plyground import Outcome, ParseError, Rng, StoreError, UnknownNameError, game
from plyground.agents import Limit, agent
from plyground.records import HUMAN, Record
from plyground.store import Filter, Store
from plyground.store.records import AT_ONCE

GAME = Record(
    "checkers",
    ("11-15", "23-18"),
    players={"black": HUMAN, "white": "random"},
    outcome=Outcome("white", "resignation"),
    seed=2**64 - 1,
    started="2026-01-31T12:00:00+00:00",
    headers={"Event": 'Café "Ö" 🙂'},
)


def random_game(spec: str, seed: int) -> Record:
    position, rng = game(spec).start(), Rng(seed)
    while position.outcome is None:
        position = position.play_random(rng)
    return Record.from_position(position, dict.fromkeys(position.game.sides, "random"), seed=seed)


@pytest.mark.parametrize("spec", ["checkers", "connect4(columns=8)", "tictactoe", "chess"])
def test_what_is_kept_comes_back(store: Store, spec: str) -> None:
    record = random_game(spec, 5)
    assert store.records.get(store.records.add(record).id).record == record


def test_every_field_comes_back(store: Store) -> None:
    kept = store.records.get(store.records.add(GAME, tags=["b", "a"], owner="f00").id)
    assert (kept.record, kept.tags, kept.owner) == (GAME, ("a", "b"), "f00")
    assert timedelta() <= datetime.now(UTC) - kept.created < timedelta(minutes=1)


def test_a_game_without_moves_comes_back(store: Store) -> None:
    for record in (Record("chess"), Record("checkers", start="W:WK3:B10")):
        assert store.records.get(store.records.add(record).id).record == record


def test_analyses_come_back_with_the_game_and_not_with_a_list(store: Store) -> None:
    start = game("connect4").position(moves=["4", "4"])
    thought = agent("mcts").analyse(start, Limit(simulations=200), seed=1)
    record = Record.from_position(start.play("3"), {}, analyses={2: thought})
    number = store.records.add(record).id
    assert store.records.get(number).record == record
    assert store.records.find()[0].record == replace(record, analyses={})


def test_the_same_game_is_kept_once(store: Store) -> None:
    first, second = store.records.add(GAME), store.records.add(GAME, tags=["again"])
    assert (first.is_new, second.is_new, second.id) == (True, False, first.id)
    assert store.records.count() == 1
    assert store.records.get(first.id).tags == ("again",)


def test_the_same_game_of_another_owner_is_another(store: Store) -> None:
    numbers = {store.records.add(GAME, owner=owner).id for owner in (None, "a", "b", "a")}
    assert len(numbers) == 3
    assert store.records.count(Filter(owner="a")) == 1


def test_many_games_are_kept_at_once_in_their_order(store: Store) -> None:
    games = [random_game("tictactoe", seed) for seed in range(2 * AT_ONCE + 10)]
    added = store.records.add_all([*games, games[3]])
    assert [one.is_new for one in added] == [True] * len(games) + [False]
    assert added[-1].id == added[3].id
    assert [one.id for one in added[:-1]] == sorted({one.id for one in added})
    for index in (0, 3, AT_ONCE, len(games) - 1):
        assert store.records.get(added[index].id).record == games[index]


def test_a_list_that_fails_keeps_nothing(store: Store) -> None:
    with pytest.raises(ParseError, match="spec"):
        store.records.add_all([GAME, Record("???")])
    with pytest.raises(ParseError, match="ply 1 of 1"):
        store.records.add_all([GAME, Record("chess", ("e2e5",))])
    with pytest.raises(ParseError, match="printable"):
        store.records.add(GAME, tags=["good", "\n"])
    assert store.records.count() == 0


def test_a_later_state_takes_the_place_of_the_earlier(store: Store) -> None:
    number = store.records.add(Record("chess", ("e2e4",), players={"white": HUMAN}), tags=["mine"]).id
    later = Record("chess", ("e2e4", "e7e5"), players={"white": HUMAN, "black": "random"})
    store.records.replace(number, later)
    store.records.replace(number, later)
    kept = store.records.get(number)
    assert (kept.record, kept.tags) == (later, ("mine",))
    assert store.records.count() == 1


def test_a_game_cannot_become_another_that_is_there(store: Store) -> None:
    number = store.records.add(Record("chess")).id
    other = store.records.add(GAME).id
    with pytest.raises(StoreError, match=f"what game {other} is already"):
        store.records.replace(number, GAME)


def test_filters_find_what_they_say(store: Store) -> None:
    ids = {
        "checkers": store.records.add(GAME, tags=["mine"]).id,
        "drawn": store.records.add(Record("chess", outcome=Outcome(None, "agreement"), players={"white": "random"})).id,
        "small": store.records.add(Record("connect4(columns=4)")).id,
        "usual": store.records.add(Record("connect4"), tags=["mine", "late"]).id,
    }

    def found(**which: str) -> set[str]:
        numbers = {kept.id for kept in store.records.find(Filter(**which))}  # type: ignore[arg-type]
        assert store.records.count(Filter(**which)) == len(numbers)  # type: ignore[arg-type]
        assert set(store.records.ids(Filter(**which))) == numbers  # type: ignore[arg-type]
        return {name for name, number in ids.items() if number in numbers}

    assert found() == set(ids)
    assert found(game="connect4") == {"small", "usual"}
    assert found(game="connect4(columns=4)") == {"small"}
    assert found(agent="random") == {"checkers", "drawn"}
    assert found(agent=HUMAN) == {"checkers"}
    assert found(result="white") == {"checkers"}
    assert found(result="draw") == {"drawn"}
    assert found(result="unfinished") == {"small", "usual"}
    assert found(tag="mine") == {"checkers", "usual"}
    assert found(tag="mine", game="connect4") == {"usual"}
    assert found(tag="%") == found(agent="' OR 1=1 --") == set()
    created = store.records.get(ids["small"]).created
    assert {kept.id for kept in store.records.find(Filter(since=created))} >= {ids["small"], ids["usual"]}
    assert ids["small"] not in store.records.ids(Filter(until=created))
    assert store.records.count(Filter(since=datetime.now(UTC) + timedelta(days=1))) == 0


def test_texts_find_players_tags_results_and_first_moves(store: Store) -> None:
    ids = {
        "anna": store.records.add(
            Record("chess", ("e2e4", "e7e5"), players={"white": "Anna Ärlig", "black": HUMAN}), tags=["100%_sure"]
        ).id,
        "ben": store.records.add(
            Record(
                "chess",
                ("e2e4", "c7c5"),
                players={"white": "Ben", "black": "anna"},
                outcome=Outcome("white", "resignation"),
            ),
            tags=["club"],
        ).id,
        "drop": store.records.add(Record("connect4", ("4", "1"), players={"red": "random"})).id,
    }

    def found(*texts: str) -> set[str]:
        numbers = {kept.id for kept in store.records.find(Filter(texts=texts))}
        assert store.records.count(Filter(texts=texts)) == len(numbers)
        return {name for name, number in ids.items() if number in numbers}

    assert found("ANNA") == {"anna", "ben"}
    assert found("Ärlig") == {"anna"}
    if "://" not in str(store):  # PostgreSQL knows the letters of the locale it was made with
        assert found("ärlig") == found("ÄRLIG") == {"anna"}
    assert found("club") == found("resign") == found("ben  club") == {"ben"}
    assert found("anna club") == {"ben"}
    assert found("ben", "random") == {"ben", "drop"}
    assert found("e2e4") == {"anna", "ben"}
    assert found("e2e4 c7c5") == found("anna e2e4 C7C5") == {"ben"}
    assert found("club e2e4") == {"ben"}
    assert found("c7c5") == found("e2e4 anna") == found("e2") == set()
    assert found("4 1") == {"drop"}
    assert found("  ") == set(ids)
    assert found("100%_sure") == found("%") == found("_") == {"anna"}
    assert found("1%s") == found("a_n") == found("/") == found("' OR 1=1 --") == found("\\") == set()
    for wrong in ("\0", "a" * 501, "a " * 21):
        with pytest.raises(ParseError, match="20 printable words"):
            store.records.find(Filter(texts=(wrong,)))


def test_pages_follow_each_other(store: Store) -> None:
    store.records.add_all(random_game("tictactoe", seed) for seed in range(25))
    pages, before = [], None
    while page := store.records.find(limit=10, before=before):
        pages.append([kept.id for kept in page])
        before = page[-1].id
    assert [len(page) for page in pages] == [10, 10, 5]
    seen = [number for page in pages for number in page]
    assert seen == sorted(set(seen), reverse=True)


def test_tags_are_put_on_and_taken_off(store: Store) -> None:
    numbers = [store.records.add(random_game("tictactoe", seed)).id for seed in range(3)]
    store.records.tag(numbers, add=["a", "b"])
    store.records.tag(numbers[:1], add=["a", "c"], remove=["b"])
    assert store.records.get(numbers[0]).tags == ("a", "c")
    assert store.records.tags() == {"a": 3, "b": 2, "c": 1}
    with pytest.raises(UnknownNameError, match="number 999"):
        store.records.tag([*numbers, 999], add=["d"])
    assert "d" not in store.records.tags()


def test_deleted_games_are_gone_and_their_numbers_are_not_given_again(store: Store) -> None:
    numbers = [store.records.add(random_game("tictactoe", seed), tags=["a"]).id for seed in range(3)]
    store.records.delete(numbers[1:])
    assert store.records.ids() == numbers[:1]
    assert store.records.tags() == {"a": 1}
    assert store.records.add(random_game("tictactoe", 9)).id > numbers[2]
    with pytest.raises(UnknownNameError, match=f"number {numbers[1]}"):
        store.records.delete([numbers[0], numbers[1]])
    assert store.records.count() == 2


@pytest.mark.parametrize("number", [0, -1, 7, 2**63, 2**70])
def test_a_number_that_no_game_has_is_an_error(store: Store, number: int) -> None:
    with pytest.raises(UnknownNameError, match=f"no game has the number {number}"):
        store.records.get(number)


def at_once(*tasks: Callable[[], object]) -> None:
    """Do all of these at the same time; an error of one is an error of all."""
    with ThreadPoolExecutor(len(tasks)) as threads:
        for future in [threads.submit(task) for task in tasks]:
            future.result()


def test_many_writers_at_once_lose_nothing(store: Store) -> None:
    games = [[random_game("tictactoe", 10 * thread + seed) for seed in range(10)] for thread in range(4)]

    def write(thread: int) -> None:
        for record in games[thread]:
            store.records.add(record, tags=[f"t{thread}"])
            store.records.add(GAME, tags=["all"])

    at_once(*(partial(write, thread) for thread in range(4)))
    assert store.records.count(Filter(game="tictactoe")) == 40
    assert store.records.tags() == {"all": 1, "t0": 10, "t1": 10, "t2": 10, "t3": 10}
    assert store.records.find(Filter(game="checkers"))[0].record == GAME


def test_the_same_games_in_another_order_are_added_at_once(store: Store) -> None:
    for round_ in range(5):
        games = [random_game("tictactoe", 200 * round_ + seed) for seed in range(200)]
        at_once(
            partial(store.records.add_all, games, tags=["a"]), partial(store.records.add_all, games[::-1], tags=["a"])
        )
    assert store.records.count() == 1000
