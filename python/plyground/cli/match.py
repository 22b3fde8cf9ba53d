"""`plyground match`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Annotated

import typer

from plyground import Position
from plyground import game as make_game
from plyground.agents import Limit
from plyground.arena import LONGEST, Executor, Match, MatchGame, Rules, Score, executor
from plyground.arena.elo import Difference, difference
from plyground.arena.openings import DECK, START, shipped, shuffled
from plyground.arena.openings import openings as find_openings
from plyground.arena.sprt import Sprt, pair_counts, parse_sprt
from plyground.cli.arena_options import AdjudicationOption, ClockOption, ExecutorOption
from plyground.cli.game_file import preparation
from plyground.cli.keeping import Keeper
from plyground.cli.options import GameArgument, JsonOption, SeedOption, StoreOption
from plyground.cli.progress import make_bar
from plyground.drawing import draw
from plyground.levels import player
from plyground.words import last_move

MOST_SPRT = 20_000
"""Games after which a test gives up, where nothing else is said."""


def match(
    context: typer.Context,
    game: GameArgument,
    a: Annotated[
        str,
        typer.Argument(
            metavar="A", help="A level such as Hard, or the spec of an agent such as mcts(simulations=800)."
        ),
    ],
    b: Annotated[str, typer.Argument(metavar="B", help="The other player.")],
    games: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            max=1_000_000,
            help="How many, at most; A begins every other one.",
            show_default=f"2, with --sprt {MOST_SPRT}",
        ),
    ] = None,
    seed: SeedOption = 0,
    show: Annotated[bool, typer.Option("--show", help="Print every move and board.")] = False,
    as_json: JsonOption = False,
    simulations: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Simulations an agent has for a move.")
    ] = None,
    seconds: Annotated[float | None, typer.Option(metavar="S", help="Seconds an agent has for a move.")] = None,
    clock: ClockOption = None,
    max_plies: Annotated[int, typer.Option(metavar="N", min=1, help="A game of so many plies is a draw.")] = LONGEST,
    adjudication: AdjudicationOption = "none",
    openings: Annotated[
        str | None,
        typer.Option(
            metavar="WHICH",
            help="start, deck, or a file with an opening on each line; each is played twice, sides swapped.",
            show_default="start; with --sprt, the game's deck where it has one",
        ),
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(metavar="ELO0,ELO1", help="Stop as soon as it is known whether B is ELO0 or ELO1 above A."),
    ] = None,
    executor_name: ExecutorOption = "local",
    processes: Annotated[int, typer.Option(metavar="N", min=1, max=4096, help="Games at once.")] = 1,
    save: Annotated[bool, typer.Option("--save", help="Keep every game in the store, as soon as it ends.")] = False,
    store: StoreOption = None,
) -> None:
    """Let two agents play each other, changing sides from game to game."""
    if show and as_json:
        raise typer.BadParameter("--show and --json exclude each other")
    if show and processes > 1:
        raise typer.BadParameter("--show and --processes exclude each other")
    chosen = make_game(game)
    test = None if sprt is None else parse_sprt(sprt)
    Rules(chosen.spec, {}, max_plies, adjudication, clock).check()
    deck = openings or (DECK if test and chosen.spec in shipped() else START)
    planned = Match(
        chosen,
        player(chosen.spec, a),
        player(chosen.spec, b),
        games or (MOST_SPRT if test else 2),
        seed,
        Limit(simulations=simulations, seconds=seconds),
        max_plies,
        shuffled(find_openings(chosen, deck), seed),
        adjudication,
        clock,
    )
    on = executor(executor_name, processes, preparation(context)) if processes > 1 or executor_name != "local" else None
    points: list[float] = []
    played: list[MatchGame] = []
    score = Score()
    keeper = Keeper(store) if save else None
    for one in _with_progress(planned, on, _narrator(planned) if show else None):
        score = score.after(one)
        points.append(one.points)
        if keeper:
            keeper.keep(one.record)
        if show:
            typer.echo(f"{one.record.outcome}\n")
        if as_json:
            played.append(one)
        if test and len(points) % 2 == 0 and test.verdict(_pairs_of_b(points)):
            break
    found = difference(points)
    if as_json:
        typer.echo(json.dumps(_report(planned, score, found, _tested(test, points), played)))
    else:
        _print_table(planned, score, found, _tested(test, points))


def _pairs_of_b(points: list[float]) -> list[int]:
    return pair_counts(points)[::-1]


def _tested(test: Sprt | None, points: list[float]) -> dict[str, object] | None:
    """What the test says of "B is better than A"."""
    if test is None:
        return None
    pairs = _pairs_of_b(points)
    lower, upper = test.bounds
    return {
        "elo0": test.elo0,
        "elo1": test.elo1,
        "pairs": pairs,
        "llr": test.ratio(pairs),
        "lower": lower,
        "upper": upper,
        "verdict": test.verdict(pairs) or "undecided",
    }


def _with_progress(
    planned: Match, on: Executor | None, watch: Callable[[int, Position], None] | None
) -> Iterator[MatchGame]:
    """The games, with a bar on standard error where that is a terminal and nothing else is shown."""
    games = planned.play(watch) if on is None else planned.play_on(on)
    with make_bar(hidden=watch is not None) as progress:
        yield from progress.track(games, total=planned.games, description="Playing")


def _narrator(planned: Match) -> Callable[[int, Position], None]:
    def watch(index: int, position: Position) -> None:
        agents = dict(zip(planned.game.sides, planned.order(index), strict=True))
        if position.ply == len(planned.opening(index)):
            players = " against ".join(f"{agent.spec} ({side})" for side, agent in agents.items())
            typer.echo(f"Game {index + 1} of {planned.games}: {players}")
            if position.ply:
                typer.echo(f"Opening: {' '.join(position.history_notation)}")
        else:
            mover = position.unplay().turn
            typer.echo(f"{position.ply}. {mover} ({agents[mover].spec}) plays {last_move(position)}")
        typer.echo(f"{draw(position)}\n")

    return watch


def _report(
    planned: Match, score: Score, found: Difference, test: dict[str, object] | None, played: list[MatchGame]
) -> dict[str, object]:
    return {
        "game": planned.game.spec,
        "a": planned.a.spec,
        "b": planned.b.spec,
        "seed": planned.seed,
        "wins": score.wins,
        "draws": score.draws,
        "losses": score.losses,
        "score": score.share,
        "elo": found.elo,
        "low": found.low,
        "high": found.high,
        "superiority": found.superiority,
        **({} if test is None else {"sprt": test}),
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


def _print_table(planned: Match, score: Score, found: Difference, test: dict[str, object] | None) -> None:
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
    console = Console()
    console.print(table)
    low, elo, high = (_signed(one) for one in (found.low, found.elo, found.high))
    console.print(
        f"A is {elo} Elo points above B ({low} to {high}), stronger with {found.superiority:.1%}", highlight=False
    )
    if test is not None:
        told = "B is {elo1:+g} above A, rather than {elo0:+g}: {verdict} (LLR {llr:.2f}, {lower:.2f} to {upper:.2f})"
        console.print(told.format(**test), highlight=False)


def _signed(number: float | None) -> str:
    return "?" if number is None else f"{number:+.0f}"
