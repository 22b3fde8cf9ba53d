"""`plyground` in a real terminal."""

from __future__ import annotations

import contextlib
import os
import pty
import select
import signal
import subprocess
import time
from pathlib import Path

from cli.command_line import COMMAND, environment


class Terminal:
    """A pseudo-terminal with `plyground` in it."""

    def __init__(self, *arguments: str, **changes: str) -> None:
        self._master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [COMMAND, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment(**changes),
            start_new_session=True,
        )
        os.close(slave)
        self.output = ""

    def type(self, text: str) -> None:
        os.write(self._master, text.encode())

    def wait_for(self, text: str) -> None:
        """Read until a text comes."""
        while text not in self.output and self._read():
            pass
        assert text in self.output

    def interrupt(self) -> None:
        """Ctrl-C; again if it fell between the prompt and Python's wait for input, which does not notice it then."""
        for _ in range(5):
            self.process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(timeout=2)
                return

    def code(self) -> int:
        """The exit code, after the rest of the output."""
        while self._read():
            pass
        os.close(self._master)
        return self.process.wait(timeout=20)

    def _read(self) -> bool:
        """Whether something more was printed, within twenty seconds."""
        ready, _, _ = select.select([self._master], [], [], 20)
        if not ready:
            self.process.kill()
            return False
        try:
            data = os.read(self._master, 65536)
        except OSError:  # the other end is closed
            return False
        self.output += data.decode(errors="replace")
        return bool(data)


def handles_interrupts(pid: int) -> bool:
    status = Path(f"/proc/{pid}/status").read_text()
    caught = next(line for line in status.splitlines() if line.startswith("SigCgt:"))
    return bool(int(caught.split()[1], 16) >> (signal.SIGINT - 1) & 1)


def test_a_terminal_shows_colours() -> None:
    terminal = Terminal("play", "connect4", "--seed", "1")
    terminal.wait_for("red> ")
    terminal.type("4\n")
    terminal.wait_for("yellow plays")
    terminal.type("quit\n")
    assert terminal.code() == 0
    assert "\x1b[1;31mr\x1b[0m" in terminal.output
    assert "\x1b[1;36my\x1b[0m" in terminal.output


def test_no_color_is_respected() -> None:
    terminal = Terminal("play", "connect4", "--seed", "1", NO_COLOR="1")
    terminal.wait_for("red> ")
    terminal.type("4\n")
    terminal.wait_for("yellow plays")
    terminal.type("quit\n")
    assert terminal.code() == 0
    assert "\x1b[1;31m" not in terminal.output


def test_the_end_of_input_leaves_cleanly() -> None:
    terminal = Terminal("play", "checkers")
    terminal.wait_for("black> ")
    terminal.type("\x04")
    assert terminal.code() == 0


def test_an_interrupt_leaves_cleanly() -> None:
    terminal = Terminal("play", "checkers")
    terminal.wait_for("black> ")
    terminal.interrupt()
    assert terminal.code() == 0
    assert "Traceback" not in terminal.output


def test_a_match_in_a_terminal_ends_with_its_table() -> None:
    terminal = Terminal("match", "checkers", "random", "random", "--games", "20")
    assert terminal.code() == 0
    assert "Score" in terminal.output


def test_a_deep_count_can_be_interrupted() -> None:
    terminal = Terminal("perft", "chess", "40")
    for handled in (True, False):  # Python's start sets a handler, and the count removes it
        deadline = time.monotonic() + 20
        while handles_interrupts(terminal.process.pid) != handled:
            assert time.monotonic() < deadline
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.code() in (130, -signal.SIGINT)
    assert "Traceback" not in terminal.output


def test_a_tournament_shows_how_far_it_is_and_then_its_table(tmp_path: Path) -> None:
    store = str(tmp_path / "store.sqlite")
    players = ("random", "flat(playouts=3)", "alphabeta(depth=2)")
    terminal = Terminal("tournament", "run", "checkers", *players, "--games", "4", "--store", store)
    terminal.wait_for("/12")
    terminal.wait_for("12 of 12 games")
    terminal.wait_for("Against")
    assert terminal.code() == 0
