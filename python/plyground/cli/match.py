"""`plyground match`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from typing import Annotated

import typer

from plyground import Position
from plyground import game as make_game
from plyground.agents import Limit
from plyground.arena import LONGEST, Match, MatchGame, Score
from plyground.cli.keeping import Keeper
from plyground.cli.options import GameArgument, JsonOption, SeedOption, StoreOption
from plyground.cli.words import last_move
from plyground.drawing import draw
from plyground.levels import player


def match(
    game: GameArgument,
    a: Annotated[
        str,
        typer.Argument(
            metavar="A", help="A level such as Hard, or the spec of an agent such as mcts(simulations=800)."
        ),
    ],
    b: Annotated[str, typer.Argument(metavar="B", help="The other player.")],
    games: Annotated[
        int, typer.Option(metavar="N", min=1, max=1_000_000, help="How many; A begins every other one.")
    ] = 2,
    seed: SeedOption = 0,
    show: Annotated[bool, typer.Option("--show", help="Print every move and board.")] = False,
    as_json: JsonOption = False,
    simulations: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Simulations an agent has for a move.")
    ] = None,
    seconds: Annotated[float | None, typer.Option(metavar="S", help="Seconds an agent has for a move.")] = None,
    max_plies: Annotated[int, typer.Option(metavar="N", min=1, help="A game of so many plies is a draw.")] = LONGEST,
    save: Annotated[bool, typer.Option("--save", help="Keep every game in the store, as soon as it ends.")] = False,
    store: StoreOption = None,
) -> None:
    """Let two agents play each other, changing sides from game to game."""
    if show and as_json:
        raise typer.BadParameter("--show and --json exclude each other")
    limit = Limit(simulations=simulations, seconds=seconds)
    chosen = make_game(game)
    planned = Match(chosen, player(chosen.spec, a), player(chosen.spec, b), games, seed, limit, max_plies)
    played: list[MatchGame] = []
    score = Score()
    keeper = Keeper(store) if save else None
    for one in _with_progress(planned, _narrator(planned) if show else None):
        score = score.after(one)
        if keeper:
            keeper.keep(one.record)
        if show:
            typer.echo(f"{one.record.outcome}\n")
        if as_json:
            played.append(one)
    if as_json:
        typer.echo(json.dumps(_report(planned, score, played)))
    else:
        _print_table(planned, score)


def _with_progress(planned: Match, watch: Callable[[int, Position], None] | None) -> Iterator[MatchGame]:
    """The games, with a bar on standard error where that is a terminal and nothing else is shown."""
    if watch is not None or not sys.stderr.isatty():
        yield from planned.play(watch)
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        yield from progress.track(planned.play(), total=planned.games, description="Playing")


def _narrator(planned: Match) -> Callable[[int, Position], None]:
    def watch(index: int, position: Position) -> None:
        agents = dict(zip(planned.game.sides, planned.order(index), strict=True))
        if position.ply == 0:
            players = " against ".join(f"{agent.spec} ({side})" for side, agent in agents.items())
            typer.echo(f"Game {index + 1} of {planned.games}: {players}")
        else:
            mover = position.unplay().turn
            typer.echo(f"{position.ply}. {mover} ({agents[mover].spec}) plays {last_move(position)}")
        typer.echo(f"{draw(position)}\n")

    return watch


def _report(planned: Match, score: Score, played: list[MatchGame]) -> dict[str, object]:
    return {
        "game": planned.game.spec,
        "a": planned.a.spec,
        "b": planned.b.spec,
        "seed": planned.seed,
        "wins": score.wins,
        "draws": score.draws,
        "losses": score.losses,
        "score": score.share,
        "games": [_game_report(one) for one in played],
    }


def _game_report(one: MatchGame) -> dict[str, object]:
    record, outcome = one.record, one.record.outcome
    return {
        "seed": record.seed,
        "first": one.first,
        "moves": list(record.moves),
        "outcome": {"winner": outcome.winner, "reason": outcome.reason} if outcome else None,
        "plies": len(record.moves),
    }


def _print_table(planned: Match, score: Score) -> None:
    from rich.console import Console
    from rich.table import Table

    games = "1 game" if score.games == 1 else f"{score.games} games"
    table = Table(
        title=f"{planned.game.spec}, {games}, seed {planned.seed}",
        title_justify="left",
        title_style="",
    )
    table.add_column("")
    table.add_column("Agent", overflow="fold")
    for heading in ("Wins", "Draws", "Losses", "Score"):
        table.add_column(heading, justify="right")
    table.add_row("A", planned.a.spec, str(score.wins), str(score.draws), str(score.losses), f"{score.share:.3f}")
    table.add_row("B", planned.b.spec, str(score.losses), str(score.draws), str(score.wins), f"{1 - score.share:.3f}")
    Console().print(table)
