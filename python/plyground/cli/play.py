"""`plyground play`."""

from __future__ import annotations

import contextlib
import secrets
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from plyground import Game, ParseError, UnknownNameError
from plyground import game as make_game
from plyground.cli.keeping import Keeper
from plyground.cli.options import GameArgument, PositionOption, StoreOption, SyzygyOption, check_seed
from plyground.cli.session import Session, check_unused, now
from plyground.levels import player
from plyground.records import HUMAN, Record
from plyground.records.json import load as load_record

OPPONENT = "Medium"
"""Who plays against the person where nobody is named."""


def play(
    game: GameArgument,
    agent: Annotated[
        str | None,
        typer.Option(
            "--level",
            "--agent",
            metavar="NAME",
            help="Who plays against you: a level such as Hard, or the spec of an agent.",
            show_default=OPPONENT,
        ),
    ] = None,
    side: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Yours, such as white.", show_default="the one that begins"),
    ] = None,
    position: PositionOption = None,
    seed: Annotated[
        int | None,
        typer.Option(metavar="N", callback=check_seed, help="Repeats a game.", show_default="drawn anew"),
    ] = None,
    load: Annotated[Path | None, typer.Option(metavar="FILE", help="Go on with a game that was saved.")] = None,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Keep the game here, after every move.")] = None,
    store: StoreOption = None,
    syzygy: SyzygyOption = None,
) -> None:
    """Play in the terminal against an agent.

    Type moves in any notation of the game; ? lists them, undo takes one back, help tells the other words. The game is
    kept in the store when it ends and when you leave; plyground games list shows it.
    """
    if load is not None and position is not None:
        raise typer.BadParameter("--load and --position exclude each other: a saved game has its own start")
    if save is not None and (load is None or save.resolve() != load.resolve()):
        check_unused(save)
    chosen = make_game(game)
    record = Record(chosen.spec, start=position) if load is None else load_record(load)
    if record.game != chosen.spec:
        raise ParseError(f"{load}: it is a game of {record.game}, not of {chosen.spec}")
    reached = record.to_position()
    seats = _seats(chosen, record, side, agent)
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  lines can be edited, and the ones before come back with the arrow keys
    for name in (signal.SIGTERM, signal.SIGHUP):  # a window that is closed: leave as with Ctrl-C
        signal.signal(name, signal.default_int_handler)
    Session(
        position=reached,
        side=seats.human,
        agent=player(chosen.spec, seats.agent, syzygy=syzygy),
        seed=next(number for number in (seed, record.seed, secrets.randbits(63)) if number is not None),
        started=record.started or now(),
        file=save,
        ending=record.outcome if reached.outcome is None else None,
        keeper=Keeper(store),
        begun=reached.ply,
        syzygy=syzygy,
    ).run()


@dataclass(frozen=True)
class _Seats:
    human: str
    agent: str


def _seats(game: Game, record: Record, side: str | None, agent: str | None) -> _Seats:
    """Who sits where: as asked, else as in the record, else the person begins against `OPPONENT`."""
    if side is not None and side.lower() not in game.sides:
        raise UnknownNameError(f"no side of {game.spec} is called {side!r}; there are: {', '.join(game.sides)}")
    seated = [name for name, player in record.players.items() if player == HUMAN]
    human = side.lower() if side is not None else (seated or game.sides)[0]
    agents = [player for name, player in record.players.items() if player != HUMAN and name != human]
    return _Seats(human, agent if agent is not None else (agents or [OPPONENT])[0])
