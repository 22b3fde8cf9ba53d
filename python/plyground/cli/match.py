"""`plyground match`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import reduce
from typing import Annotated

import typer

from plyground import Position
from plyground import game as make_game
from plyground.agents import Limit
from plyground.arena import MAX_PLIES, Executor, Match, MatchGame, Rules, Score, executor
from plyground.arena.elo import difference
from plyground.arena.match import repeated_games
from plyground.arena.openings import DECK, START, shipped, shuffled
from plyground.arena.openings import openings as find_openings
from plyground.arena.sprt import Sprt, pair_counts, parse_sprt
from plyground.board_text import draw
from plyground.cli.arena_options import AdjudicationOption, ClockOption, ExecutorOption
from plyground.cli.game_file import preparation
from plyground.cli.game_saver import GameSaver
from plyground.cli.options import GameArgument, JsonOption, SecondsOption, SeedOption, SimulationsOption, StoreOption
from plyground.cli.progress import make_bar
from plyground.cli.text_table import label, number, print_table, text
from plyground.formatting import count_of, last_move
from plyground.levels import player

MAX_SPRT_GAMES = 20_000
"""Default maximum number of games in an SPRT."""


def match(
    context: typer.Context,
    game: GameArgument,
    a: Annotated[
        str,
        typer.Argument(metavar="A", help="A level such as Hard or an agent spec such as mcts(simulations=800)."),
    ],
    b: Annotated[str, typer.Argument(metavar="B", help="The other player.")],
    games: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            max=1_000_000,
            help="Maximum number of games. The players alternate sides.",
            show_default=f"2, or {MAX_SPRT_GAMES} with --sprt",
        ),
    ] = None,
    seed: SeedOption = 0,
    show: Annotated[bool, typer.Option("--show", help="Print every move and board.")] = False,
    as_json: JsonOption = False,
    simulations: SimulationsOption = None,
    seconds: SecondsOption = None,
    clock: ClockOption = None,
    max_plies: Annotated[
        int, typer.Option(metavar="N", min=1, help="Declare a draw after N plies, not counting the opening.")
    ] = MAX_PLIES,
    adjudication: AdjudicationOption = "none",
    openings: Annotated[
        str | None,
        typer.Option(
            metavar="WHICH",
            help="start, deck, or a file with one opening per line. Each opening is played twice with sides swapped.",
            show_default="start; with --sprt, the game's deck if it has one",
        ),
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="ELO0,ELO1", help="Stop when an SPRT decides whether B is ELO0 or ELO1 points stronger than A."
        ),
    ] = None,
    executor_name: ExecutorOption = "local",
    processes: Annotated[
        int, typer.Option(metavar="N", min=1, max=4096, help="Number of games played in parallel.")
    ] = 1,
    save: Annotated[bool, typer.Option("--save", help="Save every game to the store.")] = False,
    store: StoreOption = None,
) -> None:
    """Play a match between two agents that alternate sides."""
    if show and as_json:
        raise typer.BadParameter("--show and --json cannot be combined")
    if show and processes > 1:
        raise typer.BadParameter("--show and --processes cannot be combined")
    chosen = make_game(game)
    test = None if sprt is None else parse_sprt(sprt)
    Rules(chosen.spec, {}, max_plies, adjudication, clock).check()
    deck = openings or (DECK if test and chosen.spec in shipped() else START)
    planned = Match(
        chosen,
        player(chosen.spec, a),
        player(chosen.spec, b),
        games or (MAX_SPRT_GAMES if test else 2),
        seed,
        Limit(simulations=simulations, seconds=seconds),
        max_plies,
        shuffled(find_openings(chosen, deck), seed),
        adjudication,
        clock,
    )
    game_executor = (
        executor(executor_name, processes, preparation(context)) if processes > 1 or executor_name != "local" else None
    )
    result = _Result(planned)
    saver = GameSaver(store) if save else None
    try:
        for match_game in _with_progress(planned, game_executor, _game_printer(planned) if show else None):
            if saver:  # before the game is counted, so that every counted game is saved even after Ctrl-C
                saver.save(match_game.record)
            result.games.append(match_game)
            if show:
                typer.echo(f"{match_game.record.outcome}\n")
            if test and len(result.games) % 2 == 0 and test.verdict(_pairs_of_b(result.points)):
                break
    except KeyboardInterrupt:
        result.is_interrupted = True
    if as_json:
        typer.echo(json.dumps(_report(result, test)))
    else:
        _print_result(result, test)
    if result.is_interrupted:
        typer.echo(f"Interrupted after {len(result.games)} of {count_of(planned.games, 'game')}.", err=True)
        raise typer.Exit(130)


@dataclass
class _Result:
    """The games played so far."""

    planned: Match
    games: list[MatchGame] = field(default_factory=list)
    is_interrupted: bool = False

    @property
    def points(self) -> list[float]:
        return [game.points for game in self.games]

    @property
    def score(self) -> Score:
        return reduce(Score.after, self.games, Score())


def _pairs_of_b(points: list[float]) -> list[int]:
    return pair_counts(points)[::-1]


def _sprt_result(test: Sprt, points: list[float]) -> dict[str, object]:
    """Return the SPRT result for the hypothesis that B is stronger than A."""
    pairs = _pairs_of_b(points)
    lower, upper = test.bounds
    return {
        "elo0": test.elo0,
        "elo1": test.elo1,
        "pairs": pairs,
        "llr": test.log_likelihood_ratio(pairs),
        "lower": lower,
        "upper": upper,
        "verdict": test.verdict(pairs) or "undecided",
    }


def _with_progress(
    planned: Match, game_executor: Executor | None, observe: Callable[[int, Position], None] | None
) -> Iterator[MatchGame]:
    """Yield the games while showing a progress bar, unless the games themselves are shown."""
    games = planned.play(observe) if game_executor is None else planned.play_on(game_executor)
    with make_bar(hidden=observe is not None) as progress:
        yield from progress.track(games, total=planned.games, description="Playing")


def _game_printer(planned: Match) -> Callable[[int, Position], None]:
    def observe(index: int, position: Position) -> None:
        agents = dict(zip(planned.game.sides, planned.order(index), strict=True))
        if position.ply == len(planned.opening(index)):
            players = " against ".join(f"{agent.spec} ({side})" for side, agent in agents.items())
            typer.echo(f"Game {index + 1} of {planned.games}: {players}")
            if position.ply:
                typer.echo(f"Opening: {' '.join(position.history_notation)}")
        else:
            mover = position.undo().turn
            typer.echo(f"{position.ply}. {mover} ({agents[mover].spec}) plays {last_move(position)}")
        typer.echo(f"{draw(position)}\n")

    return observe


def _report(result: _Result, test: Sprt | None) -> dict[str, object]:
    planned, score, elo_difference = result.planned, result.score, difference(result.points)
    return {
        "game": planned.game.spec,
        "a": planned.a.spec,
        "b": planned.b.spec,
        "seed": planned.seed,
        "wins": score.wins,
        "draws": score.draws,
        "losses": score.losses,
        "score": score.share,
        "elo": elo_difference.elo,
        "low": elo_difference.low,
        "high": elo_difference.high,
        "superiority": elo_difference.superiority,
        "repeated_games": repeated_games(result.games),
        **({} if test is None else {"sprt": _sprt_result(test, result.points)}),
        "games": [_game_report(match_game) for match_game in result.games],
    }


def _game_report(match_game: MatchGame) -> dict[str, object]:
    record, outcome = match_game.record, match_game.record.outcome
    return {
        "seed": record.seed,
        "first": match_game.first,
        "moves": list(record.moves),
        "outcome": {"winner": outcome.winner, "reason": outcome.reason} if outcome else None,
        "plies": len(record.moves),
    }


def _print_result(result: _Result, test: Sprt | None) -> None:
    planned, score = result.planned, result.score
    rows = [
        ("A", planned.a.spec, str(score.wins), str(score.draws), str(score.losses), f"{score.share:.3f}"),
        ("B", planned.b.spec, str(score.losses), str(score.draws), str(score.wins), f"{1 - score.share:.3f}"),
    ]
    columns = label(""), text("Agent"), number("Wins"), number("Draws"), number("Losses"), number("Score")
    print_table(columns, rows, f"{planned.game.spec}, {count_of(score.games, 'game')}, seed {planned.seed}")
    found = difference(result.points)
    low, elo, high = (_signed(value) for value in (found.low, found.elo, found.high))
    typer.echo(f"Elo difference A - B: {elo} (95% interval {low} to {high}), LOS {found.superiority:.1%}")
    if repeated := repeated_games(result.games):
        games = count_of(score.games, "game")
        typer.echo(
            f"{repeated} of {games} {'is' if repeated == 1 else 'are'} identical to an earlier one, so the interval is "
            f"too narrow.{_advice(planned)}"
        )
    if test is not None:
        line = (
            "SPRT (B - A: elo0 {elo0:+g}, elo1 {elo1:+g}): {verdict} (LLR {llr:.2f}, bounds {lower:.2f} to {upper:.2f})"
        )
        typer.echo(line.format(**_sprt_result(test, result.points)))


def _advice(planned: Match) -> str:
    """Return advice on how to get different games, if the match used a single opening."""
    if len(planned.openings) > 1:
        return ""
    if planned.game.spec in shipped():
        return " --openings deck starts each pair of games from a different opening."
    return " --openings FILE starts each pair of games from a different opening."


def _signed(value: float | None) -> str:
    return "?" if value is None else f"{value:+.0f}"
