"""Tables of tournaments: while they run, and at the end."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console, Group
from rich.table import Table

from plyground.arena import Executor
from plyground.arena.standings import Standings
from plyground.cli.progress import make_bar

if TYPE_CHECKING:
    from plyground.arena.tournament import Tournament

REFRESH = 2.0
"""Seconds between two tables while a tournament runs, at least."""
SHARE = 20
"""Of this many parts of the time, one at most is spent on tables."""


def live(tournament: Tournament, on: Executor) -> None:
    """Play what is left; where standard error is a terminal, with a bar and the table so far."""
    if not sys.stderr.isatty():
        for _ in tournament.play(on):
            pass
        return
    from rich.live import Live

    progress = make_bar()
    bar = progress.add_task(tournament.name, total=tournament.jobs, completed=tournament.jobs - len(tournament.left()))
    due = time.monotonic() + REFRESH
    with Live(progress, console=Console(stderr=True), transient=True, refresh_per_second=4) as screen:
        for _ in tournament.play(on):
            progress.advance(bar)
            if (began := time.monotonic()) > due:
                screen.update(Group(standings_table(tournament.standings(), ""), progress))
                due = time.monotonic() + max(REFRESH, SHARE * (time.monotonic() - began))


def print_tables(tournament: Tournament, table: Standings, games: int, seconds: float | None) -> None:
    """The table, the cross-table and a line about the rest."""
    console = Console()
    title = (
        f"{tournament.name}: {tournament.game}, {games} of {tournament.jobs} games, seed {tournament.settings['seed']}"
    )
    console.print(standings_table(table, title))
    if games:
        console.print(cross_table(table))
    rate, low, high = table.first_move
    told = f"First move worth {rate:+.0f} ({low:+.0f} to {high:+.0f}), draws {table.draw_rate:.1%}"
    console.print(told + ("" if seconds is None else f", played in {seconds:.1f} s"), highlight=False)
    if table.prior:
        console.print(
            "Somebody won or lost everything: ratings are drawn to the middle, intervals are rough.", highlight=False
        )


def standings_table(table: Standings, title: str) -> Table:
    """Agents, the best first."""
    made = Table(
        title=title, title_justify="left", title_style="", box=box.SIMPLE, pad_edge=False, collapse_padding=True
    )
    made.add_column("#", justify="right")
    made.add_column("Agent", overflow="fold", min_width=8)
    for heading in ("Rating", "95 %", "LOS", "Elo", "Score", "+ = -", "Plies", "s/game"):
        made.add_column(heading, justify="right", no_wrap=True)
    for place, one in enumerate(table.agents, start=1):
        made.add_row(
            str(place),
            one.name,
            f"{one.rating:.0f}",
            f"{one.low:.0f}..{one.high:.0f}",
            "" if one.superiority is None else f"{one.superiority:.1%}",
            f"{one.elo:.0f}",
            f"{one.score:.3f}",
            won(one.wins, one.draws, one.losses),
            f"{one.plies:.0f}",
            f"{one.seconds:.2f}",
        )
    return made


def won(wins: int, draws: int, losses: int) -> str:
    """Games won, drawn and lost as tables print them.

    >>> won(5, 4, 1)
    '+5=4-1'
    """
    return f"+{wins}={draws}-{losses}"


def cross_table(table: Standings) -> Table:
    """What each got against each."""
    made = Table(
        title="Against", title_justify="left", title_style="", box=box.SIMPLE, pad_edge=False, collapse_padding=True
    )
    made.add_column("#", justify="right")
    made.add_column("Agent", overflow="fold", min_width=8)
    for place in range(1, len(table.agents) + 1):
        made.add_column(str(place), justify="center", no_wrap=True)
    for place, (one, row) in enumerate(zip(table.agents, table.cross, strict=True), start=1):
        cells = ("·" if count is None else won(*count) for count in row)
        made.add_row(str(place), one.name, *cells)
    return made
