"""The native core: rules and search. Private: import these names from `plyground`."""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, final

__all__ = [
    "AlphaBeta",
    "Game",
    "Outcome",
    "Position",
    "Rng",
    "Search",
    "SelfPlay",
    "Solver",
    "Tables",
    "Tally",
    "TdLearner",
    "Weights",
    "__version__",
    "alphabeta_options",
    "book_ply",
    "book_positions",
    "build_tables",
    "compiled_game",
    "compiled_limits",
    "count_patterns",
    "duel",
    "game",
    "game_ids",
    "measure",
    "own_game",
    "random_ending",
    "search_options",
    "split_seed",
    "terms",
    "write_book",
]

__version__: str

@final
class Game:
    """The fixed facts of a game with its options chosen. Two games are equal if their specs are.

    >>> import plyground
    >>> game = plyground.game("connect4")
    >>> game.sides, game.rows, game.columns
    (('red', 'yellow'), 6, 7)
    """

    @property
    def id(self) -> str:
        """The name in specs: `checkers`."""
    @property
    def title(self) -> str:
        """The name for people: `Checkers`."""
    @property
    def spec(self) -> str:
        """The shortest text that makes this game again: `connect4(columns=8)`."""
    @property
    def rows(self) -> int:
        """Rows of the board as books print it."""
    @property
    def columns(self) -> int:
        """Columns of the board."""
    @property
    def squares(self) -> tuple[tuple[str | None, ...], ...]:
        """The name of each cell, row by row from the top; None where no piece can stand."""
    @property
    def sides(self) -> tuple[str, str]:
        """What the two sides are called, the one that begins first."""
    @property
    def pieces(self) -> dict[str, tuple[str, str]]:
        """The side and the name of each letter of `Position.cells`: `{'b': ('black', 'man'), ...}`."""
    @property
    def column_labels(self) -> tuple[str, ...]:
        """What stands below each column of the board; empty where squares carry numbers."""
    @property
    def row_labels(self) -> tuple[str, ...]:
        """What stands left of each row, top row first; empty where nothing does."""
    @property
    def bottom(self) -> str:
        """The side that sits at the bottom of the board as books print it."""
    @property
    def actions(self) -> int:
        """`Position.action` is below this."""
    @property
    def features(self) -> int:
        """Each of `Position.features` is below this."""
    @property
    def options(self) -> dict[str, tuple[str, str]]:
        """What can be chosen in a spec: each option's default and what it means."""
    @property
    def tuning(self) -> dict[str, str]:
        """Options of the tree search that suit the game better than the usual ones; a search begins with them."""
    def start(self) -> Position:
        """The position in which the game begins."""
    def position(self, text: str | None = None, moves: Sequence[str] = ()) -> Position:
        """The position that a text describes (None: the start), and the moves played from there.

        >>> import plyground
        >>> plyground.game("checkers").position("W:WK3:B10").moves
        ['3-7', '3-8']
        >>> plyground.game("connect4").position("4453").turn
        'red'
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Position:
    """What is on the board and who moves, with the moves that led there. Immutable: `play` gives a new one.

    Positions are equal if the same pieces stand on the same squares and the same side moves (with the same rights, in
    chess), however they came about; the moves before count for repetition only.

    >>> import plyground
    >>> position = plyground.game("tictactoe").start().play("b2")
    >>> position.text, position.turn
    ('.../.x./...', 'o')
    """

    @property
    def game(self) -> Game:
        """The game this is a position of."""
    @property
    def turn(self) -> str:
        """The side to move; after the end, the side that would move."""
    @property
    def moves(self) -> list[str]:
        """The legal moves, always in the same order; empty exactly when the game is over."""
    @property
    def outcome(self) -> Outcome | None:
        """Who won and why, or None while the game goes on.

        >>> import plyground
        >>> plyground.game("connect4").position("1212121").outcome
        Outcome("red", "line")
        """
    @property
    def exact(self) -> dict[str, Any] | None:
        """Winner (None: a draw) and distance in plies (None: not known) under best play, by the tables in use."""
    @property
    def text(self) -> str:
        """The position in writing: FEN for chess and checkers, rows from the top for the others."""
    @property
    def ply(self) -> int:
        """Moves played since the start."""
    @property
    def history(self) -> list[str]:
        """The moves played since the start."""
    @property
    def history_notation(self) -> list[str]:
        """The moves played since the start as books of the game print them.

        >>> import plyground
        >>> plyground.game("chess").position(moves=["e2e4", "g8f6"]).history_notation
        ['e4', 'Nf6']
        """
    @property
    def cells(self) -> dict[str, str]:
        """The letter of what stands on each occupied square; kings of checkers are capital letters."""
    @property
    def urgent(self) -> list[str]:
        """The squares the rules point at: a king in check, the pieces that must capture, the line that won.

        >>> import plyground
        >>> plyground.game("tictactoe").position(moves=["a1", "b2", "a2", "b3", "a3"]).urgent
        ['a3', 'a2', 'a1']
        """
    @property
    def features(self) -> list[int]:
        """Indexes of piece-on-square seen from the mover's side, ascending; what learning reads."""
    @property
    def key(self) -> int:
        """A 64-bit hash, equal for equal positions in every process."""
    def play(self, mv: str) -> Position:
        """The position after a move, in any notation of the game."""
    def unplay(self) -> Position:
        """The position before the last move."""
    def replay(self, plies: int) -> Position:
        """The same game as it stood after its first `plies` moves."""
    def without_history(self) -> Position:
        """The same position, clocks and all, as the start of a game: nothing before it can be repeated."""
    def play_random(self, rng: Rng) -> Position:
        """The position after `moves[rng.below(len(moves))]`."""
    def name(self, mv: str) -> str:
        """The move as `moves` spells it, from any notation of the game.

        >>> import plyground
        >>> plyground.game("chess").start().name("Nf3")
        'g1f3'
        """
    def notation(self, mv: str) -> str:
        """The move as books of the game print it: SAN for chess."""
    def path(self, mv: str) -> list[str]:
        """The squares a hand touches to make a move, in order.

        >>> import plyground
        >>> plyground.game("checkers").position("B:W6,14:B1").path("1x17")
        ['1', '10', '17']
        """
    def action(self, mv: str) -> int:
        """The move's index for learning, below `Game.actions`, seen from the mover's side."""
    def perft(self, depth: int) -> int:
        """The number of move sequences of a length: the test of rules.

        >>> import plyground
        >>> plyground.game("chess").start().perft(3)
        8902
        """
    def divide(self, depth: int) -> list[tuple[str, int]]:
        """`perft` apart for each first move; empty at depth 0."""
    def playouts(self, count: int, seed: int) -> Tally:
        """Random games from here to the end, added up."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Outcome:
    """Who won (None: a draw) and why the game ended."""

    def __new__(cls, winner: str | None, reason: str) -> Outcome: ...
    @property
    def winner(self) -> str | None:
        """The side that won."""
    @property
    def reason(self) -> str:
        """Why the game ended: `line`, `no moves`, `checkmate`, `repetition`, ..."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Search:
    """A tree search of a position: run it, ask what it thinks, stop it from another thread, move it on.

    `options` are tunables as texts (see `search_options`). With `threads` above 1 the threads grow one tree together;
    with `workers` above 1 so many trees grow apart and are added up, and the seed still decides everything.
    An `evaluator` is called with a list of unfinished positions and answers (values, priors): for each the value for
    the side to move from 0 to 1, and for each the priors of its moves, or None for all alike. `weights` judge in the
    place of the game's rule of thumb, wherever the options have that used.
    """

    def __new__(
        cls,
        position: Position,
        options: Sequence[tuple[str, str]] = (),
        *,
        evaluator: Callable[[list[Position]], tuple[Sequence[float], Sequence[Sequence[float] | None] | None]]
        | None = None,
        weights: Weights | None = None,
        threads: int = 1,
        workers: int = 1,
        mebibytes: int = 256,
    ) -> Search: ...
    def run(
        self,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        seed: int,
        report: Callable[[dict[str, Any]], object] | None = None,
        every: float = 0.1,
    ) -> dict[str, Any]:
        """Search until a limit, until the value is proven, or until `stop`; then what it thinks.

        `report` is called after 20 ms and then `every` so many seconds with what it thinks so far.
        """
    def stop(self) -> None:
        """Make `run` in another thread return what it thinks so far."""
    def thought(self) -> dict[str, Any]:
        """What it thinks: moves (each with move, visits, value, prior, proof, line), best, value, proof, work done."""
    def top(self, count: int) -> list[dict[str, Any]]:
        """The most visited nodes, parents first.

        Of each: parent, move, turn, visits, value, total, minimax, bonus, proof, children.
        """
    def move_to(self, position: Position) -> None:
        """Turn to another position; what is known of it is kept where it follows from the last one."""
    def clear(self) -> None:
        """Forget everything."""
    def dump(self) -> bytes:
        """Everything it knows."""
    def restore(self, dumped: bytes) -> None:
        """Put what `dump` gave at the same position in place of what it knows; anything else is a ParseError."""

