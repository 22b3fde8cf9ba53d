"""Kill a server again and again while visitors play, and look whether a move it acknowledged is ever missing."""

from __future__ import annotations

import argparse
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import httpx


class Player:
    """A visitor who plays as fast as the server answers."""

    def __init__(self, address: str) -> None:
        self.http = httpx.Client(base_url=address, timeout=20)
        self.game: Any = None
        self.acknowledged: list[str] = []

    def begin(self) -> None:
        """A new game where there is none that goes on."""
        if self.game is None or self.game["position"]["outcome"]:
            self.game = self.http.post("/api/games", json={"game": "checkers", "player": "Medium"}).json()
            self.acknowledged = []

    def play(self) -> None:
        """Play until the server is gone."""
        try:
            while not self.game["position"]["outcome"]:
                move, ply = self.game["position"]["moves"][0]["text"], self.game["position"]["ply"]
                answer = self.http.post(
                    f"/api/games/{self.game['id']}/moves", json={"move": move, "ply": ply, "wait": 5}
                )
                if answer.status_code != 200:
                    return
                self.game = answer.json()
                self.acknowledged = [one["text"] for one in self.game["moves"]]
        except httpx.HTTPError:
            return

    def lost(self) -> int:
        """How many acknowledged moves the server no longer has; the game goes on from what it has."""
        cookies = self.http.cookies
        address = self.http.base_url
        self.http.close()
        self.http = httpx.Client(base_url=address, timeout=20, cookies=cookies)
        while True:
            self.game = self.http.get(f"/api/games/{self.game['id']}").json()
            if not self.game["thinking"]:
                break
            time.sleep(0.02)
        found = [one["text"] for one in self.game["moves"]]
        kept = found[: len(self.acknowledged)] == self.acknowledged
        return 0 if kept else len(self.acknowledged)


def start(port: int, store: str) -> subprocess.Popen[bytes]:
    """A server that answers."""
    program = [str(Path(sys.executable).with_name("plyground")), "serve", "--no-browser", "--port", str(port)]
    server = subprocess.Popen([*program, "--store", store], stdout=subprocess.PIPE)  # noqa: S603
    assert server.stdout is not None  # noqa: S101
    server.stdout.readline()
    return server


def main() -> None:
    """Kill, look, and say what was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--visitors", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    told = parser.parse_args()
    rng = random.Random(told.seed)  # noqa: S311
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        store = f"{folder}/store.sqlite"
        server = start(port, store)
        players = [Player(f"http://127.0.0.1:{port}") for _ in range(told.visitors)]
        lost = moves = 0
        for kill in range(1, told.kills + 1):
            for player in players:
                player.begin()
            before = sum(len(player.acknowledged) for player in players)
            threads = [threading.Thread(target=player.play) for player in players]
            for thread in threads:
                thread.start()
            time.sleep(rng.uniform(0.01, 0.4))
            os.kill(server.pid, signal.SIGKILL)
            server.wait()
            for thread in threads:
                thread.join()
            moves += sum(len(player.acknowledged) for player in players) - before
            server = start(port, store)
            lost += sum(player.lost() for player in players)
            sys.stdout.write(f"\r{kill} kills, {moves} moves acknowledged, {lost} lost")
            sys.stdout.flush()
        server.kill()
        server.wait()
    sys.stdout.write("\n")
    sys.exit(lost > 0)


if __name__ == "__main__":
    main()
