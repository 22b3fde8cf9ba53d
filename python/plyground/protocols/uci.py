"""The UCI protocol, with which chess GUIs and tournament programs control the engine.

The protocol was defined by Stefan Meyer-Kahlen and Rudolf Huber (2000). Input that cannot be read is reported in an
``info string`` and otherwise ignored.

>>> engine = UciEngine(print)
>>> engine.handle("isready")
readyok
True
>>> engine.handle("quit")
False
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Lock

from plyground._engine import Position, __version__
from plyground.agents.agent import Agent
from plyground.agents.alphabeta import AlphaBetaAgent
from plyground.agents.analysis import Analysis
from plyground.agents.mcts import MctsAgent
from plyground.agents.syzygy import SyzygyAgent
from plyground.errors import PlygroundError, describe
from plyground.games import game
from plyground.protocols.uci_go import parse_go
from plyground.protocols.uci_info import Style
from plyground.protocols.uci_options import (
    ANALYSE_MODE,
    CLEAR_HASH,
    HASH,
    MOVE_OVERHEAD,
    MULTI_PV,
    NETWORK,
    OPTIONS,
    SEARCH,
    SHOW_WDL,
    SYZYGY_PATH,
    THREADS,
    Settings,
    parse_setoption,
)
from plyground.protocols.uci_position import any_move, find_position, without_draw
from plyground.protocols.uci_search import Probe, UciSearch

AGENT_OPTIONS = (HASH, THREADS, MULTI_PV, SEARCH, NETWORK)
"""Options that need another agent when they change."""


class UciEngine:
    """A UCI engine: it handles commands one line at a time and writes its answers with a callback.

    Commands are handled in one thread; a search runs in another, so that they are handled during a search too.
    """

    def __init__(self, write: Callable[[str], object]) -> None:
        """`write` receives each line of output, without a line break; it is called by one thread at a time."""
        self._write_line = write
        self._lock = Lock()
        self._settings = Settings()
        self._position: Position = game("chess").start()
        self._agent: Agent | None = None
        self._search: UciSearch | None = None
        self._is_debugging = False
        self._commands: dict[str, Callable[[str], None]] = {
            "uci": self._uci,
            "debug": self._debug,
            "isready": self._is_ready,
            "setoption": self._set_option,
            "register": lambda _: None,
            "ucinewgame": self._new_game,
            "position": self._set_position,
            "go": self._go,
            "stop": self._stop,
            "ponderhit": self._ponderhit,
        }

    def run(self, lines: Iterable[str]) -> None:
        """Handle commands until `quit` or the end of the input."""
        try:
            for line in lines:
                if not self.handle(line):
                    break
        finally:
            self.close()

    def handle(self, line: str) -> bool:
        """Handle one command and return whether more may follow. Errors are written as ``info string``."""
        name, _, rest = line.strip().partition(" ")
        if name == "quit":
            return False
        if self._is_debugging:
            self.write(f"info string received {line.strip()[:200]!r}")
        command = self._commands.get(name)
        try:
            if command is not None:
                command(rest)
            elif name:
                self.write(f"info string unknown command {name[:80]!r}; known: {', '.join(self._commands)}, quit")
        except PlygroundError as error:
            self.write(f"info string error: {error}")
        except Exception as error:  # noqa: BLE001  no input may end the engine
            self.write(f"info string internal error: {describe(error)}")
        return True

    def close(self) -> None:
        """End the search, if any."""
        if self._search is not None:
            self._search.stop()
            self._search.wait()

    def write(self, line: str) -> None:
        """Write a line of output. Thread-safe."""
        with self._lock:
            self._write_line(" ".join(line.splitlines()))

    @property
    def _is_searching(self) -> bool:
        return self._search is not None and self._search.is_running

    def _uci(self, _: str) -> None:
        self.write(f"id name Plyground {__version__}")
        self.write("id author the Plyground authors")
        for option in OPTIONS:
            self.write(option.declaration)
        self.write("uciok")

    def _debug(self, text: str) -> None:
        self._is_debugging = text.strip() != "off"

    def _is_ready(self, _: str) -> None:
        if not self._is_searching:
            self._prepare_agent()
        self.write("readyok")

    def _set_option(self, text: str) -> None:
        option, value = parse_setoption(text)
        if self._is_searching:
            self.write(f"info string error: option {option.name} cannot be set during a search")
        elif option is CLEAR_HASH:
            self._clear()
        else:
            self._settings.set(option, value)
            if option in AGENT_OPTIONS:
                self._agent = None

    def _new_game(self, _: str) -> None:
        self.close()
        self._clear()

    def _clear(self) -> None:
        if self._agent is not None:
            self._agent.clear()

    def _set_position(self, text: str) -> None:
        self._position = find_position(text)

    def _go(self, text: str) -> None:
        self.close()
        go = parse_go(text)
        if go.ignored:
            self.write(f"info string ignored in go: {' '.join(go.ignored)[:200]}")
        position, settings = without_draw(self._position), self._settings
        if position.outcome is not None:
            self._answer_finished_game(position)
            return
        if unknown := [move for move in go.moves if move not in position.moves]:
            self.write(f"info string ignored in searchmoves, because illegal: {' '.join(unknown)[:200]}")
        style = Style(
            lines=settings[MULTI_PV],
            show_wdl=settings[SHOW_WDL],
            is_tree_search=settings[SEARCH] == "mcts",
            hash_mebibytes=settings[HASH],
        )
        self._search = UciSearch(
            self._prepare_agent(),
            position,
            go,
            style,
            self.write,
            overhead=settings[MOVE_OVERHEAD] / 1000,
            is_analysis=settings[ANALYSE_MODE],
            probe=self._probe(),
        )

    def _answer_finished_game(self, position: Position) -> None:
        winner = None if position.outcome is None else position.outcome.winner
        self.write(f"info depth 0 score {'cp 0' if winner is None else 'mate 0'}")
        self.write(f"bestmove {any_move(position) or '(none)'}")

    def _stop(self, _: str) -> None:
        self.close()

    def _ponderhit(self, _: str) -> None:
        if self._search is not None:
            self._search.ponderhit()

    def _prepare_agent(self) -> Agent:
        """Return the agent that the options describe."""
        if self._agent is None:
            self._agent = self._make_agent()
        return self._agent

    def _make_agent(self) -> Agent:
        settings = self._settings
        options = {"mebibytes": settings[HASH], "threads": settings[THREADS]}
        if settings[NETWORK]:
            options["network"] = settings[NETWORK]
        if settings[SEARCH] == "mcts":
            return MctsAgent(**options, reuse="true")
        return AlphaBetaAgent(**options, reuse="always", lines=settings[MULTI_PV])

    def _probe(self) -> Probe | None:
        """Return a function that probes the Syzygy files; None without any."""
        folder = self._settings[SYZYGY_PATH]
        if not folder:
            return None
        tables = SyzygyAgent(folder=folder, fallback="random")

        def probe(position: Position) -> Analysis | None:
            return None if tables.exact_moves(position) is None else tables.analyse(position)

        return probe
