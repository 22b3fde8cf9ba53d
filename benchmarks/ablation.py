"""What each enhancement of the tree search is worth: it against the same search without it.

python benchmarks/ablation.py --to ablation.jsonl            plays every cell that the file does not have yet
python benchmarks/ablation.py --to ablation.jsonl --table    prints the table of docs/search.md

Each cell is a match of so many games from the game's deck of openings, each played twice with sides changed.
At equal simulations it shows what an enhancement adds to the judgement of a tree, at equal time whether
that is worth what it costs. Both sides take turns in one process, so a busy machine slows both alike.
"""

from __future__ import annotations

import json
import multiprocessing
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress

from contest import Contest, wilson
from plyground import game as make_game
from plyground.agents import Limit, agent
from plyground.arena import Score


@dataclass(frozen=True)
class Change:
    """One row of the table: the options with an enhancement, and without it."""

    name: str
    plus: str
    minus: str = ""
    games: tuple[str, ...] = ("connect4", "checkers")


FOUR, CHECKERS = ("connect4",), ("checkers",)

CHANGES = [
    # Off by default: it against the default.
    Change("c = 0.25", "c=0.25", games=FOUR),
    Change("c = 1", "c=1", games=FOUR),
    Change("c = 0.1", "c=0.1", games=CHECKERS),
    Change("c = 0.5", "c=0.5", games=CHECKERS),
    Change("c = 1.4", "c=1.4"),
    Change("`selection=ucb1-tuned`, c = 1", "selection=ucb1-tuned, c=1"),
    Change("`selection=puct`, c = 2", "selection=puct, c=2, edge_weight=0.5", "edge_weight=0.5"),
    Change("`first_play=0.5`", "first_play=0.5"),
    Change("`first_play=1`", "first_play=1"),
    Change("`rave=0.001`", "rave=0.001"),
    Change("`rave=0.001, grave=50`", "rave=0.001, grave=50"),
    Change("`bias=1`", "bias=1, edge_weight=0.5", "edge_weight=0.5"),
    Change("`widening=1`", "widening=1"),
    Change("`minimax=0.4`", "minimax=0.4"),
    Change("`transpositions`", "transpositions=true"),
    Change("`guide=0.7`", "guide=0.7"),
    Change("`capture_weight=2`", "capture_weight=2", games=("chess",)),
    Change("`edge_weight=0.5`", "edge_weight=0.5"),
    Change("`playout_plies=20`, estimated", "playout_plies=20, playout_estimate=true"),
    Change("`leaf=estimate`", "leaf=estimate"),
    Change("`choice=value`", "choice=value"),
    Change("`choice=lower-bound`", "choice=lower-bound"),
    # On by default, or in games that say so: with it against the search without it.
    Change("`minimax=0.85` (default in checkers)", "minimax=0.85", "minimax=0"),
    Change("`weights=best` (default in checkers)", "", "weights=none", CHECKERS),
    Change(
        "`playout_plies=6`, estimated (default in checkers)",
        "playout_plies=6, playout_estimate=true",
        "playout_plies=1000000, playout_estimate=false",
    ),
    Change("`solver` (default)", "", "solver=false"),
    Change("`decisive` (default)", "", "decisive=false", FOUR),
    Change("`playout_decisive` (default)", "", "playout_decisive=false", FOUR),
]
"""THE list of rows: a new option is a new line."""

LIMITS = {
    "connect4": {"simulations": Limit(simulations=1000), "time": Limit(seconds=0.005)},
    "checkers": {"simulations": Limit(simulations=200), "time": Limit(seconds=0.003)},
    "chess": {"simulations": Limit(simulations=200), "time": Limit(seconds=0.02)},
}
"""How long a move is thought about."""

TITLES = {"connect4": "Connect Four", "checkers": "checkers", "chess": "chess"}


@dataclass(frozen=True)
class Cell:
    """A match to be played."""

    game: str
    plus: str
    minus: str
    simulations: int | None
    seconds: float | None
    games: int
    seed: int

    def play(self) -> dict[str, Any]:
        """The row of the file: the cell and its result."""
        began = time.perf_counter()
        limit = Limit(self.simulations, self.seconds)
        contest = Contest(make_game(self.game), agent(spec(self.plus)), agent(spec(self.minus)), limit, self.seed)
        score = Score()
        for score in contest.play(self.games):  # noqa: B007
            pass
        result = {"wins": score.wins, "draws": score.draws, "losses": score.losses}
        return {**asdict(self), **result, "took": round(time.perf_counter() - began, 1)}


