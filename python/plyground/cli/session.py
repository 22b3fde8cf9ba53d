"""A person at the board in a terminal, against an agent."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import typer

from plyground import GameOverError, Outcome, ParseError, PlygroundError, Position, split_seed
from plyground.agents import Agent, Limit
from plyground.arena.game import next_position
from plyground.cli.keeping import Keeper
from plyground.drawing import draw
from plyground.levels import levels, player
from plyground.records import HUMAN, Record
from plyground.records.json import save
from plyground.words import joined, last_move, must_capture, naturally_sorted

NEW_GAME = 2**32
"""The stream of a game's seed from which the seed of the next game comes; no move is that late."""

say = typer.echo


def now() -> str:
    """The date and time as records keep them."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass
class Session:
    """The game as it stands, and what each typed line does to it."""

    position: Position
    side: str
    """The person's."""
    agent: Agent
    seed: int
    started: str
    file: Path | None = None
    """Where the game is kept after every move."""
    ending: Outcome | None = None
    """How the game ended otherwise than by the rules."""
    turned: bool = False
    """Whether the person asked to see the board from the other side."""
    left: bool = False
    keeper: Keeper = field(default_factory=Keeper)
    """What keeps the game in the store."""
    begun: int = 0
    """Plies that were played before this session."""
    syzygy: Path | None = None
    """The folder of Syzygy files that whoever plays against the person uses."""
    drawn: Position | None = None
    """The position of the board printed last; None when it has to be printed again."""

    @property
    def other(self) -> str:
        """The agent's side."""
        first, second = self.position.game.sides
        return second if self.side == first else first

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, by the rules or otherwise."""
        return self.position.outcome or self.ending

    def run(self) -> None:
        """Play until the person leaves: by `quit`, the end of input or Ctrl-C."""
        self.greet()
        try:
            self.keep()
            while not self.left:
                self.let_agent_play()
                self.show()
                if self.outcome is not None:
                    self.remember()
                self.obey(self.ask())
        except (EOFError, KeyboardInterrupt):
            self.remember()
            say()
        finally:
            self.remember()
        if self.file:
            file = str(self.file)
            again = ["plyground", "play", self.position.game.spec, "--load", file, "--save", file]
            say(f"The game is kept. Resume it with: {shlex.join(again)}")

    def greet(self) -> None:
        """Say who plays what, and the seed that makes the game repeatable."""
        say(f"{self.position.game.title}: you are {self.side}, {self.agent.spec} is {self.other}.")
        say(f"The seed is {self.seed}: --seed {self.seed} repeats the game. Type help for the words.\n")

    def let_agent_play(self) -> None:
        """The agent moves for as long as it is its turn."""
        while self.outcome is None and self.position.turn == self.other:
            self.position = next_position(self.position, self.agent, Limit(), self.seed)
            say(f"{self.other} plays {last_move(self.position)}")
            self.keep()

    def show(self) -> None:
        """Print the board if it changed, and what the person should know."""
        if self.drawn is self.position:
            return
        self.drawn = self.position
        bottom = self.position.game.bottom
        say(f"{draw(self.position, flip=(self.side != bottom) != self.turned)}\n")
        if self.outcome is not None:
            verdict = {self.side: "You win. ", self.other: "You lose. "}.get(self.outcome.winner or "", "")
            say(f"{verdict}The game is over, {self.outcome}.")
            return
        moves = self.position.moves
        if must_capture(self.position):
            say(f"You must capture: {joined(moves)}")
        if len(moves) == 1:
            say(f"There is one move, {moves[0]}: Enter plays it.")

    def ask(self) -> str:
        """The next line typed."""
        if sys.stdin is None:  # closed by whoever started us
            raise EOFError
        prompt = f"{self.position.turn}> " if self.outcome is None else "game over> "
        line = input(prompt).strip()
        if not sys.stdin.isatty():
            say(line)
        return line

    def obey(self, line: str) -> None:
        """Do what a line says, a word or a move; what cannot be done is said on one line, and nothing changes."""
        name, _, rest = line.partition(" ")
        word = WORDS.get(name.lower())
        try:
            if word is not None:
                word.act(self, rest.strip())
            elif line:
                self.play(line)
            else:
                self.play_only_move()
        except PlygroundError as error:
            say(str(error))

    def play(self, move: str) -> None:
        """The person's move, in any notation of the game."""
        self.check_unfinished()
        self.position = self.position.play(move)
        self.keep()

    def play_only_move(self) -> None:
        """What an empty line does."""
        self.check_unfinished()
        moves = self.position.moves
        if len(moves) > 1:
            say("Type a move; ? lists them, help explains.")
            return
        say(f"{self.side} plays {moves[0]}, the only move")
        self.play(moves[0])

    def check_unfinished(self) -> None:
        """An error if the game has ended."""
        if self.outcome is not None:
            raise GameOverError(f"The game is over, {self.outcome}; accepted are new, undo, save, flip, help and quit")

    @property
    def record(self) -> Record:
        """The game as it stands."""
        players = {self.side: HUMAN, self.other: self.agent.spec}
        return Record.from_position(self.position, players, outcome=self.ending, seed=self.seed, started=self.started)

    def remember(self) -> None:
        """Keep the game in the store, if the person has moved or ended it and it is not kept there as it stands."""
        moved = any(self.position.replay(ply).turn == self.side for ply in range(self.begun, self.position.ply))
        if moved or self.ending is not None:
            self.keeper.keep_latest(self.record, self.file)

    def keep(self) -> None:
        """Write the game to its file, if it has one; a file that cannot be written does not stop the game."""
        if self.file is None:
            return
        try:
            save(self.file, self.record)
        except PlygroundError as error:
            say(f"{error}; the game goes on without a file")
            self.file = None


