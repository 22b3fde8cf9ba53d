"""Attack a server; measure another visitor's response times, peak memory usage, and times to idle and to stop.

python benchmarks/attacks.py --seconds 60

Runs every attack in turn against one server with two search threads, while another visitor plays against Medium.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import multiprocessing
import os
import secrets
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.synchronize import Event
from pathlib import Path
from types import TracebackType
from typing import Annotated, Any

import httpx
import typer

from figures import Figures, percentile, scaled
from local_server import free_port, start_server
from process_usage import PeakMemory, is_idle

ATTACKER, WITNESS = "127.0.0.1", "127.0.0.2"
"""Addresses of the attackers and of the visitor who plays."""
ATTACKER_NICE = 10
FOREVER = 9 * 10**8
HUGE = 10**15
ENDLESS_GAME = """
import plyground

class Endless:
    id, title, sides = "endless", "Endless", ("left", "right")

    def start(self):
        return 0

    def turn(self, state):
        return state % 2

    def moves(self, state):
        while state >= 100:
            pass
        return ["1", "2"] if state < 6 else []

    def play(self, state, move):
        return 100 if move == "2" and state >= 2 else state + 1

    def outcome(self, state):
        return 0

plyground.register(Endless())
"""
"""A user game whose `moves` never returns in some states."""

Attack = Callable[["Attackers"], None]


class Attackers:
    """Clients that send requests, ignoring errors, until they are told to stop."""

    def __init__(self, port: int, begun: Event, stopped: Event) -> None:
        self.port = port
        self.begun = begun
        """Set when the attack begins."""
        self.stopped = stopped
        self._clients: list[httpx.Client] = []

    def client(self) -> httpx.Client:
        """Return an HTTP client for a new visitor."""
        client = httpx.Client(base_url=f"http://{ATTACKER}:{self.port}", timeout=5, trust_env=False)
        self._clients.append(client)
        self.send(client, "GET", "/api/catalog")
        return client

    def close(self) -> None:
        """Close all connections."""
        for client in self._clients:
            client.close()

    def send(self, client: httpx.Client, method: str, path: str, **options: Any) -> Any:
        """Send a request; return the decoded JSON response, or None if the request failed."""
        if method == "POST":
            self.begun.set()
        with contextlib.suppress(httpx.HTTPError):
            response = client.request(method, path, **options)
            if response.is_success and "json" in response.headers.get("content-type", ""):
                return response.json()
        return None

    def start_games(self, players: Iterator[str], game: str = "checkers", moves: tuple[str, ...] = ()) -> None:
        """Keep starting games and play a move in each, so that the agents search."""
        while not self.stopped.is_set():
            client = self.client()
            for player in itertools.islice(players, 4):
                body = {"game": game, "player": player, "moves": list(moves)}
                made = self.send(client, "POST", "/api/games", json=body)
                if made is not None and made["position"]["moves"]:
                    move = {"move": made["position"]["moves"][-1]["text"], "ply": made["position"]["ply"]}
                    self.send(client, "POST", f"/api/games/{made['id']}/moves", json=move)
            client.close()
            self.stopped.wait(0.2)

    def in_parallel(self, count: int, work: Callable[[], object]) -> None:
        """Call `work` repeatedly in `count` threads until stopped."""

        def repeat() -> None:
            while not self.stopped.is_set():
                with contextlib.suppress(httpx.HTTPError, OSError):
                    work()

        threads = [threading.Thread(target=repeat, daemon=True) for _ in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def nested_evaluators(attackers: Attackers) -> None:
    """Agents whose evaluators run searches of practically unlimited length."""
    attackers.start_games(itertools.repeat(f"mcts(simulations=1000, evaluator=mcts(simulations={HUGE}))"))


def endless_tournaments(attackers: Attackers) -> None:
    """Tournaments with a player that would search for years. At the end, they are stopped during a search."""
    client = attackers.client()
    started = []

    def start() -> None:
        body = {"game": "chess", "players": [f"mcts(seconds={FOREVER})", "random"], "games": 100}
        if (made := attackers.send(client, "POST", "/api/tournaments", json=body)) is not None:
            started.append(made["name"])
        attackers.stopped.wait(0.5)

    attackers.in_parallel(1, start)
    for name in started:
        attackers.send(client, "POST", f"/api/tournaments/{name}/stop")


def endless_games(attackers: Attackers) -> None:
    """Positions and searches in a user game whose rules never return."""
    client = attackers.client()
    searches = threading.Thread(
        target=attackers.start_games, args=(itertools.cycle(["mcts(simulations=1000000)", "plain-mcts"]), "endless")
    )
    searches.start()
    body = {"game": "endless", "moves": ["1", "1", "2"]}
    attackers.in_parallel(4, lambda: attackers.send(client, "POST", "/api/positions", json=body))
    searches.join()


def parked_training(attackers: Attackers) -> None:
    """Training requests that wait for their results."""

    def train() -> None:
        with contextlib.closing(attackers.client()) as client:
            attackers.send(client, "POST", "/api/train", json={"games": 2000}, timeout=20)

    attackers.in_parallel(40, train)


def half_open_sockets(attackers: Attackers) -> None:
    """Connections that never complete a request."""
    request = f"POST /api/games HTTP/1.1\r\nHost: {ATTACKER}\r\nContent-Length: 1000\r\n".encode()
    open_sockets: list[socket.socket] = []
    while not attackers.stopped.is_set():
        while len(open_sockets) < 300 and not attackers.stopped.is_set():
            with contextlib.suppress(OSError):
                opened = socket.create_connection((ATTACKER, attackers.port), timeout=2)
                opened.sendall(request)
                open_sockets.append(opened)
        attackers.begun.set()
        for opened in list(open_sockets):
            try:
                opened.sendall(b"X")
            except OSError:
                open_sockets.remove(opened)
        attackers.stopped.wait(0.5)
    for opened in open_sockets:
        opened.close()


def forged_cookies(attackers: Attackers) -> None:
    """Clients with forged visitor cookies."""

    def start_game() -> None:
        cookies = {"plyground": secrets.token_urlsafe(32)}
        with httpx.Client(base_url=f"http://{ATTACKER}:{attackers.port}", timeout=5, cookies=cookies) as client:
            for _ in range(20):
                attackers.send(client, "POST", "/api/games", json={"game": "checkers", "player": "Hard"})

    attackers.in_parallel(4, start_game)


def large_trees(attackers: Attackers) -> None:
    """Many games against agents with the largest trees."""
    attackers.start_games(
        (f"mcts(seconds=1, mebibytes=4096, c={number % 50})" for number in itertools.count()), "chess"
    )


def large_imports(attackers: Attackers) -> None:
    """Uploads of thousands of games."""
    game = '[Event "x"]\n[GameType "21"]\n\n1. 11-15 23-19 2. 8-11 22-17 3. 4-8 17-13 4. 15-18 24-20 *\n\n'
    files = [{"name": "games.pdn", "text": game * (4_500_000 // len(game))}]
    client = attackers.client()
    body = {"files": files}
    attackers.in_parallel(2, lambda: attackers.send(client, "POST", "/api/library/import", json=body, timeout=60))


ATTACKS: tuple[Attack, ...] = (
    nested_evaluators,
    endless_tournaments,
    endless_games,
    parked_training,
    half_open_sockets,
    forged_cookies,
    large_trees,
    large_imports,
)


@dataclass
class Answers:
    """Response times of the witness, in milliseconds."""

    acknowledged: list[float] = field(default_factory=list)
    """From sending a move to its confirmation."""
    answered: list[float] = field(default_factory=list)
    """From sending a move to the agent's reply."""