def spec(options: str) -> str:
    """The tree search with some options."""
    return f"mcts({options})" if options else "mcts"


def cells(games: Sequence[str], count: int, seed: int) -> list[Cell]:
    """Every cell of the table, those of equal simulations first."""
    return [
        Cell(name, change.plus, change.minus, limit.simulations, limit.seconds, count, seed)
        for kind in ("simulations", "time")
        for name in games
        for change in CHANGES
        if name in change.games
        for limit in [LIMITS[name][kind]]
    ]


def read(path: Path) -> dict[Cell, Score]:
    """The cells that a file has; a line that was cut off by a crash is left out."""
    found = {}
    for text in path.read_text().splitlines() if path.exists() else []:
        try:
            row = json.loads(text)
        except json.JSONDecodeError:
            continue
        cell = Cell(*(row[name] for name in Cell.__dataclass_fields__))
        found[cell] = Score(row["wins"], row["draws"], row["losses"])
    return found


def table(games: Sequence[str], count: int, seed: int, known: dict[Cell, Score]) -> Iterable[str]:
    """The lines of the Markdown table: scores in percent with their intervals; bold where they do not hold 50."""
    columns = [(name, kind) for name in games for kind in ("simulations", "time")]
    yield "| change | " + " | ".join(f"{TITLES[name]}, {in_words(LIMITS[name][kind])}" for name, kind in columns) + " |"
    yield "|---" * (len(columns) + 1) + "|"
    for change in CHANGES:
        shown = []
        for name, kind in columns:
            limit = LIMITS[name][kind]
            cell = Cell(name, change.plus, change.minus, limit.simulations, limit.seconds, count, seed)
            shown.append(percent(known[cell]) if cell in known else "")
        if any(shown):
            yield f"| {change.name} | " + " | ".join(shown) + " |"


def in_words(limit: Limit) -> str:
    """A limit as a heading."""
    return f"{limit.simulations:,} simulations" if limit.simulations else f"{1000 * (limit.seconds or 0):g} ms"


def percent(score: Score) -> str:
    """A score with its interval."""
    low, high = wilson(score.share, score.games)
    text = f"{100 * score.share:.0f}"
    return f"{text if low <= 0.5 <= high else f'**{text}**'} ({100 * low:.0f}\N{EN DASH}{100 * high:.0f})"


def main(
    games: Annotated[list[str] | None, typer.Argument(metavar="GAME...", help="connect4, checkers, chess.")] = None,
    to: Annotated[Path, typer.Option(metavar="FILE", help="Where rows are appended.")] = Path("ablation.jsonl"),
    count: Annotated[int, typer.Option("--games", min=2, help="Games of a cell.")] = 200,
    seed: Annotated[int, typer.Option(help="Where all chance comes from.")] = 1,
    processes: Annotated[int, typer.Option(min=1, help="Cells played at a time.")] = 1,
    as_table: Annotated[bool, typer.Option("--table", help="Print the table and play nothing.")] = False,
) -> None:
    """Play what is missing, or print the table."""
    chosen = games or ["connect4", "checkers"]
    if unknown := sorted(set(chosen) - set(LIMITS)):
        raise typer.BadParameter(f"{unknown[0]} is not measured; accepted are {', '.join(LIMITS)}")
    known = read(to)
    if as_table:
        typer.echo("\n".join(table(chosen, count, seed, known)))
        return
    missing = [cell for cell in cells(chosen, count, seed) if cell not in known]
    with (
        multiprocessing.get_context("spawn").Pool(processes) as pool,
        Progress(console=Console(stderr=True)) as progress,
        to.open("a", encoding="utf-8") as file,
    ):
        rows = pool.imap_unordered(Cell.play, missing)
        for row in progress.track(rows, total=len(missing), description="Playing"):
            file.write(json.dumps(row) + "\n")
            file.flush()


if __name__ == "__main__":
    typer.run(main)
