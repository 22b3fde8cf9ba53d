"""Matches between two builds, each in its own worker process; the driver applies the rules."""

from __future__ import annotations

import json
import queue
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from build_process import Build, Worker
from plyground import Position, split_seed
from plyground import game as make_game
from plyground.agents import Agent, Analysis, Budget, MoveAnalysis
from plyground.arena import Score, play_game
from plyground.arena.adjudication import adjudicator
from plyground.arena.elo import difference, expected_score
from plyground.arena.openings import openings, shuffled

MAX_PLIES = 400
"""Default number of plies after which games are drawn; decisive games are much shorter."""


@dataclass(frozen=True)
class Plan:
    """A match; equal plans consist of the same games."""

    game: str
    old: str
    new: str
    old_agent: str
    new_agent: str
    limit: dict[str, float]
    """Fields of the `plyground.agents.Limit` that applies to every move of both agents."""
    openings: str
    seed: int
    adjudication: str
    max_plies: int

    def starts(self) -> list[Position]:
        """Return the positions after each opening, in the order in which they are played."""
        game = make_game(self.game)
        return [game.position(moves=moves) for moves in shuffled(openings(game, self.openings), self.seed)]


class RemoteAgent(Agent):
    """An agent in a worker process, created anew for each game so that it keeps no state from earlier games."""

    name = "remote"
    description = "an agent in a worker process"

    def __init__(self, worker: Worker, spec: str, limit: dict[str, float]) -> None:
        super().__init__()
        self._worker, self._limit = worker, limit
        self.seconds = 0.0
        """Total wall-clock time of its moves, as measured by the worker."""
        self.moves = 0
        self.spec: str = worker.ask("new_game", spec=spec)["spec"]

    def _analyse(self, position: Position, budget: Budget, seed: int) -> Analysis:  # noqa: ARG002
        """Return an analysis with only the chosen move. The match determines the limit."""
        moves = list(position.history)
        answer = self._worker.ask("choose_move", game=position.game.spec, moves=moves, limit=self._limit, seed=seed)
        self.seconds += answer["seconds"]
        self.moves += 1
        return Analysis(position, (MoveAnalysis(answer["move"], share=1.0),))


def play(plan: Plan, index: int, start: Position, old: Worker, new: Worker) -> dict[str, Any]:
    """Play one game and return its row for the file; the new build takes the first side in even-numbered games."""
    agents = {"new": RemoteAgent(new, plan.new_agent, plan.limit), "old": RemoteAgent(old, plan.old_agent, plan.limit)}
    order = ("new", "old") if index % 2 == 0 else ("old", "new")
    names = dict(zip(start.game.sides, order, strict=True))
    record = play_game(
        start,
        {side: agents[name] for side, name in names.items()},
        seed=split_seed(plan.seed, index),
        max_plies=plan.max_plies,
        adjudicate=adjudicator(plan.adjudication),
    )
    winner = None if record.outcome is None else record.outcome.winner
    return {
        "index": index,
        "points": 0.5 if winner is None else float(names[winner] == "new"),
        "reason": None if record.outcome is None else record.outcome.reason,
        "plies": len(record.moves),
        **{f"{name}_ms_per_move": round(1000 * one.seconds / max(one.moves, 1), 2) for name, one in agents.items()},
    }


def run(plan: Plan, builds: tuple[Build, Build], games: int, processes: int, output: Path) -> dict[int, dict[str, Any]]:
    """Play the games missing from the file in parallel, and return all rows by index.

    Each of the `processes` threads has one worker per build, of which only one searches at a time.
    """
    rows = {index: row for index, row in read_rows(output, plan).items() if index < games}
    starts, missing = plan.starts(), queue.SimpleQueue[int]()
    for index in range(games):
        if index not in rows:
            missing.put(index)
    lock = threading.Lock()

    def play_games() -> None:
        with Worker(builds[0]) as old, Worker(builds[1]) as new:
            while True:
                try:
                    index = missing.get_nowait()
                except queue.Empty:
                    return
                row = play(plan, index, starts[index // 2 % len(starts)], old, new)
                with lock:
                    with output.open("a", encoding="utf-8") as file:
                        file.write(json.dumps({**asdict(plan), **row}) + "\n")
                    rows[index] = row
                    print(f"{len(rows)}/{games} games, {format_score(rows)}", file=sys.stderr, flush=True)

    with ThreadPoolExecutor(processes) as pool:
        players = [pool.submit(play_games) for _ in range(min(processes, missing.qsize()))]
        try:
            for one in players:
                one.result()
        finally:  # after an error or Ctrl-C, start no more games
            while not missing.empty():
                with suppress(queue.Empty):
                    missing.get_nowait()
    return rows


def read_rows(path: Path, plan: Plan) -> dict[int, dict[str, Any]]:
    """Return the finished games of the same plan by index; an incomplete last line is ignored."""
    wanted, rows = asdict(plan), {}
    for text in path.read_text("utf-8").splitlines() if path.exists() else []:
        try:
            row = json.loads(text)
        except json.JSONDecodeError:
            continue
        if all(row.get(name) == value for name, value in wanted.items()):
            rows[int(row["index"])] = row
    return rows


def format_score(rows: dict[int, dict[str, Any]]) -> str:
    """Return the new build's wins, draws, losses and score: ``120-20-60, 65%``."""
    points = [row["points"] for row in rows.values()]
    score = Score(points.count(1), points.count(0.5), points.count(0))
    return f"{score.wins}-{score.draws}-{score.losses}, {100 * score.share:.0f}%"


def summary(rows: dict[int, dict[str, Any]]) -> Iterator[str]:
    """Yield the lines of the result, from the new build's point of view."""
    elo = difference([rows[index]["points"] for index in sorted(rows)])
    bounds = " to ".join("unbounded" if end is None else f"{end:+.0f}" for end in (elo.low, elo.high))
    low = 0.0 if elo.low is None else expected_score(elo.low, 0)
    high = 1.0 if elo.high is None else expected_score(elo.high, 0)
    yield f"new against old: {format_score(rows)} ({100 * low:.0f}\N{EN DASH}{100 * high:.0f})"
    yield f"Elo difference: {'unbounded' if elo.elo is None else f'{elo.elo:+.0f}'} (95% interval {bounds})"
    for name in ("old", "new"):
        mean = sum(row[f"{name}_ms_per_move"] for row in rows.values()) / max(len(rows), 1)
        yield f"{name}: {mean:.1f} ms per move"
