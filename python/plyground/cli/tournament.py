"""`plyground tournament`."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plyground import ParseError
from plyground import game as make_game
from plyground.agents import Limit
from plyground.arena import LONGEST, Executor, Rules, entrants, executor, roster
from plyground.cli.arena_options import (
    AdjudicationOption,
    ClockOption,
    ExecutorOption,
    OpeningsOption,
    ProcessesOption,
)
from plyground.cli.game_file import preparation
from plyground.cli.options import JsonOption, SeedOption, StoreOption

if TYPE_CHECKING:
    from plyground.arena.tournament import Tournament

app = typer.Typer(no_args_is_help=True, help="Tournaments: run, resume, show, list, delete.")

NameArgument = Annotated[str | None, typer.Argument(metavar="NAME", help="Which; without a name, the latest.")]


@app.command("run")
def run_tournament(
    context: typer.Context,
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="What is played; a roster may say it.")] = None,
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PLAYER", help="Levels, specs of agents, or NAME=SPEC; two or more, or --roster instead."
        ),
    ] = None,
    roster_name: Annotated[
        str | None, typer.Option("--roster", metavar="ROSTER", help="samuel, or levels for those of the game.")
    ] = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="What it is called in the store.", show_default="roster or game")
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, max=100_000, help="Games of each two.", show_default="20, or the roster's"),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Fewer games of each two: 4, or what the roster says.")
    ] = False,
    gauntlet: Annotated[
        bool, typer.Option("--gauntlet", help="The first player against each other one, instead of all against all.")
    ] = False,
    openings: OpeningsOption = None,
    seed: SeedOption = 0,
    simulations: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Simulations that every agent has for a move.")
    ] = None,
    seconds: Annotated[float | None, typer.Option(metavar="S", help="Seconds every agent has for a move.")] = None,
    clock: ClockOption = None,
    max_plies: Annotated[
        int, typer.Option(metavar="N", min=1, help="A game of so many plies after its opening is a draw.")
    ] = LONGEST,
    adjudication: AdjudicationOption = "none",
    anchor: Annotated[
        str | None,
        typer.Option(metavar="NAME=RATING", help="Whose rating is set.", show_default="the average is 1500"),
    ] = None,
    executor_name: ExecutorOption = "local",
    processes: ProcessesOption = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play a tournament; each game is kept as soon as it ends, so that it can be resumed after anything."""
    from plyground.arena.tournament import Plan, Tournament, free_name
    from plyground.store import Store

    wished, texts, default = _who(game, players or [], roster_name, quick)
    spec = make_game(wished).spec
    limit = {key: value for key, value in vars(Limit(simulations=simulations, seconds=seconds)).items() if value}
    plan = Plan(
        rules=Rules(spec, limit, max_plies, adjudication, clock),
        entrants=entrants(spec, texts),
        games=games or default,
        kind="gauntlet" if gauntlet else "round robin",
        openings=openings,
        seed=seed,
        anchor=anchor,
    )
    on = executor(executor_name, processes, _preparation(context, store))
    with Store(store) as opened:
        called = name or free_name(opened, roster_name if roster_name and roster_name != "levels" else spec)
        _play(Tournament.create(opened, called, plan), on, as_json)


@app.command("resume")
def resume_tournament(
    context: typer.Context,
    name: NameArgument = None,
    executor_name: ExecutorOption = "local",
    processes: ProcessesOption = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Go on with a tournament that was broken off: the games that are left, and no others."""
    on = executor(executor_name, processes, _preparation(context, store))
    _with(name, store, lambda tournament: _play(tournament, on, as_json))


@app.command("show")
def show_tournament(name: NameArgument = None, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Print the table of a tournament, finished or not."""
    _with(name, store, lambda tournament: _report(tournament, as_json))


@app.command("list")
def list_tournaments(store: StoreOption = None, as_json: JsonOption = False) -> None:
    """List the tournaments, the newest first."""
    from plyground.store import Store

    with Store(store) as opened:
        found = opened.tournaments.all()
    if as_json:
        keys = ("name", "game", "jobs", "finished")
        typer.echo(
            json.dumps(
                [{**{key: getattr(one, key) for key in keys}, "created": one.created.isoformat()} for one in found]
            )
        )
    for one in [] if as_json else found:
        typer.echo(f"{one.name}: {one.game}, {one.finished} of {one.jobs} games, {one.created:%Y-%m-%d %H:%M} UTC")


@app.command("delete")
def delete_tournament(name: Annotated[str, typer.Argument(metavar="NAME")], store: StoreOption = None) -> None:
    """Forget a tournament; its games stay among the games that are kept."""
    from plyground.store import Store

    with Store(store) as opened:
        opened.tournaments.delete(name)


def _who(game: str | None, players: list[str], roster_name: str | None, quick: bool) -> tuple[str, list[str], int]:
    """The game, the players' texts and how often each two meet."""
    if roster_name is None:
        if game is None or len(players) < 2:
            raise ParseError("a tournament needs a game and two players or more, or --roster samuel")
        return game, players, 4 if quick else 20
    found = roster(roster_name, game)
    listed = [f"{name}={spec}" for name, spec in found.players.items()]
    return found.game, [*listed, *players], found.quick if quick else found.games


def _preparation(context: typer.Context, store: str | None) -> Callable[[], object]:
    """What a process must do to know the same games and learned weights as this one; this one does its part now."""
    from plyground.learn.checkpoints import use_runs

    use_runs(store)
    return partial(_prepare, preparation(context), store)


def _prepare(games: Callable[[], object] | None, store: str | None) -> None:
    from plyground.learn.checkpoints import use_runs

    use_runs(store)
    if games is not None:
        games()


def _with(name: str | None, where: str | None, do: Callable[[Tournament], None]) -> None:
    from plyground.arena.tournament import Tournament
    from plyground.store import Store

    with Store(where) as opened:
        if name is None:
            latest = opened.tournaments.all()[:1]
            if not latest:
                raise ParseError("there is no tournament yet: plyground tournament run")
            name = latest[0].name
        do(Tournament(opened, name))


def _play(tournament: Tournament, on: Executor, as_json: bool) -> None:
    from plyground.cli.tournament_tables import live

    began = time.monotonic()
    try:
        live(tournament, on)
    except KeyboardInterrupt:
        typer.echo(f"Broken off. Go on with: plyground tournament resume {tournament.name!r}", err=True)
        raise typer.Exit(130) from None
    _report(tournament, as_json, time.monotonic() - began)


def _report(tournament: Tournament, as_json: bool, seconds: float | None = None) -> None:
    played = tournament.played()
    table = tournament.standings(played)
    if as_json:
        told: dict[str, Any] = {
            "name": tournament.name,
            "game": tournament.game,
            "created": tournament.created.isoformat(),
            "jobs": tournament.jobs,
            "games": len(played),
            "settings": {key: value for key, value in tournament.settings.items() if key not in ("form", "agents")},
            **table.to_data(),
        }
        typer.echo(json.dumps(told | ({} if seconds is None else {"seconds": round(seconds, 3)})))
        return
    from plyground.cli.tournament_tables import print_tables

    print_tables(tournament, table, len(played), seconds)
