"""Logs, caches, and work that must not block the threads that serve requests."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from starlette.requests import Request

from plyground import game
from plyground.agents import Budget
from plyground.agents.alphabeta import AlphaBetaAgent
from plyground.agents.registry import AGENTS
from plyground.arena import Rules, SerialExecutor, entrants
from plyground.arena.tournament import Plan, Tournament
from plyground.exact.tables import activate_tables
from plyground.learn import checkpoints, train
from plyground.learn.methods import make_learner
from plyground.records import Record
from plyground.server.app import make_app
from plyground.server.catalog.catalog import CatalogService
from plyground.server.errors import BusyError, TooLargeError
from plyground.server.jobs.results import TournamentResults
from plyground.server.jobs.training import TrainingQueue
from plyground.server.library.importing import Imports
from plyground.server.library.library import BATCH_SIZE, Library
from plyground.server.library.models import ImportedFile, ImportReport, ImportRequest
from plyground.server.library.parsing import MAX_GAMES
from plyground.server.pools import WorkPool
from plyground.server.search import exact
from plyground.server.search.exact import ExactValues
from plyground.server.search.pool import SearchPool
from plyground.server.settings import Settings
from plyground.server.workers.pool import KilledError, WorkerPool
from plyground.store import Store
from server.conftest import MakeServer
from server.serving import TIMEOUT_S, eventually, free_port


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(str(tmp_path / "store.sqlite")) as opened:
        yield opened


def test_requests_are_logged_without_secrets(tmp_path: Path) -> None:
    port, token = free_port(), "secret-share-token"
    environment = {
        **os.environ,
        "PLYGROUND_PORT": str(port),
        "PLYGROUND_STORE": str(tmp_path / "s.sqlite"),
        "PLYGROUND_LOG_LEVEL": "info",
        "PLYGROUND_SECRET": "very secret signing key",
    }
    program = [sys.executable, "-m", "plyground.cli.main", "serve", "--no-browser"]
    with subprocess.Popen(
        program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as server:
        assert server.stdout is not None
        server.stdout.readline()
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=TIMEOUT_S) as http:
            http.get("/api/state")
            cookie = http.cookies["plyground"]
            missing = http.get(f"/api/shared/{token}?key=value")
            http.get("/api/nothing/" + token)
            http.post("/api/make_move", json={"move": "11-15"})
        server.send_signal(signal.SIGTERM)
        _, errors = server.communicate(timeout=TIMEOUT_S)
    lines = [json.loads(line) for line in errors.splitlines()]
    requests = [line for line in lines if line["logger"] == "plyground.server.requests"]
    assert [(line["method"], line["path"], line["status"]) for line in requests] == [
        ("GET", "/api/state", 200),
        ("GET", "/api/shared/{token}", 404),
        ("GET", "unknown", 404),
        ("POST", "/api/make_move", 200),
    ]
    assert {line["visitor"] for line in requests} == {requests[0]["visitor"]}
    assert all(len(line["visitor"]) == 8 and line["ms"] > 0 for line in requests)
    assert requests[1]["request"] == missing.headers["x-request-id"]
    assert len({line["request"] for line in requests}) == 4
    for secret in (cookie, cookie.partition(".")[0], token, "value", "very secret", "11-15"):
        assert secret not in errors


def test_an_unexpected_error_is_logged_with_its_request(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    app = make_app(Settings(store=str(tmp_path / "store.sqlite"), searches=1))

    def fail() -> str:
        raise LookupError("details for the log only")

    async def request() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as http:
            return await http.get("/api/catalog")

    app.state.services.catalog.json = fail
    response = asyncio.run(request())
    app.state.services.close()
    assert response.status_code == 500
    message = response.json()["error"]["message"]
    assert "LookupError" in message
    assert "log only" not in message
    assert response.headers["x-request-id"] in message
    assert "details for the log only" in caplog.text


def test_waiting_training_requests_do_not_occupy_threads(make_server: MakeServer) -> None:
    """FastAPI has 40 threads for requests; 45 visitors wait for their training at the same time."""
    server = make_server(address_jobs=100)
    visitors = [server.visitor() for _ in range(45)]

    def train_now(number: int) -> None:
        with suppress(httpx.HTTPError):  # the server stops before training finishes
            visitors[number].http.post("/api/train", json={"games": 2000})

    with ThreadPoolExecutor(len(visitors)) as threads:
        for number in range(len(visitors)):
            threads.submit(train_now, number)
        other = server.visitor()
        eventually(lambda: len(other.get("/training/runs")) == len(visitors))
        assert other.move(other.game(player="random"))["position"]["ply"] == 2
        server.stop()


def test_standings_are_computed_once_per_finished_game(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan(Rules("tictactoe"), entrants("tictactoe", ["random", "flat(playouts=1)"]), games=4)
    tournament = Tournament.create(store, "cup", plan)
    results, computed = TournamentResults(store), []
    standings = Tournament.standings

    def count(self: Tournament, *arguments: Any) -> Any:
        computed.append(self.name)
        return standings(self, *arguments)

    monkeypatch.setattr(Tournament, "standings", count)
    for finished, _ in enumerate(tournament.play(SerialExecutor()), 1):
        for _ in range(3):
            table = results.standings(store.tournaments.get("cup"))
            assert sum(row.games for row in table.agents) == 2 * finished
            assert len(results.games(store.tournaments.get("cup"))) == finished
    assert len(computed) == 4 + 1  # the arena computes them once more to store the ratings


def test_weights_are_computed_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    learner = make_learner("td", "checkers", {"games": 2}, 1)
    run = store.runs.create(learner.method, learner.game, learner.settings, learner.seed)
    train(learner, store, number=run.id)
    computed, original = [], checkpoints.checkpoint_weights

    def count(store: Store, run_id: int, step: int) -> Any:
        computed.append(step)
        return original(store, run_id, step)

    monkeypatch.setattr(checkpoints, "checkpoint_weights", count)
    checkpoints.register_run_weights(store)
    queue = TrainingQueue(store, Settings())
    files = {queue.weights_file(run.id, None) for _ in range(3)}
    assert len(files) == 1
    assert computed == [2]


def test_the_catalog_follows_settings_and_agents(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(tournament_games=5)
    catalog = CatalogService(settings)
    first = json.loads(catalog.json())
    assert first["limits"]["tournament_games"] == 5
    settings.tournament_games = 7
    assert json.loads(catalog.json())["limits"]["tournament_games"] == 7

    class OtherAgent(AlphaBetaAgent):
        name = "other"

    monkeypatch.setitem(AGENTS, "other", OtherAgent)
    assert "other" in {agent["name"] for agent in json.loads(catalog.json())["agents"]}
    monkeypatch.undo()
    assert catalog.json() is catalog.json()
    assert "other" not in {agent["name"] for agent in json.loads(catalog.json())["agents"]}


def test_building_tables_blocks_no_request(monkeypatch: pytest.MonkeyPatch) -> None:
    built = threading.Event()
    monkeypatch.setattr(exact, "activate_tables", lambda: built.wait(TIMEOUT_S) and activate_tables())
    monkeypatch.setattr(exact, "SOLVER_SECONDS", 0.01)
    pool = SearchPool(1, 10)
    values = ExactValues(pool, 16)
    builder = threading.Thread(target=values.load_tables)
    builder.start()
    position = game("checkers").position("B:WK10:BK1")
    called: list[str] = []
    values.when_loaded(lambda: called.append("loaded"))
    assert values.lookup(position) is None
    assert asyncio.run(values.moves(position)).exact is None
    built.set()
    builder.join()
    assert called == ["loaded"]
    found = asyncio.run(values.moves(position)).exact
    assert found is not None
    assert found.source == "tables"
    pool.close()


def test_a_pool_runs_few_calls_at_once_and_rejects_too_many() -> None:
    async def run() -> tuple[int, int]:
        pool, release = WorkPool(2, 1, "imports"), threading.Event()
        running, most = [0], [0]
        lock = threading.Lock()

        def work() -> None:
            with lock:
                running[0] += 1
                most[0] = max(most[0], running[0])
            release.wait(TIMEOUT_S)
            with lock:
                running[0] -= 1

        calls = [asyncio.create_task(pool.run(work)) for _ in range(3)]
        while running[0] < 2:
            await asyncio.sleep(0)
        with pytest.raises(BusyError, match="3 imports are running or queued"):
            await pool.run(work)
        release.set()
        await asyncio.gather(*calls)
        return most[0], running[0]

    assert asyncio.run(run()) == (2, 0)


def games_text(count: int) -> str:
    return "".join(f'[Event "{number} {40 * "x"}"]\n\n1. e4 e5 *\n\n' for number in range(count))


def test_a_large_import_runs_in_a_worker_process(make_server: MakeServer) -> None:
    server = make_server()
    visitor = server.visitor()
    before = len(children(server.pid))
    report = visitor.post("/library/import", files=[{"name": "a.pgn", "text": games_text(450)}])["files"][0]
    assert len(set(report["added"])) == visitor.get("/library")["total"] == 450
    assert len(children(server.pid)) > before
    assert len(visitor.post("/parse", text=games_text(450))["records"]) == MAX_GAMES


def test_a_stopped_import_keeps_what_it_has_stored(store: Store) -> None:
    library, calls = Library(store, 10_000), []

    def is_stopped() -> bool:
        calls.append(1)
        return len(calls) > 3

    files = [ImportedFile(name=name, text=games_text(500)) for name in ("a.pgn", "b.pgn")]
    first, second = library.import_files("ann", ImportRequest(files=files), is_stopped).files
    assert first.error == f"the import was stopped after {2 * BATCH_SIZE} of 500 games"
    assert len(first.added) == store.records.count() == 2 * BATCH_SIZE
    assert second.error == "the import was stopped"


def test_an_import_ends_when_the_client_disconnects_or_takes_too_long() -> None:
    class Client:
        is_connected = True

        async def is_disconnected(self) -> bool:
            return not self.is_connected

    class Workers:
        """A worker pool whose call returns when its budget expires, or is killed if it is stuck."""

        is_stuck = False

        def call(self, *_: Any, budget: Budget) -> ImportReport:
            client.is_connected = self.is_stuck
            while not budget.expired:
                threading.Event().wait(0.01)
            if self.is_stuck:
                raise KilledError("killed")
            return ImportReport(files=[])

    async def run(settings: Settings) -> ImportReport:
        imports = Imports(settings, cast(WorkerPool, workers), WorkPool(1, 1, "imports"))
        return await imports.import_files(cast(Request, client), "ann", ImportRequest(files=[file]))

    client, workers, file = Client(), Workers(), ImportedFile(name="a.pgn", text="")
    assert asyncio.run(run(Settings(import_seconds=TIMEOUT_S))).files == []
    workers.is_stuck = True
    with pytest.raises(TooLargeError, match=r"could not be read within 0\.1 seconds"):
        asyncio.run(run(Settings(import_seconds=0.1)))


def children(process: int) -> list[str]:
    """Return the IDs of a process's child processes."""
    return [child for file in Path(f"/proc/{process}/task").glob("*/children") for child in file.read_text().split()]


def test_records_are_found_by_their_public_ids_only(store: Store) -> None:
    added = store.records.add(Record("chess", ("e2e4",)))
    assert store.records.ids_of([added.public_id]) == [added.id]