MAX_WAITS = 3
"""Maximum number of minutes that the witness waits for a reply."""


class Witness:
    """A visitor at another address who plays against Medium."""

    def __init__(self, port: int, timeout: float = 120) -> None:
        transport = httpx.HTTPTransport(local_address=WITNESS, retries=3)
        self._http = httpx.Client(base_url=f"http://127.0.0.1:{port}", transport=transport, timeout=timeout)
        self._game: Any = None
        self.answers = Answers()

    def __enter__(self) -> Witness:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._http.close()

    def play_move(self) -> None:
        """Play the first legal move and wait for the reply."""
        if self._game is None or self._game["position"]["outcome"]:
            self._game = self._read(self._http.post("/api/games", json={"game": "checkers", "player": "Medium"}))
        game_id, position = self._game["id"], self._game["position"]
        move = {"move": position["moves"][0]["text"], "ply": position["ply"]}
        started = time.perf_counter()
        self._read(self._http.post(f"/api/games/{game_id}/moves", json=move))
        self.answers.acknowledged.append(1000 * (time.perf_counter() - started))
        for _ in range(MAX_WAITS):
            self._game = self._read(self._http.post(f"/api/games/{game_id}/moves", json={**move, "wait": 60}))
            if self._game["position"]["outcome"] or self._game["position"]["ply"] >= position["ply"] + 2:
                self.answers.answered.append(1000 * (time.perf_counter() - started))
                return
        raise RuntimeError(f"no reply to the move at ply {position['ply']}: {self._game['agent_error']}")

    @staticmethod
    def _read(response: httpx.Response) -> Any:
        response.raise_for_status()
        return response.json()


