"""Each level against the one below: the table of docs/levels.md.

python benchmarks/levels.py connect4 checkers --to levels.jsonl            plays what the file does not have yet
python benchmarks/levels.py connect4 checkers --to levels.jsonl --table    prints the table

Levels that think for a second a move can be given a part of it (--part 0.1): what they score then is less than what
they are worth, and the table says so.
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

from contest import Contest, in_words
from plyground import game as make_game
from plyground.agents import Limit
from plyground.arena import Score
from plyground.levels import Level, LevelAgent, level, levels

TITLES = {"connect4": "Connect Four", "checkers": "checkers", "chess": "chess", "tictactoe": "tic-tac-toe"}


@dataclass(frozen=True)
class Pair:
    """A level and the one below it."""

    game: str
    higher: str
    lower: str
    games: int
    seed: int
    part: float
    """The part of its time that a level with a limit of time has."""


def pairs(games: Sequence[str], count: int, seed: int, part: float) -> list[Pair]:
    """Every level of these games but the lowest."""
    found = []
    for name in games:
        for lower, higher in pairwise(levels(name)):
            timed = part if higher.limit.seconds or lower.limit.seconds else 1.0
            found.append(Pair(name, higher.name, lower.name, count, seed, timed))
    return found


def read(path: Path) -> dict[Pair, Score]:
    """The pairs that a file has; a line that was cut off by a crash is left out."""
    found = {}
    for text in path.read_text().splitlines() if path.exists() else []:
        try:
            row = json.loads(text)
        except json.JSONDecodeError:
            continue
        found[Pair(*(row[name] for name in Pair.__dataclass_fields__))] = Score(
            row["wins"], row["draws"], row["losses"]
        )
    return found


def player(game: str, name: str, part: float) -> LevelAgent:
    """A level with a part of its time."""
    full = level(game, name)
    limit = full.limit
    seconds = None if limit.seconds is None else limit.seconds * part
    shortened = Limit(limit.simulations, seconds, limit.depth, limit.mebibytes)
    return LevelAgent(Level(full.name, full.spec, shortened, full.temperature, full.games))


def play(pair: Pair) -> Score:
    """The score of the higher level."""
    a, b = (player(pair.game, name, pair.part) for name in (pair.higher, pair.lower))
    contest = Contest(make_game(pair.game), a, b, Limit(), pair.seed)
    title = f"{pair.game}: {pair.higher} v {pair.lower}"
    score = Score()
    for score in track(contest.play(pair.games), title, pair.games, console=Console(stderr=True), transient=True):  # noqa: B007
        pass
    return score


def table(planned: Sequence[Pair], known: dict[Pair, Score]) -> Iterable[str]:
    """The lines of the Markdown table, a row a game."""
    headings = list(dict.fromkeys(heading(pair) for pair in planned))
    yield "| game | " + " | ".join(headings) + " |"
    yield "|---" * (len(headings) + 1) + "|"
    for name in dict.fromkeys(pair.game for pair in planned):
        shown = {heading(pair): in_words(known[pair]) for pair in planned if pair.game == name and pair in known}
        yield f"| {TITLES.get(name, name)} | " + " | ".join(shown.get(one, "") for one in headings) + " |"


def heading(pair: Pair) -> str:
    """What a column is called."""
    return f"{pair.higher} v {pair.lower}" + (f", {pair.part:g} of its time" if pair.part != 1 else "")


def main(
    games: Annotated[list[str] | None, typer.Argument(metavar="GAME...", help="Those to play; all by default.")] = None,
    to: Annotated[Path, typer.Option(metavar="FILE", help="Where rows are appended.")] = Path("levels.jsonl"),
    count: Annotated[int, typer.Option("--games", min=2, help="Games of a pair.")] = 200,
    only: Annotated[str | None, typer.Option(metavar="LEVEL", help="Only this level against the one below.")] = None,
    part: Annotated[float, typer.Option(min=0.001, max=1, help="Part of their time that timed levels have.")] = 1.0,
    seed: Annotated[int, typer.Option(help="Where all chance comes from.")] = 1,
    as_table: Annotated[bool, typer.Option("--table", help="Print the table and play nothing.")] = False,
) -> None:
    """Play what is missing, or print the table."""
    chosen = games or list(TITLES)
    if unknown := sorted(set(chosen) - set(TITLES)):
        raise typer.BadParameter(f"{unknown[0]} is not measured; accepted are {', '.join(TITLES)}")
    planned = [pair for pair in pairs(chosen, count, seed, part) if only is None or pair.higher.lower() == only.lower()]
    known = read(to)
    if as_table:
        typer.echo("\n".join(table(planned, known)))
        return
    for pair in planned:
        if pair not in known:
            score = play(pair)
            row = {**asdict(pair), "wins": score.wins, "draws": score.draws, "losses": score.losses}
            with to.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
            typer.echo(f"{pair.game}, {heading(pair)}: {in_words(score)}")


if __name__ == "__main__":
    typer.run(main)
