"""The commands that can be typed instead of a move."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from plyground import Outcome, ParseError, PlygroundError, split_seed
from plyground.agents import Limit
from plyground.arena.draw_offer import accepts_draw
from plyground.cli.opponents import Opponents
from plyground.cli.session import Session, now, print_line
from plyground.formatting import legal_moves
from plyground.levels import levels, player
from plyground.records.formats import format_of

NEXT_GAME_STREAM = 2**32
"""RNG stream from which the seed of the next game is derived; larger than any ply."""
DRAW_OFFER_S = 0.3
"""Time to analyse the position when a draw is offered, in seconds."""


def list_moves(session: Session, _: str) -> None:
    session.check_unfinished()
    print_line(" ".join(legal_moves(session.position)))


def show_board(session: Session, _: str) -> None:
    session.printed = None


def show_rules(session: Session, _: str) -> None:
    game = session.position.game
    print_line(game.rules or f"{game.title} is a user game without a description of its rules.")
    print_line(f"Legal moves now: {' '.join(legal_moves(session.position)) or 'none'}")


def undo(session: Session, _: str) -> None:
    if session.declared_outcome is not None:
        session.declared_outcome = None
    else:
        position = session.position
        own_plies = (ply for ply in reversed(range(position.ply)) if position.replay(ply).turn == session.side)
        ply = next(own_plies, None)
        if ply is None:
            raise ParseError("You have no move to take back")
        session.position = position.replay(ply)
        session.opponents.undo(ply)
    session.is_changed = True
    session.printed = None
    session.save_to_file()


def hint(session: Session, _: str) -> None:
    session.check_unfinished()
    position = session.position
    with session.thinking("is looking for a hint", "stop") as budget:
        analysis = session.agent.analyse(position, budget, seed=split_seed(session.seed, position.ply))
    if analysis.value is None:
        print_line(f"No hint: {session.agent.spec} does not evaluate positions.")
    else:
        proven = "" if analysis.proven is None else f", proven {analysis.proven}"
        best = position.notation(analysis.best.move)
        print_line(f"{session.agent.spec} would play {best} ({analysis.value:.0%}{proven}).")


def offer_draw(session: Session, _: str) -> None:
    from plyground.review import Reviewer

    session.check_unfinished()
    position = session.position
    evaluation = Reviewer(position.game).evaluate(position, Limit(seconds=DRAW_OFFER_S), session.seed)
    value = evaluation.value_for(session.agent_side, position.game)
    if value is not None and accepts_draw(value, position.ply, is_proven=evaluation.exact is not None):
        print_line(f"{session.agent.spec} accepts the draw.")
        session.end(Outcome(None, "agreement"))
    else:
        print_line(f"{session.agent.spec} declines the draw.")


def change_level(session: Session, name: str) -> None:
    if not name:
        names = ", ".join(level.name for level in levels(session.position.game.spec))
        print_line(f"Your opponent is {session.agent.spec}. Available levels: {names}; agent specs work too.")
        return
    session.agent = player(session.position.game.spec, name, syzygy=session.syzygy)
    print_line(f"{session.agent.spec} takes over from the next move.")


def flip(session: Session, _: str) -> None:
    session.flipped = not session.flipped
    session.printed = None


def resign(session: Session, _: str) -> None:
    session.check_unfinished()
    session.end(Outcome(session.agent_side, "resignation"))


def save_as(session: Session, name: str) -> None:
    if name:
        path = Path(name).expanduser()
        if session.file is None or path.resolve() != session.file.resolve():
            check_unused(path)
        format_of(path).write([session.record])  # raises an error if the format is unknown or not for this game
        session.file = path
    if session.file is None:
        raise ParseError("Enter a file name, such as: save game.json (or .pdn for checkers, .pgn for chess)")
    session.save_to_file()
    if session.file is not None:
        print_line(f"Saved to {session.file}. Later moves will be saved there too.")


def new_game(session: Session, _: str) -> None:
    session.save_to_store()
    if session.saver.record_id is not None:
        print_line(f"The previous game is stored as game {session.saver.record_id}.")
    session.saver.begin_game()
    if session.file is not None:
        print_line(f"The previous game is in {session.file}. Use save to store the new game in another file.")
    session.file = None
    session.position = session.position.replay(0)
    session.seed = split_seed(session.seed, NEXT_GAME_STREAM)
    session.started = now()
    session.declared_outcome = session.printed = None
    session.opponents, session.headers = Opponents(), {}
    session.is_reported = session.is_changed = False
    session.greet()


def show_help(_: Session, __: str) -> None:
    print_line("Type a move in any supported notation, or press Enter to play the only legal move. Commands:")
    for name, command in COMMANDS.items():
        print_line(f"  {command.usage or name:12}{command.description}")
    print_line("Press Ctrl-C to make the opponent move at once, or twice to leave the game.")


def quit_session(session: Session, _: str) -> None:
    session.has_quit = True


@dataclass(frozen=True)
class Command:
    """A command that can be typed instead of a move."""

    run: Callable[[Session, str], None]
    description: str
    usage: str = ""


COMMANDS = {
    "moves": Command(list_moves, "list the legal moves"),
    "?": Command(list_moves, "same as moves"),
    "board": Command(show_board, "show the board again"),
    "rules": Command(show_rules, "explain the rules"),
    "undo": Command(undo, "take back your last move and the reply"),
    "hint": Command(hint, "show the move the agent would play"),
    "level": Command(change_level, "change the opponent from the next move", "level NAME"),
    "flip": Command(flip, "flip the board"),
    "draw": Command(offer_draw, "offer a draw"),
    "resign": Command(resign, "resign the game"),
    "save": Command(save_as, "save the game to a file, now and after each move", "save FILE"),
    "new": Command(new_game, "start a new game"),
    "help": Command(show_help, "show this help"),
    "quit": Command(quit_session, "leave the game; it is stored and can be resumed"),
}


def check_unused(path: Path) -> None:
    """Raise an error if saving would overwrite an existing file."""
    if path.is_file() and path.stat().st_size > 0:
        raise PlygroundError(f"{path} already exists; use --load {shlex.quote(str(path))} to resume a game saved there")
