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
from plyground.records import HUMAN, Note, Record, Variation
from plyground.store import Filter, Job, ScheduledGame, Store, VisitorGame
from plyground.store.records import BATCH_SIZE

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
def test_games_round_trip(store: Store, spec: str) -> None:
    record = random_game(spec, 5)
    assert store.records.get(store.records.add(record).id).record == record


def test_every_field_round_trips(store: Store) -> None:
    before = datetime.now(UTC)
    stored = store.records.get(store.records.add(GAME, tags=["b", "a"], owner="f00").id)
    assert (stored.record, stored.tags, stored.owner) == (GAME, ("a", "b"), "f00")
    assert before <= stored.created <= datetime.now(UTC)


def test_games_without_moves_round_trip(store: Store) -> None:
    for record in (Record("chess"), Record("checkers", start="W:WK3:B10")):
        assert store.records.get(store.records.add(record).id).record == record


def test_get_returns_analyses_and_find_does_not(store: Store) -> None:
    start = game("connect4").position(moves=["4", "4"])
    analysis = agent("mcts").analyse(start, Limit(simulations=200), seed=1)
    record = Record.from_position(start.play("3"), {}, analyses={2: analysis})
    record_id = store.records.add(record).id
    assert store.records.get(record_id).record == record
    assert store.records.find()[0].record == replace(record, analyses={})


def test_the_same_game_is_stored_once(store: Store) -> None:
    first, second = store.records.add(GAME), store.records.add(GAME, tags=["again"])
    assert (first.is_new, second.is_new, second.id) == (True, False, first.id)
    assert store.records.count() == 1
    assert store.records.get(first.id).tags == ("again",)


def test_each_owner_has_a_separate_copy_of_a_game(store: Store) -> None:
    ids = {store.records.add(GAME, owner=owner).id for owner in (None, "a", "b", "a")}
    assert len(ids) == 3
    assert store.records.count(Filter(owner="a")) == 1


def test_adds_many_games_in_order(store: Store) -> None:
    games = [random_game("tictactoe", seed) for seed in range(2 * BATCH_SIZE + 10)]
    added = store.records.add_all([*games, games[3]])
    assert [one.is_new for one in added] == [True] * len(games) + [False]
    assert added[-1].id == added[3].id
    assert [one.id for one in added[:-1]] == sorted({one.id for one in added})
    for index in (0, 3, BATCH_SIZE, len(games) - 1):
        assert store.records.get(added[index].id).record == games[index]


def test_one_invalid_game_rejects_the_whole_list(store: Store) -> None:
    with pytest.raises(ParseError, match="spec"):
        store.records.add_all([GAME, Record("???")])
    with pytest.raises(ParseError, match="ply 1 of 1"):
        store.records.add_all([GAME, Record("chess", ("e2e5",))])
    with pytest.raises(ParseError, match="printable"):
        store.records.add(GAME, tags=["good", "\n"])
    assert store.records.count() == 0


