"""A client for chess engines that speak UCI (Universal Chess Interface), for searches of less than a millisecond."""

from __future__ import annotations

import os
import select
import shlex
import subprocess
import time
from typing import Self

from plyground._engine import Position
from plyground.errors import ParseError, PlygroundError

TIMEOUT_S = 60.0
"""Seconds to wait for an answer of the engine."""
MATE_SCORE = 10_000
"""The score of a mate in 0 moves in centipawns; each move until mate subtracts 1."""
MAX_LINE = 65_536
_OPTIONS = {"Hash": "1", "Threads": "1"}
"""Options set if the engine has them: a small hash table is fast to clear, one thread makes searches reproducible."""


class UciEngine:
    """A running UCI engine that searches a fixed number of nodes per position."""

    def __init__(self, command: str, nodes: int) -> None:
        """Start the engine; `command` is split as by a shell but not run by one."""
        self.command, self._nodes, self._buffer = command, nodes, b""
        try:
            arguments = shlex.split(command)
        except ValueError as error:
            raise ParseError(f"invalid command {command[:80]!r} of a UCI engine: {error}") from None
        if not arguments:
            raise ParseError("the command of the UCI engine is empty; expected for example uci:stockfish")
        try:
            self._process = subprocess.Popen(  # noqa: S603  the user chooses the engine
                arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
            )
        except OSError as error:
            raise PlygroundError(f"cannot start the UCI engine {arguments[0]!r}: {error.strerror}") from None
        try:
            self._send("uci")
            lines = self._read_until("uciok")
            names = {line.partition(" name ")[2].partition(" type ")[0] for line in lines if line.startswith("option")}
            for name in sorted(names & _OPTIONS.keys()):
                self._send(f"setoption name {name} value {_OPTIONS[name]}")
            self.new_game()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the engine."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def new_game(self) -> None:
        """Clear the hash table, so that a game does not depend on the games before it."""
        self._send("ucinewgame\nisready")
        self._read_until("readyok")

    def search(self, position: Position) -> tuple[str, int]:
        """Return the best move and its score in centipawns for the side to move."""
        moves = position.history
        start = "startpos" if position.replay(0) == position.game.start() else f"fen {position.replay(0).text}"
        self._send(f"position {start} moves {' '.join(moves)}\ngo nodes {self._nodes}")
        score = 0
        for line in self._read_until("bestmove"):
            words = line.split()
            if words[:1] == ["bestmove"] and len(words) > 1:
                return words[1], score
            if "score" in words and not {"lowerbound", "upperbound"} & set(words):
                score = self._parse_score(words[words.index("score") + 1 :])
        raise self._error("did not report a move")

    def _parse_score(self, words: list[str]) -> int:
        try:
            kind, value = words[0], int(words[1])
        except (IndexError, ValueError):
            raise self._error("reported an invalid score") from None
        if kind == "mate":
            return MATE_SCORE - value if value > 0 else -MATE_SCORE - value
        return max(-MATE_SCORE, min(MATE_SCORE, value))

    def _send(self, text: str) -> None:
        assert self._process.stdin is not None  # noqa: S101
        try:
            self._process.stdin.write(text.encode() + b"\n")
        except OSError:
            raise self._error("ended unexpectedly") from None

    def _read_until(self, word: str) -> list[str]:
        """Return the lines up to the one that starts with a word."""
        assert self._process.stdout is not None  # noqa: S101
        lines: list[str] = []
        descriptor, deadline = self._process.stdout.fileno(), time.monotonic() + TIMEOUT_S
        while True:
            *complete, self._buffer = self._buffer.split(b"\n")
            for number, line in enumerate(complete):
                lines.append(line.decode(errors="replace").strip())
                if lines[-1].split(" ", 1)[0] == word:
                    self._buffer = b"\n".join([*complete[number + 1 :], self._buffer])
                    return lines
            if len(self._buffer) > MAX_LINE:
                raise self._error("sent a line that is too long")
            if not select.select([descriptor], [], [], max(0.0, deadline - time.monotonic()))[0]:
                raise self._error(f"did not answer within {TIMEOUT_S:.0f} seconds")
            data = os.read(descriptor, 65_536)
            if not data:
                raise self._error("ended unexpectedly")
            self._buffer += data

    def _error(self, what: str) -> PlygroundError:
        return PlygroundError(f"the UCI engine {self.command[:80]!r} {what}")
