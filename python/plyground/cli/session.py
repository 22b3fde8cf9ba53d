"""An interactive game between a human and an agent in the terminal."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import typer

from plyground import GameOverError, Outcome, PlygroundError, Position
from plyground.agents import Agent, Analysis, Budget
from plyground.agents.analysis import result_for
from plyground.arena.game import next_position
from plyground.board_text import draw, is_turned_for
from plyground.cli.game_saver import GameSaver
from plyground.cli.opponents import Opponents
from plyground.cli.progress import on_first_ctrl_c, show_status
from plyground.files import write_text
from plyground.formatting import joined, last_move, legal_moves, must_capture
from plyground.records import HUMAN, Record
from plyground.records.formats import format_of

print_line = typer.echo


def now() -> str:
    """Return the current date and time in the format of records."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass
class Session:
    """The state of an interactive game, and what each input line does."""

    position: Position
    side: str
    """The human's side."""
    agent: Agent
    seed: int
    started: str
    file: Path | None = None
    """File to which the game is saved after every move."""
    declared_outcome: Outcome | None = None
    """Outcome of a game that did not end by the rules, such as a resignation."""
    flipped: bool = False
    """Whether the user has flipped the board."""
    has_quit: bool = False
    saver: GameSaver = field(default_factory=GameSaver)
    """Saves the game to the store."""
    opponents: Opponents = field(default_factory=Opponents)
    """The agents that played the moves of the agent's side."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Headers of the loaded record."""
    syzygy: Path | None = None
    """Folder of Syzygy files for the opponent."""
    game_files: tuple[Path, ...] = ()
    """Files of user games, for the command that resumes the game."""
    printed: Position | None = None
    """The position printed last; None forces the board to be printed again."""
    is_changed: bool = False
    """Whether the human has moved, taken back a move or ended the game in this session."""
    is_reported: bool = False
    """Whether the agent knows the result of the game, which is reported only once even if moves are taken back."""
    is_interrupted: bool = False
    """Whether the last input was Ctrl-C."""

    @property
    def agent_side(self) -> str:
        """The agent's side."""
        first, second = self.position.game.sides
        return second if self.side == first else first

    @property
    def outcome(self) -> Outcome | None:
        """The outcome by the rules, otherwise the declared one."""
        return self.position.outcome or self.declared_outcome

    def run(self) -> None:
        """Play until the human quits with `quit`, end of input, or Ctrl-C twice."""
        self.greet()
        self.is_reported = self.outcome is not None
        try:
            self.save_to_file()
            while not self.has_quit:
                self.show()
                if self.outcome is None and self.position.turn == self.agent_side:
                    self.play_agent_move()
                    continue
                if self.outcome is not None:
                    self.save_to_store()
                    self.report_result(self.outcome)
                self.handle(self.read_line())
        except (EOFError, KeyboardInterrupt):
            print_line()
        finally:
            self.save_to_store()
        self.say_how_to_resume()

    def greet(self) -> None:
        """Print the players and the seed."""
        print_line(f"{self.position.game.title}: you are {self.side}, {self.agent.spec} is {self.agent_side}.")
        print_line(f"The seed is {self.seed} (--seed {self.seed} repeats the game). Type help to list the commands.\n")

    def play_agent_move(self) -> None:
        """Let the agent move. Ctrl-C makes it move at once."""
        with self.thinking("is thinking", "move now") as budget:
            self.position = next_position(self.position, self.agent, budget, self.seed)
        self.opponents.add(self.position.ply - 1, self.agent.spec)
        print_line(f"{self.agent_side} plays {last_move(self.position)}")
        self.save_to_file()

    @contextmanager
    def thinking(self, activity: str, effect: str) -> Iterator[Budget]:
        """Show that the agent is thinking; yield a budget that Ctrl-C stops. `effect` describes what Ctrl-C does."""

        def text(work: str = "") -> str:
            return f"{self.agent.spec} {activity}{work} (Ctrl-C: {effect})"

        def report(analysis: Analysis) -> None:
            unit = "simulations" if analysis.simulations else "nodes"
            update(text(f", {analysis.seconds:.0f} s, {analysis.simulations or analysis.nodes:,} {unit}"))

        with show_status(text()) as update:
            budget = Budget(report=report if sys.stderr is not None and sys.stderr.isatty() else None)
            with on_first_ctrl_c(budget.stop):
                yield budget

    def report_result(self, outcome: Outcome) -> None:
        """Tell the agent the result of the game."""
        if not self.is_reported:
            self.is_reported = True
            self.agent.report_result(result_for(outcome.winner, self.agent_side))

    def show(self) -> None:
        """Print the board if it changed, and the result or forced moves."""
        if self.printed is self.position:
            return
        self.printed = self.position
        flip = is_turned_for(self.position.game, self.side) != self.flipped
        print_line(f"{draw(self.position, flip=flip)}\n")
        if self.outcome is not None:
            result = {self.side: "You win. ", self.agent_side: "You lose. "}.get(self.outcome.winner or "", "")
            print_line(f"{result}Game over: {self.outcome}.")
        elif self.position.turn == self.side:
            moves = legal_moves(self.position)
            if must_capture(self.position):
                print_line(f"You must capture: {joined(moves)}")
            if len(moves) == 1:
                print_line(f"The only legal move is {moves[0]}. Press Enter to play it.")

    def read_line(self) -> str | None:
        """Read the next input line; return None after Ctrl-C. A second Ctrl-C in a row raises `KeyboardInterrupt`."""
        if sys.stdin is None:  # standard input is closed
            raise EOFError
        prompt = f"{self.position.turn}> " if self.outcome is None else "game over> "
        try:
            line = input(prompt).strip()
        except KeyboardInterrupt:
            if self.is_interrupted:
                raise
            self.is_interrupted = True
            print_line("\nPress Ctrl-C again or type quit to leave the game.")
            return None
        self.is_interrupted = False
        if not sys.stdin.isatty():
            print_line(line)
        return line

    def handle(self, line: str | None) -> None:
        """Execute a command or play a move. An error prints one line and changes nothing."""
        from plyground.cli.session_commands import COMMANDS  # avoids a circular import

        if line is None:
            return
        name, _, argument = line.partition(" ")
        command = COMMANDS.get(name.lower())
        try:
            if command is not None:
                command.run(self, argument.strip())
            elif line:
                self.play(line)
            else:
                self.play_only_move()
        except PlygroundError as error:
            print_line(str(error))

    def play(self, move: str) -> None:
        """Play the human's move, in any supported notation."""
        self.check_unfinished()
        self.position = self.position.play(move)
        self.is_changed = True
        self.save_to_file()

    def play_only_move(self) -> None:
        """Play the only legal move, in response to an empty line."""
        self.check_unfinished()
        moves = self.position.moves
        if len(moves) > 1:
            print_line("Type a move, ? to list the legal moves, or help.")
            return
        print_line(f"{self.side} plays {self.position.notation(moves[0])}, the only move")
        self.play(moves[0])

    def end(self, outcome: Outcome) -> None:
        """End the game with a declared outcome, such as a resignation."""
        self.declared_outcome = outcome
        self.printed = None
        self.is_changed = True
        self.save_to_file()

    def check_unfinished(self) -> None:
        """Raise an error if the game is over."""
        if self.outcome is not None:
            raise GameOverError(
                f"The game is over ({self.outcome}). Available commands: new, undo, save, board, flip, help, quit"
            )

    @property
    def record(self) -> Record:
        """The game so far."""
        players = {self.side: HUMAN, self.agent_side: self.opponents.last or self.agent.spec}
        return Record.from_position(
            self.position,
            players,
            outcome=self.declared_outcome,
            seed=self.seed,
            started=self.started,
            headers={**self.headers, **self.opponents.headers()},
        )

    def save_to_store(self) -> None:
        """Save the game to the store if the human has changed it."""
        has_moved = any(self.position.replay(ply).turn == self.side for ply in range(self.position.ply))
        if self.is_changed and (has_moved or self.declared_outcome is not None or self.saver.record_id is not None):
            self.saver.save_current(self.record, self.file)

    def save_to_file(self) -> None:
        """Save the game to its file, if any. A write error does not end the game."""
        if self.file is None:
            return
        try:
            write_text(self.file, format_of(self.file).write([self.record]))
        except PlygroundError as error:
            print_line(f"{error}. The game continues without being saved to a file.")
            self.file = None

    def say_how_to_resume(self) -> None:
        """Print where the game is stored, and the command that resumes or reviews it."""
        number = self.saver.record_id
        files = [part for path in self.game_files for part in ("--game-file", str(path))]
        place = ["--store", self.saver.address] if self.saver.address is not None else []
        level = [] if self.agent.spec == self.record.players[self.agent_side] else ["--level", self.agent.spec]
        play = ["plyground", "play", self.position.game.spec]
        if number is not None and self.outcome is None:
            command = [*play, "--load", str(number), *level, *place, *files]
            print_line(f"The game is stored as game {number}. Resume it with: {shlex.join(command)}")
        elif number is not None:
            command = ["plyground", "review", str(number), *place, *files]
            print_line(f"The game is stored as game {number}. Review it with: {shlex.join(command)}")
        if self.file is not None:
            file = str(self.file)
            command = [*play, "--load", file, "--save", file, *level, *files]
            print_line(f"The game is saved in {file}. Resume it with: {shlex.join(command)}")
