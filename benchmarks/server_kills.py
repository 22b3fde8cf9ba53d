"""Kill a server with SIGKILL while visitors play; no acknowledged move may be lost.

python benchmarks/server_kills.py --kills 100
"""

from __future__ import annotations

import os
import random
import signal
import tempfile
import threading
import time
from pathlib import Path
from typing import Annotated, Any

import httpx
import typer

from figures import Figures, scaled
from local_server import free_port, start_server


class Visitor:
    """A visitor who plays as fast as the server replies."""

    def __init__(self, address: str) -> None:
        self.http = httpx.Client(base_url=address, timeout=20)
        self.game: Any = None
        self.acknowledged: list[str] = []

    def ensure_game(self) -> None:
        """Start a new game unless one is in progress."""
        if self.game is None or self.game["position"]["outcome"]:
            self.game = self.http.post("/api/games", json={"game": "checkers", "player": "Medium"}).json()
            self.acknowledged = []

    def play(self) -> None:
        """Play until the game is over or the server is killed."""
        try:
            while not self.game["position"]["outcome"]:
                move, ply = self.game["position"]["moves"][0]["text"], self.game["position"]["ply"]
                body = {"move": move, "ply": ply, "wait": 5}
                response = self.http.post(f"/api/games/{self.game['id']}/moves", json=body)
                if response.status_code != 200:
                    return
                self.game = response.json()
                self.acknowledged = [move["text"] for move in self.game["moves"]]
        except httpx.HTTPError:
            return

    def count_lost_moves(self) -> int:
        """Reload the game; return the number of acknowledged moves if any of them is missing, otherwise 0."""
        cookies, address = self.http.cookies, self.http.base_url
        self.http.close()
        self.http = httpx.Client(base_url=address, timeout=20, cookies=cookies)
        while True:
            self.game = self.http.get(f"/api/games/{self.game['id']}").json()
            if not self.game["thinking"]:
                break
            time.sleep(0.02)
        stored = [move["text"] for move in self.game["moves"]]
        return 0 if stored[: len(self.acknowledged)] == self.acknowledged else len(self.acknowledged)


def kill_servers(kills: int, visitors: int, seed: int, *, progress: bool = False) -> tuple[int, int]:
    """Kill a server repeatedly; return the numbers of acknowledged and lost moves."""
    rng, port = random.Random(seed), free_port()  # noqa: S311
    players = [Visitor(f"http://127.0.0.1:{port}") for _ in range(visitors)]
    acknowledged = lost = 0
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "store.sqlite"
        server = start_server(port, store)
        try:
            for kill in range(1, kills + 1):
                for player in players:
                    player.ensure_game()
                before = sum(len(player.acknowledged) for player in players)
                threads = [threading.Thread(target=player.play) for player in players]
                for thread in threads:
                    thread.start()
                time.sleep(rng.uniform(0.01, 0.4))
                os.kill(server.pid, signal.SIGKILL)
                server.wait()
                for thread in threads:
                    thread.join()
                acknowledged += sum(len(player.acknowledged) for player in players) - before
                server = start_server(port, store)
                lost += sum(player.count_lost_moves() for player in players)
                if progress:
                    typer.echo(f"{kill} kills, {acknowledged} moves acknowledged, {lost} lost", err=True)
        finally:
            server.kill()
            server.wait()
    return acknowledged, lost


def server_kills(effort: float) -> Figures:
    """Return the numbers of acknowledged and lost moves over 100 kills."""
    acknowledged, lost = kill_servers(scaled(100, effort), visitors=4, seed=1)
    return {"acknowledged moves": acknowledged, "lost moves": lost}


def main(
    kills: Annotated[int, typer.Option(min=1, help="Number of kills.")] = 100,
    visitors: Annotated[int, typer.Option(min=1, help="Visitors who play at the same time.")] = 4,
    seed: Annotated[int, typer.Option(help="Seed of the kill times.")] = 1,
) -> None:
    """Kill a server repeatedly; the exit code is 1 if a move was lost."""
    acknowledged, lost = kill_servers(kills, visitors, seed, progress=True)
    typer.echo(f"{kills} kills, {acknowledged} moves acknowledged, {lost} lost")
    raise typer.Exit(lost > 0)


if __name__ == "__main__":
    typer.run(main)
