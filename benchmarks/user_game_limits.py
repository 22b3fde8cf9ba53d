"""Time and memory used by limited searches of a user game in plain Python: five in a row on a 15 x 15 board.

python benchmarks/user_game_limits.py
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx

import plyground
import plyground.examples.five_in_a_row
from figures import Figures, scaled
from local_server import free_port, start_server
from plyground.agents import Limit, agent
from search_resources import resident_mebibytes

GAME = "five-in-a-row"
MEBIBYTES = 64
SECONDS = 1.0
AGENTS = [f"mcts(mebibytes={MEBIBYTES})", f"mcts(mebibytes={MEBIBYTES}, threads=2)", "flat", "plain-mcts"]
SERVER_AGENT = f"mcts(mebibytes={MEBIBYTES}, seconds={SECONDS:g})"
LONG_SECONDS = 20.0


def user_game_limits(effort: float) -> Figures:
    """Return the seconds taken by the first search with a limit of 1 s, and the memory growth of the process in MiB.

    Each figure is the maximum over several trials in new processes: searches in Python, and replies from a server.
    Growth is also measured in a longer search, which fills its memory.
    """
    figures: Figures = {}
    trials = scaled(3, effort)
    for spec in AGENTS:
        results = [_in_new_process(spec, SECONDS) for _ in range(trials)]
        figures[f"{spec}, time"] = max(seconds for seconds, _ in results)
        figures[f"{spec}, growth"] = max(growth for _, growth in results)
    figures[f"{AGENTS[0]}, growth in a long search"] = _in_new_process(AGENTS[0], LONG_SECONDS * min(1, effort))[1]
    for player in (SERVER_AGENT, "Medium"):
        replies = [_reply(player) for _ in range(trials)]
        if player == SERVER_AGENT:
            figures["server, time"] = max(seconds for seconds, _ in replies)
        figures[f"server, growth, {player}"] = max(growth for _, growth in replies)
    return figures


def _in_new_process(spec: str, seconds: float) -> tuple[float, float]:
    """Return the seconds taken by the first search in a new process, and its memory growth in MiB."""
    command = [sys.executable, __file__, spec, str(seconds)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    duration, growth = result.stdout.split()
    return float(duration), float(growth)


def _search(spec: str, seconds: float) -> tuple[float, float]:
    """Search the start position and return the seconds taken and this process's maximum memory growth in MiB."""
    start, player = plyground.game(GAME).start(), agent(spec)
    before, sizes = resident_mebibytes(), []
    started = time.perf_counter()
    player.analyse(start, Limit(seconds=seconds), seed=1, report=lambda _: sizes.append(resident_mebibytes()))
    duration = time.perf_counter() - started
    return duration, max([*sizes, resident_mebibytes()]) - before


def _reply(player: str) -> tuple[float, float]:
    """Return the seconds taken by an agent's first reply on a new server, and the server's memory growth in MiB."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        rules = str(plyground.examples.five_in_a_row.__file__)
        server = start_server(port, Path(folder) / "store.sqlite", "--games", rules)
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as http:
                game = http.post("/api/games", json={"game": GAME, "player": player}).raise_for_status().json()
                http.get(f"/api/games/{game['id']}").raise_for_status()
                before = resident_mebibytes(server.pid)
                started = time.perf_counter()
                move = {"move": "h8", "ply": 0, "wait": 60}
                reply = http.post(f"/api/games/{game['id']}/moves", json=move).raise_for_status().json()
                duration = time.perf_counter() - started
                if reply["position"]["ply"] != 2:
                    raise RuntimeError(f"the agent did not reply: {reply}")
                return duration, resident_mebibytes(server.pid) - before
        finally:
            server.terminate()
            server.wait(20)


if __name__ == "__main__":
    if len(sys.argv) == 3:
        sys.stdout.write("{} {}\n".format(*_search(sys.argv[1], float(sys.argv[2]))))
    else:
        for figure, value in user_game_limits(1.0).items():
            sys.stdout.write(f"{figure}: {value:.3f}\n")
