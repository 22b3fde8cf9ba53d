"""Many visitors at once, each playing a game against a level: is every move answered, and how fast is the rest?

Starts a server of its own. Each visitor plays random legal moves, thinks a little between two of them, and meanwhile
asks for what a page asks for: the game, a position, the catalog.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx


@dataclass
class Measured:
    """What all visitors saw."""

    moves: list[float] = field(default_factory=list)
    """Seconds from a move to the position after the answer."""
    others: list[float] = field(default_factory=list)
    """Seconds of requests that wait for no search."""
    games: int = 0
    errors: list[str] = field(default_factory=list)


async def visit(number: int, address: str, told: argparse.Namespace, until: float, measured: Measured) -> None:
    """One visitor, until the time is over."""
    rng = random.Random(number)  # noqa: S311
    game: Any = None
    # Making the clients' own certificates would cost more than what is measured; nothing is encrypted here.
    async with httpx.AsyncClient(base_url=address, timeout=60, verify=False) as http:  # noqa: S501

        async def ask(method: str, path: str, body: Any = None, *, counts: bool = True) -> Any:
            began = time.perf_counter()
            answer = await http.request(method, path, json=body)
            taken = time.perf_counter() - began
            if answer.status_code >= 400:
                measured.errors.append(f"{method} {path}: {answer.status_code} {answer.text[:200]}")
                raise RuntimeError(measured.errors[-1])
            if counts:
                measured.others.append(taken)
            return answer.json()

        await asyncio.sleep(rng.uniform(0, told.think))
        await ask("GET", "/api/catalog")
        while time.monotonic() < until:
            if game is None or game["position"]["outcome"]:
                measured.games += game is not None
                game = await ask("POST", "/api/games", {"game": told.game, "player": told.level})
            move = rng.choice(game["position"]["moves"])["text"]
            wish = {"move": move, "ply": game["position"]["ply"], "wait": 60}
            began = time.perf_counter()
            ply = game["position"]["ply"]
            game = await ask("POST", f"/api/games/{game['id']}/moves", wish, counts=False)
            measured.moves.append(time.perf_counter() - began)
            if not game["position"]["outcome"] and game["position"]["ply"] < ply + 2:
                measured.errors.append(f"a move at ply {ply} was not answered")
            moves = [one["text"] for one in game["moves"]]
            await ask("GET", f"/api/games/{game['id']}")
            await ask("POST", "/api/positions", {"game": told.game, "moves": moves[: rng.randrange(len(moves) + 1)]})
            await asyncio.sleep(rng.uniform(0.5, 1.5) * told.think)


def percentile(values: list[float], share: float) -> float:
    """The value below which a share of the values lies, in milliseconds."""
    return 1000 * sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else 0.0


async def crowd(address: str, told: argparse.Namespace) -> Measured:
    """All visitors at once."""
    measured = Measured()
    until = time.monotonic() + told.seconds
    visits = (visit(number, address, told, until, measured) for number in range(told.visitors))
    for result in await asyncio.gather(*visits, return_exceptions=True):
        if isinstance(result, BaseException) and not isinstance(result, RuntimeError):
            measured.errors.append(repr(result))
    return measured


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--visitors", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=30, help="how long they play")
    parser.add_argument("--think", type=float, default=2.0, help="seconds between two moves of a visitor, on average")
    parser.add_argument("--game", default="checkers")
    parser.add_argument("--level", default="Medium")
    parser.add_argument("--json", action="store_true")
    told = parser.parse_args()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        program = [str(Path(sys.executable).with_name("plyground")), "serve", "--no-browser", "--port", str(port)]
        server = subprocess.Popen([*program, "--store", f"{folder}/store.sqlite"], stdout=subprocess.PIPE)  # noqa: S603
        try:
            assert server.stdout is not None  # noqa: S101
            server.stdout.readline()
            measured = asyncio.run(crowd(f"http://127.0.0.1:{port}", told))
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(20)
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    requests = len(measured.moves) + len(measured.others)
    found = {
        "visitors": told.visitors,
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        "seconds": told.seconds,
        "moves": len(measured.moves),
        "games": measured.games,
        "errors": len(measured.errors),
        "answered_p50_ms": round(percentile(measured.moves, 0.5), 1),
        "answered_p99_ms": round(percentile(measured.moves, 0.99), 1),
        "other_requests": len(measured.others),
        "other_p50_ms": round(percentile(measured.others, 0.5), 1),
        "other_p99_ms": round(percentile(measured.others, 0.99), 1),
        "cpu_ms_a_request": round(1000 * (spent.ru_utime + spent.ru_stime) / max(1, requests), 2),
    }
    if told.json:
        sys.stdout.write(json.dumps(found) + "\n")
    else:
        sys.stdout.write("".join(f"{name:18} {value}\n" for name, value in found.items()))
    for error in measured.errors[:10]:
        sys.stderr.write(f"{error}\n")
    sys.exit(bool(measured.errors))


if __name__ == "__main__":
    main()