@final
class AlphaBeta:
    """An alpha-beta search of a position: run it, stop it from another thread.

    `options` are switches as texts (see `alphabeta_options`); `weights` judge leaves in the place of the evaluation;
    `mebibytes` is the memory of its transposition table.

    >>> import plyground
    >>> from plyground._engine import AlphaBeta
    >>> thought = AlphaBeta(plyground.game("connect4").position("3344")).run(depth=5)
    >>> thought["proof"], thought["score"]
    ({'winner': 'red', 'distance': 3}, 29997)
    """

    def __new__(
        cls,
        position: Position,
        options: Sequence[tuple[str, str]] = (),
        *,
        weights: Weights | None = None,
        mebibytes: int = 64,
    ) -> AlphaBeta: ...
    def run(
        self,
        *,
        depth: int | None = None,
        seconds: float | None = None,
        report: Callable[[dict[str, Any]], object] | None = None,
    ) -> dict[str, Any]:
        """Search until a limit, until nothing can change, or until `stop`; then what it thinks.

        That is: moves (each with move, score, bound, proof, line), best, score, proof, depth, deepest, nodes, cutoffs,
        seconds, bytes. Scores are hundredths of a man or pawn for the side to move, a win in n plies 30000 - n; a
        bound is `exact`, `lower` or `upper`. `report` is called with the same after each depth.
        """
    def stop(self) -> None:
        """Make `run` in another thread return what it thinks so far."""

