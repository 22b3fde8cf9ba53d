"""Tournament tables, live and final."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import typer
from rich.console import Console, Group, RenderableType

from plyground.arena import Executor
from plyground.arena.standings import Standings
from plyground.cli.progress import make_bar
from plyground.cli.text_table import make_table, number, text

if TYPE_CHECKING:
    from plyground.arena.tournament import Tournament

REFRESH_SECONDS = 2.0
"""Minimum seconds between updates of the live standings."""
MIN_PLAY_RATIO = 20
"""Minimum ratio of playing time to the time spent computing tables."""


def play_live(tournament: Tournament, executor: Executor) -> None:
    """Play the remaining games, with a progress bar and live standings if standard error is a terminal."""
    if not sys.stderr.isatty():
        for _ in tournament.play(executor):
            pass
        return
    from rich.live import Live

    progress = make_bar()
    completed = tournament.games - len(tournament.remaining())
    bar = progress.add_task(tournament.name, total=tournament.games, completed=completed)
    due = time.monotonic() + REFRESH_SECONDS
    console = Console(stderr=True)
    with Live(progress, console=console, transient=True, refresh_per_second=4) as screen:
        for _ in tournament.play(executor):
            progress.advance(bar)
            if (start := time.monotonic()) > due:
                screen.update(Group(standings_table(tournament.standings(), console), progress))
                due = time.monotonic() + max(REFRESH_SECONDS, MIN_PLAY_RATIO * (time.monotonic() - start))


def print_tables(tournament: Tournament, standings: Standings, games: int, seconds: float | None) -> None:
    """Print the standings, the cross-table and a summary line; before the first game, only the players."""
    title = (
        f"{tournament.name}: {tournament.game}, {games} of {tournament.games} games, seed {tournament.settings['seed']}"
    )
    if not games:
        typer.echo(title)
        typer.echo(f"Players: {', '.join(entrant.name for entrant in tournament.entrants)}")
        typer.echo("Standings appear after the first game.")
        return
    console = Console()
    console.print(standings_table(standings, console, title))
    typer.echo()
    console.print(cross_table(standings, console))
    rate, low, high = standings.first_move
    summary = f"First-move advantage {rate:+.0f} Elo ({low:+.0f} to {high:+.0f}), draw rate {standings.draw_rate:.1%}"
    typer.echo(summary + ("" if seconds is None else f", played in {seconds:.1f} s"))
    if standings.prior:
        typer.echo("A player has a perfect or zero score, so ratings use a prior and their intervals are approximate.")


def standings_table(standings: Standings, console: Console, title: str = "") -> RenderableType:
    """Return the standings, best player first."""
    headings = ("Rating", "95% interval", "LOS", "Elo", "Score", "+ = -", "Plies", "s/game")
    rows = [
        (
            str(place),
            player.name,
            f"{player.rating:.0f}",
            f"{player.low:.0f}..{player.high:.0f}",
            "" if player.superiority is None else f"{player.superiority:.1%}",
            f"{player.elo:.0f}",
            f"{player.score:.3f}",
            format_wdl(player.wins, player.draws, player.losses),
            f"{player.plies:.0f}",
            f"{player.seconds:.2f}",
        )
        for place, player in enumerate(standings.agents, start=1)
    ]
    return make_table((number("#"), text("Agent"), *map(number, headings)), rows, console, title)


def format_wdl(wins: int, draws: int, losses: int) -> str:
    """Format wins, draws and losses.

    >>> format_wdl(5, 4, 1)
    '+5=4-1'
    """
    return f"+{wins}={draws}-{losses}"


def cross_table(standings: Standings, console: Console) -> RenderableType:
    """Return the head-to-head results."""
    rows = [
        (str(place), player.name, *("·" if count is None else format_wdl(*count) for count in row))
        for place, (player, row) in enumerate(zip(standings.agents, standings.cross, strict=True), start=1)
    ]
    opponents = (number(str(place)) for place in range(1, len(rows) + 1))
    return make_table((number("#"), text("Agent"), *opponents), rows, console, "Head-to-head results")