def test_games_are_replayed_outside_transactions(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another connection can write while the games of an import are checked."""
    check = Record.check

    def check_and_write(record: Record) -> None:
        check(record)
        with Store(store._database.url.render_as_string(hide_password=False)) as other:
            other.jobs.put(Job("training", str(record.seed), None, "running"))

    monkeypatch.setattr(Record, "check", check_and_write)
    added = store.records.add_all([replace(GAME, seed=1), replace(GAME, seed=2)])
    store.records.replace(added[0].id, replace(GAME, seed=3))
    store.tournaments.create("cup", "checkers", {}, [ScheduledGame("1")])
    store.tournaments.finish_game("cup", "1", replace(GAME, seed=4))
    store.visitor_games.add(VisitorGame("one", "f00", "checkers", {}))
    store.visitor_games.save(VisitorGame("one", "f00", "checkers", {}, version=2), replace(GAME, seed=5))
    assert [job.key for job in store.jobs.all()] == ["1", "2", "3", "4", "5"]


def test_public_ids_find_games(store: Store) -> None:
    added = store.records.add_all([GAME, replace(GAME, seed=1)])
    public_ids = [one.public_id for one in added]
    assert all(len(public_id) == 16 for public_id in public_ids)
    assert store.records.ids_of(public_ids[::-1]) == [one.id for one in added][::-1]
    assert [one.public_id for one in store.records.find()] == public_ids[::-1]
    assert store.records.add(GAME).public_id == public_ids[0]
    for unknown in ("", "1", "x" * 1000):
        with pytest.raises(UnknownNameError, match="not found"):
            store.records.ids_of([public_ids[0], unknown])


def test_replace_stores_a_later_state_of_a_game(store: Store) -> None:
    record_id = store.records.add(Record("chess", ("e2e4",), players={"white": HUMAN}), tags=["mine"]).id
    later = Record("chess", ("e2e4", "e7e5"), players={"white": HUMAN, "black": "random"})
    store.records.replace(record_id, later)
    store.records.replace(record_id, later)
    stored = store.records.get(record_id)
    assert (stored.record, stored.tags) == (later, ("mine",))
    assert store.records.count() == 1


def test_a_game_cannot_be_replaced_by_another_stored_game(store: Store) -> None:
    record_id = store.records.add(Record("chess")).id
    other = store.records.add(GAME).id
    with pytest.raises(StoreError, match=f"already stored as game {other}"):
        store.records.replace(record_id, GAME)


def test_filters_select_games(store: Store) -> None:
    ids = {
        "checkers": store.records.add(GAME, tags=["mine"]).id,
        "drawn": store.records.add(Record("chess", outcome=Outcome(None, "agreement"), players={"white": "random"})).id,
        "small": store.records.add(Record("connect4(columns=4)")).id,
        "usual": store.records.add(Record("connect4"), tags=["mine", "late"]).id,
    }

    def found(**which: str) -> set[str]:
        matching = {stored.id for stored in store.records.find(Filter(**which))}  # type: ignore[arg-type]
        assert store.records.count(Filter(**which)) == len(matching)  # type: ignore[arg-type]
        assert set(store.records.ids(Filter(**which))) == matching  # type: ignore[arg-type]
        return {name for name, record_id in ids.items() if record_id in matching}

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
    assert {stored.id for stored in store.records.find(Filter(since=created))} >= {ids["small"], ids["usual"]}
    assert ids["small"] not in store.records.ids(Filter(until=created))
    assert store.records.count(Filter(since=datetime.now(UTC) + timedelta(days=1))) == 0


def test_texts_match_players_tags_results_and_first_moves(store: Store) -> None:
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
        matching = {stored.id for stored in store.records.find(Filter(texts=texts))}
        assert store.records.count(Filter(texts=texts)) == len(matching)
        return {name for name, record_id in ids.items() if record_id in matching}

    assert found("ANNA") == {"anna", "ben"}
    assert found("Ärlig") == {"anna"}
    if "://" not in str(store):  # PostgreSQL folds case according to its locale, which is C here
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


def test_pages_are_disjoint_and_complete(store: Store) -> None:
    store.records.add_all(random_game("tictactoe", seed) for seed in range(25))
    pages, before = [], None
    while page := store.records.find(limit=10, before=before):
        pages.append([stored.id for stored in page])
        before = page[-1].id
    assert [len(page) for page in pages] == [10, 10, 5]
    seen = [record_id for page in pages for record_id in page]
    assert seen == sorted(set(seen), reverse=True)


def test_adds_and_removes_tags(store: Store) -> None:
    ids = [store.records.add(random_game("tictactoe", seed)).id for seed in range(3)]
    store.records.tag(ids, add=["a", "b"])
    store.records.tag(ids[:1], add=["a", "c"], remove=["b"])
    assert store.records.get(ids[0]).tags == ("a", "c")
    assert store.records.tags() == {"a": 3, "b": 2, "c": 1}
    with pytest.raises(UnknownNameError, match="game 999 not found"):
        store.records.tag([*ids, 999], add=["d"])
    assert "d" not in store.records.tags()


def test_ids_of_deleted_games_are_not_reused(store: Store) -> None:
    ids = [store.records.add(random_game("tictactoe", seed), tags=["a"]).id for seed in range(3)]
    store.records.delete(ids[1:])
    assert store.records.ids() == ids[:1]
    assert store.records.tags() == {"a": 1}
    assert store.records.add(random_game("tictactoe", 9)).id > ids[2]
    with pytest.raises(UnknownNameError, match=f"game {ids[1]} not found"):
        store.records.delete([ids[0], ids[1]])
    assert store.records.count() == 2


@pytest.mark.parametrize("record_id", [0, -1, 7, 2**63, 2**70])
def test_an_unknown_id_is_an_error(store: Store, record_id: int) -> None:
    with pytest.raises(UnknownNameError, match=f"game {record_id} not found"):
        store.records.get(record_id)


def run_concurrently(*tasks: Callable[[], object]) -> None:
    """Run tasks concurrently and re-raise the first error."""
    with ThreadPoolExecutor(len(tasks)) as threads:
        for future in [threads.submit(task) for task in tasks]:
            future.result()


def test_concurrent_writers_lose_no_games(store: Store) -> None:
    games = [[random_game("tictactoe", 10 * thread + seed) for seed in range(10)] for thread in range(4)]

    def write(thread: int) -> None:
        for record in games[thread]:
            store.records.add(record, tags=[f"t{thread}"])
            store.records.add(GAME, tags=["all"])

    run_concurrently(*(partial(write, thread) for thread in range(4)))
    assert store.records.count(Filter(game="tictactoe")) == 40
    assert store.records.tags() == {"all": 1, "t0": 10, "t1": 10, "t2": 10, "t3": 10}
    assert store.records.find(Filter(game="checkers"))[0].record == GAME


def test_concurrent_additions_in_opposite_orders_do_not_deadlock(store: Store) -> None:
    for round_ in range(5):
        games = [random_game("tictactoe", 200 * round_ + seed) for seed in range(200)]
        run_concurrently(
            partial(store.records.add_all, games, tags=["a"]), partial(store.records.add_all, games[::-1], tags=["a"])
        )
    assert store.records.count() == 1000


def test_annotations_round_trip_and_distinguish_games(store: Store) -> None:
    annotated = replace(
        GAME, notes={1: Note("solid", (1,))}, variations={1: (Variation(("22-18",), {1: Note("forced")}),)}
    )
    plain, first = store.records.add(GAME), store.records.add(annotated)
    assert store.records.get(first.id).record == annotated
    assert store.records.get(plain.id).record == GAME
    assert not store.records.add(annotated).is_new
    assert [stored.record for stored in store.records.find()] == [GAME, GAME]


def test_analyses_and_annotations_are_stored_together(store: Store) -> None:
    position = game("tictactoe").start()
    analysis = agent("mcts").analyse(position, Limit(simulations=20), seed=1)
    record = Record("tictactoe", ("b2",), analyses={0: analysis}, notes={1: Note("best")})
    assert store.records.get(store.records.add(record).id).record == record
