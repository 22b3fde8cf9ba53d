"""A UCI engine in this process, with the lines that it has written."""

from __future__ import annotations

from queue import Queue

from plyground.protocols.uci import UciEngine
from stopping import LONG_S


class Session:
    """Sends commands to an engine and collects its answers."""

    def __init__(self) -> None:
        self._lines: Queue[str] = Queue()
        self.engine = UciEngine(self._lines.put)

    def send(self, *commands: str) -> None:
        """Send commands."""
        for command in commands:
            assert self.engine.handle(command)

    def written(self) -> list[str]:
        """Return the lines written since the last call, without waiting."""
        return [self._lines.get() for _ in range(self._lines.qsize())]

    def until(self, prefix: str) -> list[str]:
        """Return the lines up to the first one that begins with a prefix."""
        lines: list[str] = []
        while not lines or not lines[-1].startswith(prefix):
            lines.append(self._lines.get(timeout=LONG_S))
        return lines

    def ask(self, *commands: str) -> tuple[list[str], str]:
        """Send commands that start a search; return its output and the best move."""
        self.send(*commands)
        *lines, best = self.until("bestmove")
        return lines, best.split()[1]


def fields(line: str) -> dict[str, str]:
    """Return the fields of an info line; the score is ``score`` with its kind, the variation is ``pv``."""
    words = line.split()[1:]
    found: dict[str, str] = {}
    while words:
        name = words.pop(0)
        if name == "pv":
            return {**found, "pv": " ".join(words)}
        count = {"score": 2, "wdl": 3, "lowerbound": 0, "upperbound": 0}.get(name, 1)
        found[name] = " ".join(words[:count])
        del words[:count]
    return found
