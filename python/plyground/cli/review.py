"""`plyground review`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plyground import Position
from plyground.agents import Limit
from plyground.cli.options import JsonOption, NumberOption, SeedOption, StoreOption
from plyground.cli.progress import make_bar
from plyground.cli.recorded_games import FoundGame, find_game
from plyground.cli.text_table import label, number, print_table, text, without_empty_columns
from plyground.formatting import count_of
from plyground.levels import player
from plyground.review import SECONDS, ReviewedMove, accuracy, exact_lookup
from plyground.review import review as review_game

if TYPE_CHECKING:
    from plyground.agents import Agent

MARKS = {"?!": ("inaccuracy", "inaccuracies"), "?": ("mistake",), "??": ("blunder",)}


def review(
    file: Annotated[
        str, typer.Argument(metavar="FILE|ID", help="A .json, .pdn or .pgn file, or the ID of a stored game.")
    ],
    number: NumberOption = None,
    agent: Annotated[
        str | None,
        typer.Option(
            "--agent",
            "--level",
            metavar="SPEC",
            help="Agent that evaluates the positions.",
            show_default="depends on the game",
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(metavar="S", help="Seconds per search; a move takes up to two.", show_default=f"{SECONDS}"),
    ] = None,
    simulations: Annotated[int | None, typer.Option(metavar="N", min=1, help="Simulations per search.")] = None,
    depth: Annotated[int | None, typer.Option(metavar="N", min=1, help="Search depth in plies.")] = None,
    seed: SeedOption = 0,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Review a game: print the value that each move lost and the accuracy of both sides.

    Positions are evaluated from the last to the first, exactly where a solver or endgame tables cover them.
    Ctrl-C ends the review early and prints the moves reviewed so far.
    """
    found = find_game(file, store, number)
    last = found.record.to_position()
    limit = Limit(simulations=simulations, seconds=seconds, depth=depth)
    if limit == Limit():
        limit = Limit(seconds=SECONDS)
    reviewer = None if agent is None else player(last.game.spec, agent)
    moves, is_complete = _review(found, last, limit, seed, reviewer)
    if as_json:
        typer.echo(json.dumps(_report(found, last, moves)))
    else:
        _print(found, last, moves)
    if not is_complete:
        typer.echo(f"Interrupted: only the last {len(moves)} of {last.ply} moves were reviewed.", err=True)
        raise typer.Exit(130)


def _review(
    found: FoundGame, last: Position, limit: Limit, seed: int, reviewer: Agent | None
) -> tuple[list[ReviewedMove], bool]:
    """Return the reviewed moves in playing order, and whether the review is complete."""
    exact = exact_lookup(last.game, limit.seconds or SECONDS)
    reviewed: list[ReviewedMove] = []
    try:
        with make_bar() as progress:
            moves = review_game(found.record, limit, seed=seed, exact=exact, reviewer=reviewer)
            reviewed.extend(progress.track(moves, total=last.ply, description="Reviewing"))
    except KeyboardInterrupt:
        return reviewed[::-1], False
    return reviewed[::-1], True


def _print(found: FoundGame, last: Position, moves: Sequence[ReviewedMove]) -> None:
    record, first = found.record, last.game.sides[0]
    players = ", ".join(f"{side} {player}" for side, player in record.players.items())
    typer.echo(f"{found.source}: {', '.join(filter(None, [record.game, players]))}, {record.outcome or 'unfinished'}")
    notation = last.history_notation
    rows = [
        (
            str(move.ply + 1),
            move.side,
            f"{notation[move.ply]}{move.mark}",
            "" if move.after.value_first is None else f"{move.after.value_first:.0%}",
            f"{move.value_loss:.0%}" if move.value_loss >= 0.005 else "",
            move.comment,
        )
        for move in moves
    ]
    columns = (
        number("Ply"),
        label("Side"),
        label("Move"),
        number(f"Value for {first}"),
        number("Loss"),
        text("Comment"),
    )
    print_table(*without_empty_columns(columns, rows))
    for side in last.game.sides:
        own = [move for move in moves if move.side == side]
        counts = (count_of(sum(move.mark == mark for move in own), *names) for mark, names in MARKS.items())
        typer.echo(f"{side}: accuracy {_accuracy(own):.0f}%, {', '.join(counts)}")


def _accuracy(moves: Sequence[ReviewedMove]) -> float:
    return accuracy([move.value_loss for move in moves])


def _report(found: FoundGame, last: Position, moves: Sequence[ReviewedMove]) -> dict[str, Any]:
    record, outcome = found.record, found.record.outcome
    notation = last.history_notation
    return {
        "game": record.game,
        "id": found.id,
        "players": dict(record.players),
        "outcome": None if outcome is None else {"winner": outcome.winner, "reason": outcome.reason},
        "moves": [
            {
                "ply": move.ply,
                "side": move.side,
                "move": move.move,
                "notation": notation[move.ply],
                "value_first": move.after.value_first,
                "value_loss": move.value_loss,
                "best": move.before.best,
                "mark": move.mark,
                "comment": move.comment,
            }
            for move in moves
        ],
        "accuracy": {side: _accuracy([move for move in moves if move.side == side]) for side in last.game.sides},
    }