@final
class Weights:
    """What the terms or the patterns of a game are worth.

    >>> import plyground
    >>> from plyground._engine import Weights
    >>> start = plyground.game("tictactoe").start()
    >>> Weights.of_terms(start, [0.2, 0.3, 0.05]).judge(start.play("b2"))
    -150
    """

    @staticmethod
    def of_terms(position: Position, values: Sequence[float]) -> Weights:
        """One number for each of `terms(position)`."""
    @staticmethod
    def of_patterns(position: Position, data: bytes) -> Weights:
        """For each pattern two numbers of 16 bits, little-endian: its worth at the beginning and at the end."""
    def judge(self, position: Position) -> int:
        """How much the side to move stands better, in hundredths of a man or pawn."""

@final
class TdLearner:
    """A learner by temporal differences, between two games; what it learns is `weights` and `frozen` after `played`."""

    def __new__(
        cls,
        position: Position,
        weights: Sequence[float],
        frozen: Sequence[float],
        played: int,
        *,
        variant: str,
        games: int,
        depth: int,
        lambda_: float,
        rate: float,
        epsilon: float,
        random_share: float,
        refresh: int,
        terminal: float,
        opening: int,
        seed: int,
    ) -> TdLearner: ...
    @property
    def weights(self) -> list[float]:
        """What it learned."""
    @property
    def frozen(self) -> list[float]:
        """What its opponent plays by, once it is no longer random."""
    @property
    def played(self) -> int:
        """Games so far."""
    def play(self) -> tuple[int, str, int, float]:
        """Play a game and learn from it: what the learner got (1, 0, -1), its side, plies, mean squared error."""

