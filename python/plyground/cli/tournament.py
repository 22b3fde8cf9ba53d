"""`plyground tournament`."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plyground import ParseError
from plyground.agents import Limit
from plyground.arena import BASELINES, MAX_PLIES, Executor, Rules, entrants, executor, lineup
from plyground.cli.arena_options import (
    AdjudicationOption,
    ClockOption,
    ExecutorOption,
    OpeningsOption,
    ProcessesOption,
)
from plyground.cli.game_file import preparation
from plyground.cli.options import JsonOption, SecondsOption, SeedOption, SimulationsOption, StoreOption
from plyground.cli.verbs import new_group

if TYPE_CHECKING:
    from plyground.arena.tournament import Tournament

app = new_group("tournament")

NameArgument = Annotated[
    str | None, typer.Argument(metavar="NAME", help="Name of the tournament.", show_default="the latest")
]


@app.command("run")
def run_tournament(
    context: typer.Context,
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="Game to play; optional with --roster.")] = None,
    players: Annotated[
        list[str] | None,
        typer.Argument(metavar="PLAYER", help="Two or more levels, agent specs, or NAME=SPEC; or use --roster."),
    ] = None,
    roster_name: Annotated[
        str | None,
        typer.Option(
            "--roster", metavar="ROSTER", help="Predefined players: samuel, or levels or learners of the game."
        ),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Name of the tournament in the store.", show_default="the roster or game"),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, max=100_000, help="Games per pairing.", show_default="20, or the roster's value"
        ),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer games per pairing: 4, or the roster's value.")] = False,
    baselines: Annotated[
        bool, typer.Option("--baselines", help=f"Add {' and '.join(one.name for one in BASELINES)} as players.")
    ] = False,
    gauntlet: Annotated[
        bool, typer.Option("--gauntlet", help="Play a gauntlet: the first player against each of the others.")
    ] = False,
    openings: OpeningsOption = None,
    seed: SeedOption = 0,
    simulations: SimulationsOption = None,
    seconds: SecondsOption = None,
    clock: ClockOption = None,
    max_plies: Annotated[
        int, typer.Option(metavar="N", min=1, help="Declare a draw after N plies, not counting the opening.")
    ] = MAX_PLIES,
    adjudication: AdjudicationOption = "none",
    anchor: Annotated[
        str | None,
        typer.Option(metavar="NAME=RATING", help="Fix the rating of one player.", show_default="the average is 1500"),
    ] = None,
    executor_name: ExecutorOption = "local",
    processes: ProcessesOption = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play a tournament. Every finished game is stored, so an interrupted tournament can be resumed."""
    from plyground.arena.tournament import Plan, Tournament, free_name
    from plyground.store import Store

    chosen = lineup(game, players or [], roster_name, quick=quick, baselines=baselines)
    limit = {key: value for key, value in vars(Limit(simulations=simulations, seconds=seconds)).items() if value}
    plan = Plan(
        rules=Rules(chosen.game, limit, max_plies, adjudication, clock),
        entrants=entrants(chosen.game, chosen.players),
        games=games or chosen.games,
        kind="gauntlet" if gauntlet else "round robin",
        openings=openings,
        seed=seed,
        anchor=anchor,
    )
    game_executor = executor(executor_name, processes, _preparation(context, store))
    with Store(store) as opened:
        tournament = Tournament.create(opened, name or free_name(opened, chosen.name), plan)
        _play(tournament, game_executor, as_json)


@app.command("resume")
def resume_tournament(
    context: typer.Context,
    name: NameArgument = None,
    executor_name: ExecutorOption = "local",
    processes: ProcessesOption = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Resume an interrupted tournament: play only the remaining games."""
    game_executor = executor(executor_name, processes, _preparation(context, store))
    _with_tournament(name, store, lambda tournament: _play(tournament, game_executor, as_json))


@app.command("show")
def show_tournament(name: NameArgument = None, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Print the standings of a tournament, finished or not."""
    _with_tournament(name, store, lambda tournament: _report(tournament, as_json))


@app.command("list")
def list_tournaments(store: StoreOption = None, as_json: JsonOption = False) -> None:
    """List the tournaments, newest first."""
    from plyground.store import Store

    with Store(store) as opened:
        tournaments = opened.tournaments.all()
    if as_json:
        keys = ("name", "game", "games", "finished")
        typer.echo(
            json.dumps(
                [
                    {**{key: getattr(entry, key) for key in keys}, "created": entry.created.isoformat()}
                    for entry in tournaments
                ]
            )
        )
        return
    if not tournaments:
        typer.echo("No tournaments yet.")
    for entry in tournaments:
        typer.echo(
            f"{entry.name}: {entry.game}, {entry.finished} of {entry.games} games, {entry.created:%Y-%m-%d %H:%M} UTC"
        )


@app.command("delete")
def delete_tournament(name: Annotated[str, typer.Argument(metavar="NAME")], store: StoreOption = None) -> None:
    """Delete a tournament. Its games stay in the store."""
    from plyground.store import Store

    with Store(store) as opened:
        opened.tournaments.delete(name)


def _preparation(context: typer.Context, store: str | None) -> Callable[[], object]:
    """Make the weights of training runs available, and return a function that prepares worker processes."""
    from plyground.learn.checkpoints import register_run_weights

    register_run_weights(store)
    return partial(_prepare, preparation(context), store)


def _prepare(games: Callable[[], object] | None, store: str | None) -> None:
    from plyground.learn.checkpoints import register_run_weights

    register_run_weights(store)
    if games is not None:
        games()


def _with_tournament(name: str | None, store: str | None, action: Callable[[Tournament], None]) -> None:
    from plyground.arena.tournament import Tournament
    from plyground.store import Store

    with Store(store) as opened:
        if name is None:
            latest = opened.tournaments.all()[:1]
            if not latest:
                raise ParseError("no tournaments yet; start one with: plyground tournament run GAME PLAYER PLAYER")
            name = latest[0].name
        action(Tournament(opened, name))


def _play(tournament: Tournament, game_executor: Executor, as_json: bool) -> None:
    from plyground.cli.tournament_tables import play_live

    start = time.monotonic()
    try:
        play_live(tournament, game_executor)
    except KeyboardInterrupt:
        typer.echo(f"Interrupted. Resume with: plyground tournament resume {tournament.name!r}", err=True)
        raise typer.Exit(130) from None
    _report(tournament, as_json, time.monotonic() - start)


def _report(tournament: Tournament, as_json: bool, seconds: float | None = None) -> None:
    played = tournament.finished_games()
    table = tournament.standings(played)
    if as_json:
        report: dict[str, Any] = {
            "name": tournament.name,
            "game": tournament.game,
            "created": tournament.created.isoformat(),
            "games": tournament.games,
            "finished": len(played),
            "settings": {key: value for key, value in tournament.settings.items() if key not in ("version", "agents")},
            **table.to_data(),
        }
        typer.echo(json.dumps(report | ({} if seconds is None else {"seconds": round(seconds, 3)})))
        return
    from plyground.cli.tournament_tables import print_tables

    print_tables(tournament, table, len(played), seconds)
