"""Score of each tree search enhancement against the same search without it.

python benchmarks/ablation.py --output ablation.jsonl            plays the cells missing from the file
python benchmarks/ablation.py --output ablation.jsonl --table    prints the table in docs/search.md

Each cell is a match from the game's opening deck; each opening is played twice with sides swapped. A match at equal
simulations shows whether an enhancement improves the tree; a match at equal time shows whether the improvement is worth
its cost. Both agents run in the same process, so load on the machine slows both equally.
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

from figures import Figures, scaled
from match_runner import PairedMatch
from plyground import game as make_game
from plyground.agents import Limit, agent
from plyground.arena import Score
from plyground.arena.elo import wilson_interval


@dataclass(frozen=True)
class Change:
    """One row of the table: the options with and without an enhancement."""

    name: str
    plus: str
    minus: str = ""
    games: tuple[str, ...] = ("connect4", "checkers")


CONNECT4, CHECKERS = ("connect4",), ("checkers",)
SHORT = "playout_plies=6, cutoff=heuristic"

CHANGES = [
    # Off by default: the enhancement against the default.
    Change("c = 0.25", "c=0.25", games=CONNECT4),
    Change("c = 1", "c=1", games=CONNECT4),
    Change("c = 0.1", "c=0.1", games=CHECKERS),
    Change("c = 0.5", "c=0.5", games=CHECKERS),
    Change("c = 1.4", "c=1.4"),
    Change("`selection=ucb1-tuned`, c = 1", "selection=ucb1-tuned, c=1"),
    Change("`selection=puct`, c = 2", "selection=puct, c=2, edge_weight=0.5", "edge_weight=0.5", CONNECT4),
    Change("`first_play=0.5`", "first_play=0.5"),
    Change("`first_play=1`", "first_play=1"),
    Change("`rave=0.001`", "rave=0.001"),
    Change("`rave=0.001, grave=50`", "rave=0.001, grave=50"),
    Change("`bias=1`", "bias=1, edge_weight=0.5", "edge_weight=0.5", CONNECT4),
    Change("`widening=1`", "widening=1"),
    Change("`minimax=0.4`", "minimax=0.4"),
    Change("`transpositions`", "transpositions=true"),
    Change("`root=gumbel`", "root=gumbel"),
    Change("`guide=0.7`", "guide=0.7", games=CONNECT4),
    Change("`capture_weight=2`", "capture_weight=2", "leaf=playout", ("chess",)),
    Change("`edge_weight=0.5`", "edge_weight=0.5", games=CONNECT4),
    Change("`playout_plies=20`, estimated", "playout_plies=20, cutoff=heuristic", games=CONNECT4),
    Change("`deepening=2`, `playout_plies=6`, estimated", f"deepening=2, {SHORT}", SHORT, CHECKERS),
    Change("`choice=value`", "choice=value"),
    Change("`choice=lower-bound`", "choice=lower-bound"),
    # On by default in some or all games: the enhancement against the search without it.
    Change("`minimax=0.85` (default in checkers)", "minimax=0.85", "minimax=0"),
    Change("`weights=best` (default in checkers)", "", "weights=none", CHECKERS),
    Change("`leaf=heuristic` (default in checkers)", "leaf=heuristic", "leaf=playout"),
    Change("`playout_plies=6`, estimated", SHORT, "playout_plies=1000000, cutoff=draw"),
    Change("`solver` (default)", "", "solver=false"),
    Change("`decisive` (default)", "", "decisive=false", CONNECT4),
    Change("`playout_decisive` (default)", "", "playout_decisive=false", CONNECT4),
]
"""The rows of the table."""

LIMITS = {
    "connect4": {"simulations": Limit(simulations=1000), "time": Limit(seconds=0.005)},
    "checkers": {"simulations": Limit(simulations=200), "time": Limit(seconds=0.003)},
    "chess": {"simulations": Limit(simulations=200), "time": Limit(seconds=0.02)},
}
"""Limits per move."""

TITLES = {"connect4": "Connect Four", "checkers": "checkers", "chess": "chess"}


@dataclass(frozen=True)
class Cell:
    """One cell of the table: a match."""

    game: str
    plus: str
    minus: str
    simulations: int | None
    seconds: float | None
    games: int
    seed: int

    def play(self) -> dict[str, Any]:
        """Play the match and return its row for the file."""
        started = time.perf_counter()
        limit = Limit(self.simulations, self.seconds)
        match = PairedMatch(make_game(self.game), agent(spec(self.plus)), agent(spec(self.minus)), limit, self.seed)
        score = Score()
        for score in match.play(self.games):  # noqa: B007
            pass
        result = {"wins": score.wins, "draws": score.draws, "losses": score.losses}
        return {**asdict(self), **result, "took": round(time.perf_counter() - started, 1)}


def spec(options: str) -> str:
    """Return the spec of a tree search with these options."""
    return f"mcts({options})" if options else "mcts"


def cells(games: Sequence[str], count: int, seed: int) -> list[Cell]:
    """Return the cells of the table, those at equal simulations first."""
    return [
        Cell(name, change.plus, change.minus, limit.simulations, limit.seconds, count, seed)
        for kind in ("simulations", "time")
        for name in games
        for change in CHANGES
        if name in change.games
        for limit in [LIMITS[name][kind]]
    ]


def read_results(path: Path) -> dict[Cell, Score]:
    """Return the results in a file; incomplete lines are ignored."""
    results = {}
    for text in path.read_text().splitlines() if path.exists() else []:
        try:
            row = json.loads(text)
        except json.JSONDecodeError:
            continue
        cell = Cell(*(row[name] for name in Cell.__dataclass_fields__))
        results[cell] = Score(row["wins"], row["draws"], row["losses"])
    return results


def table(games: Sequence[str], count: int, seed: int, results: dict[Cell, Score]) -> Iterable[str]:
    """Yield the lines of a Markdown table of scores in percent; a score is bold if its interval excludes 50."""
    columns = [(name, kind) for name in games for kind in ("simulations", "time")]
    yield (
        "| change | "
        + " | ".join(f"{TITLES[name]}, {format_limit(LIMITS[name][kind])}" for name, kind in columns)
        + " |"
    )
    yield "|---" * (len(columns) + 1) + "|"
    for change in CHANGES:
        scores = []
        for name, kind in columns:
            limit = LIMITS[name][kind]
            cell = Cell(name, change.plus, change.minus, limit.simulations, limit.seconds, count, seed)
            scores.append(format_percent(results[cell]) if cell in results else "")
        if any(scores):
            yield f"| {change.name} | " + " | ".join(scores) + " |"


def format_limit(limit: Limit) -> str:
    """Return a limit as text."""
    return f"{limit.simulations:,} simulations" if limit.simulations else f"{1000 * (limit.seconds or 0):g} ms"


def format_percent(score: Score) -> str:
    """Return a score with its interval in percent."""
    low, high = wilson_interval(score.share, score.games)
    text = f"{100 * score.share:.0f}"
    return f"{text if low <= 0.5 <= high else f'**{text}**'} ({100 * low:.0f}\N{EN DASH}{100 * high:.0f})"


def enhancements(effort: float) -> Figures:
    """Return the score of each enhancement in percent, over 200 games per cell."""
    figures: Figures = {}
    for cell in cells(["connect4", "checkers"], scaled(200, effort, minimum=2), seed=1):
        limit = format_limit(Limit(cell.simulations, cell.seconds))
        result = cell.play()
        score = Score(result["wins"], result["draws"], result["losses"])
        figures[f"{cell.game}, {limit}: {spec(cell.plus)} v {spec(cell.minus)}"] = 100 * score.share
    return figures


def main(
    games: Annotated[list[str] | None, typer.Argument(metavar="GAME...", help="connect4, checkers, chess.")] = None,
    output: Annotated[Path, typer.Option(metavar="FILE", help="File that results are appended to.")] = Path(
        "ablation.jsonl"
    ),
    count: Annotated[int, typer.Option("--games", min=2, help="Games per cell.")] = 200,
    seed: Annotated[int, typer.Option(help="Seed of the matches.")] = 1,
    processes: Annotated[int, typer.Option(min=1, help="Number of cells played in parallel.")] = 1,
    as_table: Annotated[bool, typer.Option("--table", help="Print the table without playing.")] = False,
) -> None:
    """Play missing cells, or print the table."""
    chosen = games or ["connect4", "checkers"]
    if unknown := sorted(set(chosen) - set(LIMITS)):
        raise typer.BadParameter(f"unknown game {unknown[0]!r}; available games: {', '.join(LIMITS)}")
    results = read_results(output)
    if as_table:
        typer.echo("\n".join(table(chosen, count, seed, results)))
        return
    missing = [cell for cell in cells(chosen, count, seed) if cell not in results]
    with (
        multiprocessing.get_context("spawn").Pool(processes) as pool,
        Progress(console=Console(stderr=True)) as progress,
        output.open("a", encoding="utf-8") as file,
    ):
        rows = pool.imap_unordered(Cell.play, missing)
        for row in progress.track(rows, total=len(missing), description="Playing"):
            file.write(json.dumps(row) + "\n")
            file.flush()


if __name__ == "__main__":
    typer.run(main)