@final
class SelfPlay:
    """Games that a program played against itself, and weights of patterns fitted to their results."""

    def __new__(
        cls,
        position: Position,
        *,
        depth: int,
        opening: int,
        epsilon: float,
        epochs: int,
        rate: float,
        decay: float,
        blend: float,
        seed: int,
    ) -> SelfPlay: ...
    @property
    def played(self) -> int:
        """Games so far."""
    def play(self, weights: Weights | None = None) -> tuple[int, int]:
        """Play the next game, judging by weights or by rule of thumb: the first side's result (1, 0, -1) and plies."""
    def fit(self, games: int) -> tuple[bytes, int, float]:
        """Weights fitted to the first games, as `Weights.of_patterns` reads them; positions; mean loss."""
    def dump(self, first: int) -> bytes:
        """The games from a number on."""
    def load(self, data: bytes) -> None:
        """Add games that `dump` wrote."""

@final
class Solver:
    """An exact solver of Connect Four, or of tic-tac-toe and its family up to 16 cells; any thread may stop it.

    `book` is the file of an opening book of the 7x6 board; `mebibytes` is the memory of what it remembers.
    """

    def __new__(cls, game: Game, *, mebibytes: int = 64, threads: int = 1, book: bytes | None = None) -> Solver: ...
    @property
    def bytes(self) -> int:
        """Memory of what it remembers."""
    def solve(
        self,
        position: Position,
        *,
        every: bool = False,
        seconds: float | None = None,
        report: Callable[[int, int, int], object] | None = None,
    ) -> dict[str, Any] | None:
        """What is certain of an unfinished game: score, distance, moves, nodes, seconds; None if it was stopped before.

        With `every`, moves has the text, score and distance of every legal move. `report` is called ten times a second
        with the least and the most that the score being sought can still be, and the nodes.
        """
    def scores(self, positions: Sequence[Position]) -> list[int] | None:
        """The scores of unfinished games, which its threads share out; None if it was stopped before."""
    def stop(self) -> None:
        """Make `solve` or `scores` in another thread return None."""
    def clear(self) -> None:
        """Forget everything but the book."""

@final
class Tables:
    """Open endgame tables of checkers, checked in full; they stay in memory until the process ends.

    Values (`win`, `draw`, `loss`) are for the side to move; distances are plies to the end, None where not known.
    """

    def __new__(cls, folder: str | PathLike[str]) -> Tables: ...
    @property
    def folder(self) -> str:
        """Where their files are."""
    @property
    def pieces(self) -> int:
        """Every position with up to so many pieces is known."""
    @property
    def bytes(self) -> int:
        """The size of their files."""
    def use(self) -> None:
        """Make these the tables that `Position.exact` of checkers and searches ask, in all threads."""
    def probe(self, text: str) -> tuple[str, int | None] | None:
        """Value and distance of the position that a FEN describes; None where it has too many pieces."""
    def conversions(self, text: str) -> list[int | None] | None:
        """For each legal move the plies to the next capture or step of a man, if the winner hurries; None to a draw."""
    def counts(self) -> list[dict[str, int]]:
        """Positions won, drawn and lost for black to move, for each number of men and kings of both sides."""
    def verify(
        self, pieces: int, samples: int, seed: int, *, threads: int = 1, report: Callable[[int], object] | None = None
    ) -> tuple[str, tuple[str, int | None], tuple[str, int | None]] | None:
        """The first position of a sample whose value does not follow from those one move on, and both values."""

