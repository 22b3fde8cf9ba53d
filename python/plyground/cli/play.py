"""`plyground play`."""

from __future__ import annotations

import contextlib
import secrets
import signal
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Annotated, NoReturn

import typer

from plyground import Game, ParseError, PlygroundError
from plyground import game as make_game
from plyground.agents import Agent
from plyground.cli.game_file import game_files
from plyground.cli.game_saver import GameSaver
from plyground.cli.opponents import Opponents
from plyground.cli.options import GameArgument, NumberOption, PositionOption, StoreOption, SyzygyOption, check_seed
from plyground.cli.recorded_games import FoundGame, find_game
from plyground.cli.session import Session, now
from plyground.cli.session_commands import check_unused
from plyground.errors import unknown_name
from plyground.levels import player
from plyground.records import HUMAN, Record
from plyground.records.formats import format_of

DEFAULT_OPPONENT = "Medium"
"""The opponent if none is given."""


def play(
    context: typer.Context,
    game: GameArgument,
    agent: Annotated[
        str | None,
        typer.Option(
            "--level",
            "--agent",
            metavar="NAME",
            help="Your opponent: a level such as Hard, a preset or an agent spec.",
            show_default=DEFAULT_OPPONENT,
        ),
    ] = None,
    side: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="The side you play, such as white.", show_default="the side that moves first"
        ),
    ] = None,
    position: PositionOption = None,
    seed: Annotated[
        int | None,
        typer.Option(metavar="N", callback=check_seed, help="Random seed, to repeat a game.", show_default="random"),
    ] = None,
    load: Annotated[
        str | None, typer.Option(metavar="FILE|ID", help="Resume a saved game: a file, or the ID of a stored game.")
    ] = None,
    number: NumberOption = None,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Save the game to this .json, .pdn or .pgn file after every move."),
    ] = None,
    store: StoreOption = None,
    syzygy: SyzygyOption = None,
) -> None:
    """Play in the terminal against an agent.

    Enter moves in any supported notation. Type ? to list the legal moves, or help to list the commands. Press Ctrl-C to
    make the agent move at once, or twice to leave the game. The game is saved to the store when it ends and when you
    quit; `plyground games list` shows it.
    """
    if load is not None and position is not None:
        raise typer.BadParameter("--load and --position cannot be combined; a saved game has its own start position")
    if save is not None and (load is None or save.resolve() != Path(load).resolve()):
        check_unused(save)
    chosen = make_game(game)
    found = FoundGame(Record(chosen.spec, start=position), "") if load is None else find_game(load, store, number)
    record = found.record
    if record.game != chosen.spec:
        raise ParseError(f"{found.source} contains a game of {record.game}, not {chosen.spec}")
    if save is not None:
        format_of(save).write([record])  # raises an error if the format is unknown or not for this game
    current = record.to_position()
    seats = _seats(chosen, record, side)
    opponent = _opponent(chosen.spec, agent, seats.agent, syzygy)
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  enables line editing and history
    for name in (signal.SIGTERM, signal.SIGHUP):  # closing the terminal acts like the end of input
        signal.signal(name, _end_of_input)
    declared_outcome = record.outcome if current.outcome is None else None
    saver = GameSaver(store)
    if found.id is not None and found.is_own and record.outcome is None:
        saver.record_id, saver.saved = found.id, record
    Session(
        position=current,
        side=seats.human,
        agent=opponent,
        seed=next(number for number in (seed, record.seed, secrets.randbits(63)) if number is not None),
        started=record.started or now(),
        file=save,
        declared_outcome=declared_outcome,
        saver=saver,
        opponents=Opponents.of(record, seats.other) if found.is_own else Opponents(),
        headers=record.headers if found.is_own else {},
        syzygy=syzygy,
        game_files=tuple(game_files(context)),
    ).run()


def _end_of_input(_number: int, _frame: FrameType | None) -> NoReturn:
    raise EOFError


@dataclass(frozen=True)
class _Seats:
    human: str
    other: str
    """The side of the agent."""
    agent: str | None
    """The recorded player of that side."""


def _seats(game: Game, record: Record, side: str | None) -> _Seats:
    """Choose the human's side: as requested, else as recorded, else the first one."""
    if side is not None and side.lower() not in game.sides:
        raise unknown_name("side", side, game.sides, scope=f"of {game.spec}")
    humans = [name for name, player in record.players.items() if player == HUMAN]
    human = side.lower() if side is not None else (humans or game.sides)[0]
    other = next(name for name in game.sides if name != human)
    recorded = record.players.get(other)
    return _Seats(human, other, None if recorded == HUMAN else recorded)


def _opponent(game: str, requested: str | None, recorded: str | None, syzygy: Path | None) -> Agent:
    """Return the requested opponent, else the recorded one if it is an agent, else the default."""
    if requested is None and recorded is not None:
        with contextlib.suppress(PlygroundError):  # a person in an imported game, or an agent that no longer exists
            return player(game, recorded, syzygy=syzygy)
    return player(game, requested or DEFAULT_OPPONENT, syzygy=syzygy)
