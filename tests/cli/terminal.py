"""Runs the `plyground` command in a pseudo-terminal."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import time
from pathlib import Path

from cli.command_line import COMMAND, environment
from timeouts import SUBPROCESS_S


class Terminal:
    """A pseudo-terminal that runs `plyground` with these arguments."""

    def __init__(self, *arguments: str | Path, **changes: str) -> None:
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
        self._matched = 0

    def type(self, text: str) -> None:
        """Send keyboard input."""
        os.write(self._master, text.encode())

    def wait_for(self, text: str) -> None:
        """Read output until the text appears after the previous match."""
        while (found := self.output.find(text, self._matched)) < 0:
            assert self._read(), f"{text!r} not found in {self.output!r}"
        self._matched = found + len(text)

    def interrupt(self) -> None:
        """Press Ctrl-C."""
        self.process.send_signal(signal.SIGINT)

    def send_signal_at_prompt(self, prompt: str, number: signal.Signals) -> None:
        """Wait until the process is blocked on input at this prompt, then send the signal.

        If a signal arrives after the prompt is printed but before Python waits for input, Python handles it only after
        the next input.
        """
        self.wait_for(prompt)
        self.wait_until_sleeping()
        self.process.send_signal(number)

    def wait_until_sleeping(self) -> None:
        """Wait until the main thread is blocked."""
        deadline = time.monotonic() + SUBPROCESS_S
        while self._state() != "S":
            assert time.monotonic() < deadline
            time.sleep(0.001)

    def exit_code(self) -> int:
        """Read the remaining output and return the exit code."""
        while self._read():
            pass
        os.close(self._master)
        return self.process.wait(SUBPROCESS_S)

    def _state(self) -> str:
        return Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()[0]

    def _read(self) -> bool:
        """Read more output; return False at its end or after the timeout."""
        ready, _, _ = select.select([self._master], [], [], SUBPROCESS_S)
        if not ready:
            self.process.kill()
            return False
        try:
            data = os.read(self._master, 65536)
        except OSError:  # the process has closed the terminal
            return False
        self.output += data.decode(errors="replace")
        return bool(data)
