"""Score of each level against the one below: the table in docs/levels.md.

python benchmarks/levels.py connect4 checkers --output levels.jsonl            plays the pairings missing from the file
python benchmarks/levels.py connect4 checkers --output levels.jsonl --table    prints the table

--time-scale 0.1 cuts time limits to 10%, which weakens the levels; the column headings show the scale.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

from figures import Figures, scaled
from match_runner import PairedMatch, format_score
from plyground import game as make_game
from plyground.agents import Limit
from plyground.arena import Score
from plyground.levels import Level, LevelAgent, level, levels

TITLES = {"connect4": "Connect Four", "checkers": "checkers", "chess": "chess", "tictactoe": "tic-tac-toe"}


@dataclass(frozen=True)
class Pairing:
    """A level and the one below it."""

    game: str
    higher: str
    lower: str
    games: int
    seed: int
    time_scale: float
    """Factor applied to the time limits of both levels."""


def plan_pairings(games: Sequence[str], count: int, seed: int, time_scale: float) -> list[Pairing]:
    """Return one pairing for every level but the lowest of each game."""
    pairings = []
    for name in games:
        for lower, higher in pairwise(levels(name)):
            scale = time_scale if higher.limit.seconds or lower.limit.seconds else 1.0
            pairings.append(Pairing(name, higher.name, lower.name, count, seed, scale))
    return pairings


def read_results(path: Path) -> dict[Pairing, Score]:
    """Return the results in a file; incomplete lines are ignored."""
    results = {}
    for text in path.read_text().splitlines() if path.exists() else []:
        try:
            row = json.loads(text)
        except json.JSONDecodeError:
            continue
        pairing = Pairing(*(row[name] for name in Pairing.__dataclass_fields__))
        results[pairing] = Score(row["wins"], row["draws"], row["losses"])
    return results


def scaled_level(game: str, name: str, time_scale: float) -> LevelAgent:
    """Return the agent of a level with a scaled time limit."""
    full = level(game, name)
    limit = full.limit
    seconds = None if limit.seconds is None else limit.seconds * time_scale
    shortened = Limit(limit.simulations, seconds, limit.depth, limit.mebibytes)
    scaled = Level(full.name, full.spec, shortened, full.temperature, full.games)
    return LevelAgent(full.name, lambda _: scaled)


def play(pairing: Pairing) -> Score:
    """Return the score of the higher level."""
    a, b = (scaled_level(pairing.game, name, pairing.time_scale) for name in (pairing.higher, pairing.lower))
    match = PairedMatch(make_game(pairing.game), a, b, Limit(), pairing.seed)
    title = f"{pairing.game}: {pairing.higher} v {pairing.lower}"
    score = Score()
    for score in track(match.play(pairing.games), title, pairing.games, console=Console(stderr=True), transient=True):  # noqa: B007
        pass
    return score


def table(planned: Sequence[Pairing], results: dict[Pairing, Score]) -> Iterable[str]:
    """Yield the lines of a Markdown table with one row per game."""
    headings = list(dict.fromkeys(heading(pairing) for pairing in planned))
    yield "| game | " + " | ".join(headings) + " |"
    yield "|---" * (len(headings) + 1) + "|"
    for name in dict.fromkeys(pairing.game for pairing in planned):
        cells = {
            heading(pairing): format_score(results[pairing])
            for pairing in planned
            if pairing.game == name and pairing in results
        }
        yield f"| {TITLES.get(name, name)} | " + " | ".join(cells.get(one, "") for one in headings) + " |"


def heading(pairing: Pairing) -> str:
    """Return the heading of a pairing's column."""
    scale = f", {pairing.time_scale:.0%} time" if pairing.time_scale != 1 else ""
    return f"{pairing.higher} v {pairing.lower}{scale}"


def level_scores(effort: float) -> Figures:
    """Return each level's score against the one below, in percent, over 200 games at 10% of the time limits."""
    pairings = plan_pairings(list(TITLES), scaled(200, effort, minimum=2), seed=1, time_scale=0.1)
    return {f"{pairing.game}, {heading(pairing)}": 100 * play(pairing).share for pairing in pairings}


def main(
    games: Annotated[list[str] | None, typer.Argument(metavar="GAME...", help="Games to play; default: all.")] = None,
    output: Annotated[Path, typer.Option(metavar="FILE", help="File that results are appended to.")] = Path(
        "levels.jsonl"
    ),
    count: Annotated[int, typer.Option("--games", min=2, help="Games per pairing.")] = 200,
    only: Annotated[
        str | None, typer.Option(metavar="LEVEL", help="Only play this level against the next lower one.")
    ] = None,
    time_scale: Annotated[float, typer.Option(min=0.001, max=1, help="Factor applied to time limits.")] = 1.0,
    seed: Annotated[int, typer.Option(help="Seed of the match.")] = 1,
    as_table: Annotated[bool, typer.Option("--table", help="Print the table without playing.")] = False,
) -> None:
    """Play missing pairings, or print the table."""
    chosen = games or list(TITLES)
    if unknown := sorted(set(chosen) - set(TITLES)):
        raise typer.BadParameter(f"unknown game {unknown[0]!r}; available games: {', '.join(TITLES)}")
    planned = [
        pairing
        for pairing in plan_pairings(chosen, count, seed, time_scale)
        if only is None or pairing.higher.lower() == only.lower()
    ]
    results = read_results(output)
    if as_table:
        typer.echo("\n".join(table(planned, results)))
        return
    for pairing in planned:
        if pairing not in results:
            score = play(pairing)
            row = {**asdict(pairing), "wins": score.wins, "draws": score.draws, "losses": score.losses}
            with output.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
            typer.echo(f"{pairing.game}, {heading(pairing)}: {format_score(score)}")


if __name__ == "__main__":
    typer.run(main)
