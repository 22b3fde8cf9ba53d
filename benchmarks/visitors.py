"""Load test with many visitors who play at the same time: response times and failed requests.

python benchmarks/visitors.py --visitors 200 --seconds 30

Starts its own server. Each visitor plays random legal moves against a level and pauses between moves, meanwhile
requesting the game, a position and the catalog like the web UI.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import resource
import time
from dataclasses import dataclass, field
from typing import Annotated, Any

import httpx
import typer

from figures import Figures, percentile, scaled
from local_server import running_server


@dataclass(frozen=True)
class Load:
    """Behaviour of the visitors."""

    visitors: int = 200
    seconds: float = 30
    """Duration of the test."""
    pause: float = 2.0
    """Mean seconds between a visitor's moves."""
    game: str = "checkers"
    level: str = "Medium"


@dataclass
class Samples:
    """Response times of all visitors, in milliseconds."""

    moves: list[float] = field(default_factory=list)
    """From sending a move to receiving the position after the reply."""
    others: list[float] = field(default_factory=list)
    """Requests that do not wait for a search."""
    games: int = 0
    errors: list[str] = field(default_factory=list)


class Visitor:
    """One visitor with its own HTTP client."""

    def __init__(self, number: int, http: httpx.AsyncClient, load: Load, samples: Samples) -> None:
        self._rng = random.Random(number)  # noqa: S311
        self._http = http
        self._load = load
        self._samples = samples

    async def visit(self, until: float) -> None:
        """Play games until the given time on the monotonic clock."""
        game: Any = None
        await asyncio.sleep(self._rng.uniform(0, self._load.pause))
        await self._request("GET", "/api/catalog")
        while time.monotonic() < until:
            if game is None or game["position"]["outcome"]:
                self._samples.games += game is not None
                body = {"game": self._load.game, "player": self._load.level}
                game = await self._request("POST", "/api/games", body)
            game = await self._play_move(game)
            moves = [move["text"] for move in game["moves"]]
            await self._request("GET", f"/api/games/{game['id']}")
            moves = moves[: self._rng.randrange(len(moves) + 1)]
            await self._request("POST", "/api/positions", {"game": self._load.game, "moves": moves})
            await asyncio.sleep(self._rng.uniform(0.5, 1.5) * self._load.pause)

    async def _play_move(self, game: Any) -> Any:
        ply = game["position"]["ply"]
        move = self._rng.choice(game["position"]["moves"])["text"]
        body = {"move": move, "ply": ply, "wait": 60}
        game = await self._request("POST", f"/api/games/{game['id']}/moves", body, searches=True)
        if not game["position"]["outcome"] and game["position"]["ply"] < ply + 2:
            self._samples.errors.append(f"no reply to the move at ply {ply}")
        return game

    async def _request(self, method: str, path: str, body: Any = None, *, searches: bool = False) -> Any:
        started = time.perf_counter()
        response = await self._http.request(method, path, json=body)
        milliseconds = 1000 * (time.perf_counter() - started)
        if response.status_code >= 400:
            self._samples.errors.append(f"{method} {path}: {response.status_code} {response.text[:200]}")
            raise RuntimeError(self._samples.errors[-1])
        (self._samples.moves if searches else self._samples.others).append(milliseconds)
        return response.json()


async def run_visitors(address: str, load: Load) -> Samples:
    """Run all visitors concurrently."""
    samples = Samples()
    until = time.monotonic() + load.seconds

    async def run_visitor(number: int) -> None:
        # Loading certificates for every client would take longer than the requests; nothing is encrypted here.
        async with httpx.AsyncClient(base_url=address, timeout=60, verify=False) as http:  # noqa: S501
            await Visitor(number, http, load, samples).visit(until)

    visitors = (run_visitor(number) for number in range(load.visitors))
    for result in await asyncio.gather(*visitors, return_exceptions=True):
        if isinstance(result, BaseException) and not isinstance(result, RuntimeError):
            samples.errors.append(repr(result))
    return samples


def measure_load(load: Load) -> Samples:
    """Run the visitors against a new server."""
    with running_server() as address:
        return asyncio.run(run_visitors(address, load))


def visitors(effort: float) -> Figures:
    """Return the 99th percentile of response times in milliseconds, and the number of failed requests."""
    samples = measure_load(Load(seconds=scaled(30, effort, minimum=5)))
    return {
        "requests without search, p99": percentile(samples.others, 99),
        "move answered, p99": percentile(samples.moves, 99),
        "failed requests": len(samples.errors),
    }


def main(
    visitors: Annotated[int, typer.Option(min=1, help="Number of visitors.")] = Load.visitors,
    seconds: Annotated[float, typer.Option(help="Duration in seconds.")] = Load.seconds,
    pause: Annotated[float, typer.Option(help="Mean seconds between a visitor's moves.")] = Load.pause,
    game: Annotated[str, typer.Option(help="Game to play.")] = Load.game,
    level: Annotated[str, typer.Option(help="Level of the opponent.")] = Load.level,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Measure a server under load; the exit code is 1 if a request failed."""
    samples = measure_load(Load(visitors, seconds, pause, game, level))
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    requests = len(samples.moves) + len(samples.others)
    report = {
        "visitors": visitors,
        "cores": os.cpu_count(),
        "load_average": round(os.getloadavg()[0], 1),
        "seconds": seconds,
        "moves": len(samples.moves),
        "games": samples.games,
        "errors": len(samples.errors),
        "move_p50_ms": round(percentile(samples.moves, 50), 1),
        "move_p99_ms": round(percentile(samples.moves, 99), 1),
        "other_requests": len(samples.others),
        "other_p50_ms": round(percentile(samples.others, 50), 1),
        "other_p99_ms": round(percentile(samples.others, 99), 1),
        "cpu_ms_per_request": round(1000 * (used.ru_utime + used.ru_stime) / max(1, requests), 2),
    }
    typer.echo(json.dumps(report) if as_json else "\n".join(f"{name:18} {value}" for name, value in report.items()))
    for error in samples.errors[:10]:
        typer.echo(error, err=True)
    raise typer.Exit(bool(samples.errors))


if __name__ == "__main__":
    typer.run(main)
