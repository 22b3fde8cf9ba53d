"""Games of a teacher as training data, kept in memory or in a file."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from plyground._engine import Position, SelfPlay, split_seed
from plyground.learn.games_file import CHUNK_GAMES, GamesFile
from plyground.learn.recorded import recorded_games
from plyground.learn.teachers import LabelledGame, Teacher, check_teacher, label_record, make_teacher, play_game

if TYPE_CHECKING:
    from plyground.learn.network import NetworkSettings


class Lessons:
    """Appends the games of a teacher to self-play data, one by one."""

    def __init__(self, games: SelfPlay, start: Position, settings: NetworkSettings, seed: int) -> None:
        check_teacher(settings.teacher, start)
        self._games, self._start, self._settings, self._seed = games, start, settings, seed
        self._records = recorded_games(settings.records, start.game, settings.games) if settings.records else None
        self.total = settings.games if self._records is None else len(self._records)
        """Number of games, at most that of the recorded ones."""
        self._stack = ExitStack()
        self._teacher: Teacher | None = None
        self._saved = 0
        self.count = 0
        """Number of games played or read."""
        self._file = self._open_file() if settings.data else None
        if self._file is not None:
            for chunk in self._file.read():
                games.load(chunk)
            self._saved = games.games_played

    def _open_file(self) -> GamesFile:
        settings = self._settings
        limit = "nodes" if settings.teacher.startswith("uci:") else "depth"
        names = ("teacher", limit, *(("records",) if settings.records else ("opening_plies", "epsilon")))
        kept = {name: getattr(settings, name) for name in names}
        return GamesFile(Path(settings.data), {"game": self._start.game.spec, "seed": self._seed, **kept})

    @property
    def is_exact(self) -> bool:
        """Whether the sign of every score is the result under perfect play."""
        return self._settings.teacher == "solver"

    def next_game(self) -> tuple[int, int] | None:
        """Play a game; return the result for the first side and the number of plies, or None if the file has it."""
        self.count += 1
        if self.count <= self._games.games_played:
            return None
        game = self._play(self.count - 1)
        self._games.append(game.moves, game.scores, game.result)
        if self._file is not None and (self.count % CHUNK_GAMES == 0 or self.count == self.total):
            self._file.append(self._dump())
        if self.count == self.total:
            self._stack.close()
        return game.result, len(game.moves)

    def checkpoint(self) -> bytes:
        """Return the games since the last checkpoint, or the number of games if a file keeps them."""
        return self._dump() if self._file is None else self.count.to_bytes(8, "little")

    def restore(self, data: bytes) -> None:
        """Continue from a checkpoint."""
        if self._file is not None:
            self.count = min(int.from_bytes(data, "little"), self._games.games_played)
        else:
            self._games.load(data)
            self._saved = self.count = self._games.games_played

    def _dump(self) -> bytes:
        """Return the games that have not been saved."""
        first, self._saved = self._saved, self._games.games_played
        return self._games.dump(first)

    def _play(self, number: int) -> LabelledGame:
        settings = self._settings
        if self._teacher is None:
            teacher = make_teacher(settings.teacher, self._start, nodes=settings.nodes, depth=settings.depth)
            self._teacher = self._stack.enter_context(teacher)
        if self._records is not None:
            return label_record(self._teacher, self._start, self._records[number])
        return play_game(
            self._teacher,
            self._start,
            opening_plies=settings.opening_plies,
            epsilon=settings.epsilon,
            seed=split_seed(self._seed, number),
        )