@final
class Tally:
    """What many random games came to."""

    @property
    def first(self) -> int:
        """Wins of the side that begins the game."""
    @property
    def second(self) -> int:
        """Wins of the other side."""
    @property
    def draws(self) -> int:
        """Games without a winner."""
    @property
    def plies(self) -> int:
        """Moves in all the games together."""

@final
class Rng:
    """The seeded generator of everything random; the same numbers in Rust and in Python.

    >>> import plyground
    >>> rng = plyground.Rng(1)
    >>> 0 <= rng.below(6) < 6, 0 <= rng.unit() < 1
    (True, True)
    """

    def __new__(cls, seed: int) -> Rng: ...
    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1, each as likely."""
    def unit(self) -> float:
        """A number in [0, 1)."""

def book_ply(book: bytes) -> int:
    """The ply of the Connect Four book that a file is; an error if it is none."""

def book_positions(ply: int) -> list[str]:
    """The positions of a Connect Four book of this ply, in the order that their scores are wanted in."""

def compiled_game(
    adapter: object,
    start: Sequence[int],
    names: Sequence[str],
    addresses: tuple[int, int, int, int, int],
    functions: object,
) -> Game:
    """The game of an adapter with rules in C; only `plyground.own` calls this, with what Numba compiled."""

def build_tables(
    folder: str | PathLike[str],
    pieces: int,
    *,
    threads: int = 1,
    again: bool = False,
    report: Callable[[int, int], object] | None = None,
) -> None:
    """Build the tables of up to so many pieces that are missing in a folder; with `again`, all of them.

    `report` is called now and then with the positions done and to do; what it raises, and Ctrl-C, end the build, and
    the slices that are done stay.
    """

def compiled_limits() -> tuple[int, int]:
    """The most numbers of a state and the most moves of a position of a compiled game."""

def alphabeta_options() -> list[tuple[str, str, str, str]]:
    """Name, default, what is accepted and what it does, of every switch of `AlphaBeta`."""

def game(name: str, options: Sequence[tuple[str, str]]) -> Game:
    """The game of this id; options are texts."""

def terms(position: Position) -> list[tuple[str, str, float]]:
    """Name, what it measures and starting weight of each term of the position's game; none for games without."""

def measure(position: Position) -> list[float]:
    """The terms of a position, seen by the first side, each between about -1 and 1."""

def count_patterns(position: Position) -> int:
    """The number of patterns of the position's game; 0 for games without."""

def duel(
    position: Position,
    first: Weights | str,
    second: Weights | str,
    *,
    depth: int | None = None,
    seconds: float | None = None,
    opening: int = 0,
    seed: int = 0,
) -> int:
    """What the first side gets (1, 0 or -1) in a game between two searches, after some random plies.

    Each side judges by weights, or by the game's rule of thumb (`estimate`), or plays any move (`random`). The opening
    follows from the seed alone.
    """

def game_ids() -> list[str]:
    """The ids of all games, in the order in which people meet them."""

def own_game(adapter: object, remember: int) -> Game:
    """The game of an adapter of `plyground.own`, which keeps up to `remember` states."""

def random_ending(pieces: int, seed: int) -> str:
    """A position of checkers with so many pieces: the material drawn first, each as likely, then the squares."""

def search_options() -> list[tuple[str, str, str, str]]:
    """Name, default, what is accepted and what it does, of every tunable of `Search`."""

def split_seed(seed: int, n: int) -> int:
    """The seed of stream `n` of `seed`: a match's n-th game, a game's n-th move."""

def write_book(ply: int, scores: Sequence[int]) -> bytes:
    """The file of a Connect Four book from the scores of `book_positions`."""