@contextmanager
def under_attack(attack: Attack, port: int) -> Iterator[None]:
    """Run an attack in another process during the `with` block, so that it does not slow down the witness."""
    context = multiprocessing.get_context("spawn")
    begun, stopped = context.Event(), context.Event()
    process = context.Process(target=_attack, args=(attack, port, begun, stopped), daemon=True)
    process.start()
    try:
        if not begun.wait(60):
            raise RuntimeError(f"the attack {attack.__name__} did not begin within a minute")
        yield
    finally:
        stopped.set()
        process.join(60)
        process.kill()


def _attack(attack: Attack, port: int, begun: Event, stopped: Event) -> None:
    """Attack with a low priority: real attackers use the processors of other machines."""
    os.nice(ATTACKER_NICE)
    with contextlib.closing(Attackers(port, begun, stopped)) as attackers:
        attack(attackers)


@dataclass(frozen=True)
class Result:
    """Measurements of one attack."""

    answers: Answers
    idle_after: float
    """Time from the end of the attack until the server was idle, in seconds."""


def run_attack(attack: Attack, port: int, pid: int, seconds: float) -> Result:
    """Run an attack while the witness plays, then wait until the server is idle."""
    with Witness(port) as witness, under_attack(attack, port):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            witness.play_move()
            time.sleep(0.5)
    ended = time.monotonic()
    while not is_idle(pid):
        if time.monotonic() - ended > 300:
            raise RuntimeError(f"the server is still busy after {attack.__name__}")
    return Result(witness.answers, time.monotonic() - ended)


def all_attacks(seconds: float) -> Iterator[tuple[str, Figures]]:
    """Run every attack against one server; yield the figures of each attack, and finally those of the server."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        game = Path(folder) / "endless.py"
        game.write_text(ENDLESS_GAME)
        os.environ["PLYGROUND_SEARCHES"] = "2"
        server = start_server(port, Path(folder) / "store.sqlite", "--games", str(game))
        peak = PeakMemory(server.pid)
        try:
            for attack in ATTACKS:
                result = run_attack(attack, port, server.pid, seconds)
                yield (
                    attack.__name__,
                    {
                        "acknowledged, p99": percentile(result.answers.acknowledged, 99),
                        "answered, p99": percentile(result.answers.answered, 99),
                        "idle after": result.idle_after,
                    },
                )
            peak.stop()
            started = time.monotonic()
            server.terminate()
            server.wait(60)
            yield "server", {"memory": peak.mebibytes, "stopped after": time.monotonic() - started}
        finally:
            server.kill()
            server.wait()


def attacks(effort: float) -> Figures:
    """Return the worst figures of all attacks: milliseconds, seconds and MiB."""
    worst: dict[str, float] = {}
    for _, figures in all_attacks(scaled(60, effort, minimum=5)):
        for name, value in figures.items():
            worst[name] = max(worst.get(name, 0.0), float(value))
    return dict(worst)


def main(
    seconds: Annotated[float, typer.Option(help="Duration of each attack in seconds.")] = 60,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines.")] = False,
) -> None:
    """Run every attack and print its effects on the other visitor and on the server."""
    for name, figures in all_attacks(seconds):
        text = (
            json.dumps({"attack": name, **figures})
            if as_json
            else f"{name:20} " + ", ".join(f"{label} {value:.1f}" for label, value in figures.items())
        )
        typer.echo(text)


if __name__ == "__main__":
    typer.run(main)