def list_moves(session: Session, _: str) -> None:
    session.check_unfinished()
    say(" ".join(naturally_sorted(session.position.moves)))


def undo(session: Session, _: str) -> None:
    if session.ending is not None:
        session.ending = None
    else:
        position = session.position
        own = (ply for ply in reversed(range(position.ply)) if position.replay(ply).turn == session.side)
        ply = next(own, None)
        if ply is None:
            raise ParseError("There is no move of yours to take back")
        session.position = position.replay(ply)
    session.drawn = None
    session.keep()


def hint(session: Session, _: str) -> None:
    session.check_unfinished()
    position = session.position
    analysis = session.agent.analyse(position, Limit(), seed=split_seed(session.seed, position.ply))
    if analysis.value is None:
        say(f"No hint: {session.agent.spec} has no opinion of positions.")
    else:
        chance = "" if analysis.known is None else f", a certain {analysis.known}"
        say(f"{session.agent.spec} would play {analysis.best.move} ({analysis.value:.0%}{chance}).")


def change_level(session: Session, name: str) -> None:
    if not name:
        shown = ", ".join(level.name for level in levels(session.position.game.spec))
        say(f"You play against {session.agent.spec}. Levels: {shown}; the spec of an agent does too.")
        return
    session.agent = player(session.position.game.spec, name, syzygy=session.syzygy)
    say(f"From the next move on you play against {session.agent.spec}.")
    session.keep()


def flip(session: Session, _: str) -> None:
    session.turned = not session.turned
    session.drawn = None


def resign(session: Session, _: str) -> None:
    session.check_unfinished()
    session.ending = Outcome(session.other, "resignation")
    session.drawn = None
    session.keep()


def save_as(session: Session, name: str) -> None:
    if name:
        path = Path(name).expanduser()
        if session.file is None or path.resolve() != session.file.resolve():
            check_unused(path)
        session.file = path
    if session.file is None:
        raise ParseError("Say into which file: save game.json")
    session.keep()
    if session.file is not None:
        say(f"Saved to {session.file}; each move from now on is saved there too.")


def new(session: Session, _: str) -> None:
    session.remember()
    session.keeper.begin_game()
    session.begun = 0
    if session.file is not None:
        say(f"The game before stays in {session.file}; save keeps the new one in another file.")
    session.file = None
    session.position = session.position.replay(0)
    session.seed = split_seed(session.seed, NEW_GAME)
    session.started = now()
    session.ending = session.drawn = None
    session.greet()


def explain(_: Session, __: str) -> None:
    say("Type a move in any notation of the game, or Enter for the only one. Words:")
    for name, word in WORDS.items():
        say(f"  {word.usage or name:12}{word.about}")


def leave(session: Session, _: str) -> None:
    session.left = True


@dataclass(frozen=True)
class Word:
    """Something that can be typed in place of a move."""

    act: Callable[[Session, str], None]
    about: str
    usage: str = ""


WORDS = {
    "?": Word(list_moves, "list the legal moves"),
    "undo": Word(undo, "take back your last move and the answer to it"),
    "hint": Word(hint, "ask the agent what it would play"),
    "level": Word(change_level, "play against another level from the next move on", "level NAME"),
    "flip": Word(flip, "see the board from the other side"),
    "resign": Word(resign, "give the game up"),
    "save": Word(save_as, "keep the game in a file, now and after each move", "save FILE"),
    "new": Word(new, "begin again"),
    "help": Word(explain, "print this"),
    "quit": Word(leave, "leave"),
}


def check_unused(path: Path) -> None:
    """An error if a file would be lost by saving a game under its name."""
    if path.is_file() and path.stat().st_size > 0:
        raise PlygroundError(
            f"{path} exists already; --load {shlex.quote(str(path))} goes on with a game that is kept there"
        )
