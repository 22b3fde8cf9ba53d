"""The native engine: rules, search, solvers and learning. Private; import public names from `plyground`."""

from collections.abc import Callable, Sequence
from os import PathLike
from types import TracebackType
from typing import Any, final

from numpy import float32
from numpy.typing import NDArray

__all__ = [
    "AlphaBeta",
    "Game",
    "Interrupt",
    "Network",
    "Outcome",
    "PlayoutResults",
    "Position",
    "QLearner",
    "QTable",
    "Rng",
    "Search",
    "SelfPlay",
    "Solver",
    "Tables",
    "TdLearner",
    "Weights",
    "__version__",
    "alphabeta_options",
    "book_ply",
    "book_positions",
    "build_tables",
    "compiled_game",
    "compiled_limits",
    "encode_planes",
    "episode_transitions",
    "evaluate_features",
    "features",
    "game",
    "game_ids",
    "pattern_count",
    "play_episode",
    "play_game",
    "random_endgame",
    "search_options",
    "split_seed",
    "user_game",
    "write_book",
]

__version__: str

_OptionFacts = tuple[str, str, str, tuple[float, float] | None, list[str], str]

@final
class Game:
    """A game with its options. Games with equal specs are equal.

    >>> import plyground
    >>> game = plyground.game("connect4")
    >>> game.sides, game.rows, game.columns
    (('red', 'yellow'), 6, 7)
    """

    @property
    def id(self) -> str:
        """The name in specs, such as `checkers`."""
    @property
    def title(self) -> str:
        """The display name, such as `Checkers`."""
    @property
    def rules(self) -> str:
        """The rules in a few sentences; in a user game, its `rules` attribute or else the docstring of its class."""
    @property
    def spec(self) -> str:
        """The shortest spec of this game, such as `connect4(columns=8)`."""
    @property
    def rows(self) -> int:
        """Number of rows of the board; 0 for a user game without a board."""
    @property
    def columns(self) -> int:
        """Number of columns of the board."""
    @property
    def squares(self) -> tuple[tuple[str | None, ...], ...]:
        """The name of each square, row by row from the top; None for unused squares."""
    @property
    def sides(self) -> tuple[str, str]:
        """The names of the two sides; the first one moves first."""
    @property
    def pieces(self) -> dict[str, tuple[str, str]]:
        """The side and name of the piece for each letter in `Position.cells`: `{'b': ('black', 'man'), ...}`."""
    @property
    def column_labels(self) -> tuple[str, ...]:
        """Labels below the columns; empty for boards with numbered squares."""
    @property
    def row_labels(self) -> tuple[str, ...]:
        """Labels to the left of the rows, from the top; empty for boards without row labels."""
    @property
    def bottom(self) -> str:
        """The side at the bottom of the board in standard diagrams."""
    @property
    def actions(self) -> int:
        """Number of distinct actions; `Position.action` returns an index below this number."""
    @property
    def plane_names(self) -> tuple[str, ...]:
        """A description of each plane of `Position.planes`.

        >>> import plyground
        >>> plyground.game("connect4").plane_names
        ('own discs', 'opposing discs')
        """
    @property
    def features(self) -> int:
        """Number of input features for learning; every index in `Position.active_features` is below this number."""
    @property
    def options(self) -> dict[str, tuple[str, str]]:
        """The default and description of each option that a spec can set."""
    @property
    def tuning(self) -> dict[str, str]:
        """Game-specific defaults of the tree search options."""
    def start(self) -> Position:
        """Return the initial position."""
    def position(self, text: str | None = None, moves: Sequence[str | int] = ()) -> Position:
        """Return the position after playing `moves` from the position `text`, by default the initial position.

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
    """A position with its move history. Immutable: `play` returns a new position.

    Positions are equal if the board and the side to move (in chess, also castling and en passant rights) are equal. The
    history only matters for draws by repetition.

    >>> import plyground
    >>> position = plyground.game("tictactoe").start().play("b2")
    >>> position.text, position.turn
    ('.../.x./...', 'o')
    """

    @property
    def game(self) -> Game:
        """The game of this position."""
    @property
    def turn(self) -> str:
        """The side to move; in a finished game, the side that would move."""
    @property
    def moves(self) -> list[str]:
        """The legal moves in a fixed order; empty if and only if the game is over."""
    @property
    def outcome(self) -> Outcome | None:
        """The winner and the reason, or None if the game is not over.

        >>> import plyground
        >>> plyground.game("connect4").position("1212121").outcome
        Outcome("red", "line")
        """
    @property
    def proven_value(self) -> dict[str, Any] | None:
        """Winner (None for a draw) and distance in plies (None if unknown) from the active endgame tables.

        None if the tables do not cover the position.
        """
    @property
    def text(self) -> str:
        """The position as text: FEN in chess and checkers, rows from the top in other built-in games."""
    @property
    def ply(self) -> int:
        """Number of moves played since the start."""
    @property
    def reversible_plies(self) -> int:
        """Number of plies since the last irreversible move; earlier positions cannot recur."""
    @property
    def history(self) -> list[str]:
        """The moves played since the start."""
    @property
    def history_notation(self) -> list[str]:
        """The moves played since the start, in standard notation (SAN for chess).

        >>> import plyground
        >>> plyground.game("chess").position(moves=["e2e4", "g8f6"]).history_notation
        ['e4', 'Nf6']
        """
    @property
    def cells(self) -> dict[str, str]:
        """The piece letter of each occupied square; checkers kings are upper-case."""
    @property
    def highlighted(self) -> list[str]:
        """Squares to highlight: a king in check, pieces that must capture, or the winning line.

        >>> import plyground
        >>> plyground.game("tictactoe").position(moves=["a1", "b2", "a2", "b3", "a3"]).highlighted
        ['a3', 'a2', 'a1']
        """
    @property
    def active_features(self) -> list[int]:
        """Indices of the active piece-square features, ascending, from the point of view of the side to move."""
    @property
    def opponent_features(self) -> list[int]:
        """Indices of the active piece-square features, ascending, from the point of view of the other side."""
    @property
    def symmetries(self) -> list[tuple[list[int], list[int]]]:
        """The symmetries of the game other than the identity: the feature and the action that each one becomes.

        >>> import plyground
        >>> [actions for _, actions in plyground.game("connect4").start().symmetries]
        [[6, 5, 4, 3, 2, 1, 0]]
        """
    @property
    def key(self) -> int:
        """A 64-bit hash, equal for equal positions and stable across processes."""
    def play(self, mv: str | int) -> Position:
        """Return the position after a move in any notation of the game; moves that are numbers may be integers.

        >>> import plyground
        >>> plyground.game("chess").start().play("Nf3").play("e7e5").history
        ['g1f3', 'e7e5']
        >>> plyground.game("connect4").start().play(4).play(4).history
        ['4', '4']
        """
    def undo(self) -> Position:
        """Return the position before the last move."""
    def replay(self, plies: int) -> Position:
        """Return the position after the first `plies` moves of the history."""
    def without_history(self) -> Position:
        """Return the same position, including its move counters, without the history used to detect repetition."""
    def play_random(self, rng: Rng) -> Position:
        """Return the position after `moves[rng.below(len(moves))]`."""
    def play_decisive(self, rng: Rng) -> Position:
        """Return the position after a winning move if there is one, otherwise a blocking move, otherwise a random move.

        In Connect Four, the random move does not let the opponent win immediately if that can be avoided. The engine's
        playouts choose moves in this way by default.
        """
    def parse_move(self, text: str | int) -> str:
        """Convert a move in any notation of the game to its form in `moves`.

        >>> import plyground
        >>> plyground.game("chess").start().parse_move("Nf3")
        'g1f3'
        """
    def notation(self, mv: str | int) -> str:
        """Return a move in standard notation (SAN for chess)."""
    def path(self, mv: str | int) -> list[str]:
        """Return the squares of a move in order: from, via, to.

        >>> import plyground
        >>> plyground.game("checkers").position("B:W6,14:B1").path("1x17")
        ['1', '10', '17']
        """
    def action(self, mv: str | int) -> int:
        """Return the action index of a move, below `Game.actions`, from the point of view of the side to move."""
    @property
    def actions(self) -> list[int]:
        """The action index of each move in `moves`. Different moves rarely have the same action."""
    def planes(self, side: str | None = None) -> NDArray[float32]:
        """Return an array of shape (planes, rows, columns), the input of a convolutional network.

        `Game.plane_names` describes the planes. Values are between 0 and 1. The board is seen from the point of view of
        `side`, by default the side to move, which plays up the board. `plyground.batch` encodes many positions at once.

        >>> import plyground
        >>> planes = plyground.game("connect4").start().play(4).planes()
        >>> planes.shape, planes[1, 5].tolist()
        ((2, 6, 7), [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
        """
    def _repr_svg_(self) -> str:
        """Return the board as an SVG image for notebooks."""
    def captures(self, mv: str | int) -> bool:
        """Whether a move is a capture."""
    def ends_on_edge(self, mv: str | int) -> bool:
        """Whether a move ends on the edge of the board."""
    def winning_move(self) -> str | None:
        """Return an immediately winning move, if the game can find one without trying moves, as in Connect Four.

        >>> import plyground
        >>> plyground.game("connect4").position("112233").winning_move()
        '4'
        """
    def blocking_move(self) -> str | None:
        """Return the move that blocks an opponent's immediate win, if the game can find it without trying moves."""
    def expected_score(self, weights: Weights | None = None) -> float:
        """Return the expected score (0 to 1) of the side to move after pending captures.

        The score comes from `weights` or, by default, from the game's heuristic.

        >>> import plyground
        >>> plyground.game("chess").start().expected_score()
        0.5
        """
    @property
    def material(self) -> int:
        """Material balance in centipawns for the side to move.

        It is 0 in Connect Four and tic-tac-toe, and the heuristic in user games.
        """
    def perft(self, depth: int) -> int:
        """Count the move sequences of length `depth`.

        >>> import plyground
        >>> plyground.game("chess").start().perft(3)
        8902
        """
    def divide(self, depth: int) -> list[tuple[str, int]]:
        """Split `perft(depth)` by first move; empty at depth 0."""
    def playouts(self, count: int, seed: int) -> PlayoutResults:
        """Play `count` random games from this position and return the totals."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Outcome:
    """The result of a finished game."""

    def __new__(cls, winner: str | None, reason: str) -> Outcome: ...
    @property
    def winner(self) -> str | None:
        """The side that won; None for a draw."""
    @property
    def reason(self) -> str:
        """Why the game ended: `line`, `no moves`, `checkmate`, `repetition`, ..."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Search:
    """A Monte Carlo tree search that can be stopped from any thread and moved to later positions.

    `options` are pairs of strings (see `search_options`). `threads` share one tree; `workers` grow independent trees
    whose visits are added up, which keeps the search deterministic. An `evaluator` is called with a list of unfinished
    positions and returns (values, priors): for each position, a value from 0 to 1 for the side to move, and the priors
    of its moves or None for uniform priors. A `network` does the same without Python. `weights` replace the game's
    heuristic wherever the options use it.
    """

    def __new__(
        cls,
        position: Position,
        options: Sequence[tuple[str, str]] = (),
        *,
        evaluator: Callable[[list[Position]], tuple[Sequence[float], Sequence[Sequence[float] | None] | None]]
        | None = None,
        network: Network | None = None,
        q_table: QTable | None = None,
        weights: Weights | None = None,
        threads: int = 1,
        workers: int = 1,
        mebibytes: int = 256,
    ) -> Search: ...
    @property
    def options(self) -> dict[str, str]:
        """The value of every option, including the defaults of the game."""
    def run(
        self,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        seed: int,
        root_moves: Sequence[str] = (),
        report: Callable[[dict[str, Any]], object] | None = None,
        report_interval: float = 0.1,
    ) -> dict[str, Any]:
        """Search until a limit is reached, the value is proven, or `stop` is called, and return the analysis.

        `seconds` must not be negative. `root_moves` restricts the search to the given legal moves; an empty sequence
        allows all. `report` is called with the current analysis, first after at most 10 ms, then every
        `report_interval` seconds. The functions of a user game are not called after the deadline.
        """
    def stop(self) -> None:
        """Make `run` in another thread return its current result."""
    def analysis(self) -> dict[str, Any]:
        """Return the analysis: moves (move, visits, value, prior, proven, pv), best, value, proven and statistics."""
    def top_nodes(self, count: int) -> list[dict[str, Any]]:
        """Return the most visited nodes, parents first.

        The keys of each node are parent, move, turn, visits, value, total, minimax, exploration, score, proven and
        children.
        """
    def move_to(self, position: Position) -> None:
        """Make another position the root. Its subtree is kept if it was reached from the current root."""
    def clear(self) -> None:
        """Discard the tree."""
    def dump(self) -> bytes:
        """Serialise the tree."""
    def restore(self, dumped: bytes) -> None:
        """Replace the tree with one that `dump` serialised at the same position; raise `ParseError` if invalid."""

@final
class AlphaBeta:
    """An alpha-beta search of a position. It can be stopped from any thread.

    `options` are pairs of strings (see `alphabeta_options`). `weights` or a network replace the evaluation function.
    `mebibytes` is the size of the transposition table, which is kept between runs. Results are reproducible only with
    one thread.

    >>> import plyground
    >>> from plyground._engine import AlphaBeta
    >>> analysis = AlphaBeta(plyground.game("connect4").position("3344")).run(depth=5)
    >>> analysis["proven"], analysis["score"]
    ({'winner': 'red', 'distance': 3}, 29997)
    """

    def __new__(
        cls,
        position: Position,
        options: Sequence[tuple[str, str]] = (),
        *,
        weights: Weights | Network | None = None,
        mebibytes: int = 64,
        threads: int = 1,
    ) -> AlphaBeta: ...
    def run(
        self,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
        root_moves: Sequence[str] = (),
        report: Callable[[dict[str, Any]], object] | None = None,
    ) -> dict[str, Any]:
        """Search until a limit is reached, the value is proven, or `stop` is called, and return the analysis.

        `root_moves` are the moves to consider, all if empty; the values then hold only for these moves. The analysis
        contains moves (move, score, bound, proven, pv), best, score, proven, depth, max_depth, nodes, cutoffs,
        table_used (fraction of the transposition table filled by the search), seconds and bytes. Scores are in
        centipawns for the side to move; a win in n plies is 30000 - n. A bound is `exact`, `lower` or `upper`. `report`
        is called with the analysis after each iteration.
        """
    def stop(self) -> None:
        """Make `run` in another thread return its current result."""
    def move_to(self, position: Position) -> None:
        """Set the position that `run` searches. It must belong to the same game."""
    def clear(self) -> None:
        """Clear the transposition table and the move-ordering statistics of earlier runs."""

@final
class Weights:
    """Feature or pattern weights of a game.

    >>> import plyground
    >>> from plyground._engine import Weights
    >>> start = plyground.game("tictactoe").start()
    >>> Weights.from_features(start, [0.2, 0.3, 0.05]).evaluate(start.play("b2"))
    -150
    """

    @staticmethod
    def from_features(position: Position, values: Sequence[float]) -> Weights:
        """Create feature weights, one for each of `features(position)`."""
    @staticmethod
    def from_patterns(position: Position, data: bytes) -> Weights:
        """Create pattern weights: two little-endian 16-bit integers per pattern, for the opening and the endgame."""
    def evaluate(self, position: Position) -> int:
        """Evaluate a position for the side to move, in centipawns."""

@final
class Network:
    """A compact value-and-policy network of a game, evaluated with integers.

    `tensors` are the name, shape and little-endian 32-bit floats of each array: features.weight and features.bias,
    value.weight and value.bias, and, for a policy, hidden.weight, hidden.bias, policy.weight and policy.bias. The
    value head has one set of weights for every `bucket_pieces` pieces on the board.
    """

    def __new__(
        cls, position: Position, tensors: Sequence[tuple[str, Sequence[int], bytes]], *, bucket_pieces: int = 1024
    ) -> Network: ...
    @property
    def has_policy(self) -> bool:
        """Whether the network predicts moves."""
    def predict(self, position: Position, *, exact: bool = False) -> tuple[tuple[float, float, float], list[float]]:
        """Return the probabilities of a win, a draw and a loss of the side to move, and the logit of each legal move.

        `exact` uses the original floating-point weights instead of integers.
        """

@final
class TdLearner:
    """A temporal-difference learner. Its state consists of weights, opponent weights and the number of games played."""

    def __new__(
        cls,
        position: Position,
        weights: Sequence[float],
        opponent_weights: Sequence[float],
        games_played: int,
        *,
        variant: str,
        games: int,
        depth: int,
        lambda_: float,
        learning_rate: float,
        epsilon: float,
        random_fraction: float,
        refresh_games: int,
        terminal_value: float,
        opening_plies: int,
        seed: int,
    ) -> TdLearner: ...
    @property
    def weights(self) -> list[float]:
        """The current weights."""
    @property
    def opponent_weights(self) -> list[float]:
        """The weights of the opponent, used once it no longer plays randomly."""
    @property
    def games_played(self) -> int:
        """Number of games played so far."""
    def play(self) -> tuple[int, str, int, float]:
        """Play a game and learn from it.

        Return the learner's result (1, 0 or -1) and side, the number of plies, and the mean squared error.
        """

@final
class QTable:
    """A table of Q-values of a game: values of positions, or weights of tuples (see docs/learning.md).

    It consists of 16-bit `values`, which are multiplied by `scale`. `keys` are the 64-bit keys of the positions, or
    None for a table of tuples. Malformed data raise `WeightsError`.
    """

    def __new__(cls, position: Position, keys: bytes | None, values: bytes, scale: float) -> QTable: ...
    def q_values(self, position: Position) -> list[float]:
        """Return the Q-value of each move in `position.moves` for the side to move, from -1 to 1."""

@final
class QLearner:
    """A Q-learner. Its state consists of a table, an earlier copy of it and the number of games played."""

    def __new__(
        cls,
        position: Position,
        *,
        is_tabular: bool,
        table_bits: int,
        games: int,
        learning_rate: float,
        final_rate: float,
        epsilon: float,
        final_epsilon: float,
        lambda_: float,
        discount: float,
        random_fraction: float,
        copy_fraction: float,
        copy_interval: int,
        opening_plies: int,
        seed: int,
    ) -> QLearner: ...
    @property
    def games_played(self) -> int:
        """Number of games played so far."""
    def play(self) -> tuple[int, int, float]:
        """Play a game and learn from it.

        Return the learner's result (1, 0 or -1), the number of plies, and the mean squared error of the values.
        """
    def random_score(self, games: int, opening_plies: int) -> float:
        """Return the score against a random player, 0 to 1, in games without learning from random openings."""
    def dump(self) -> tuple[bytes, bytes]:
        """Return the keys of the positions, which are empty for a table of tuples, and the values as 32-bit numbers."""
    def load(self, keys: bytes, values: bytes, copy: tuple[bytes, bytes] | None, games_played: int) -> None:
        """Restore a state from `dump` and, if there is one, the copy that plays as an opponent."""
    def quantized(self) -> tuple[bytes | None, bytes, float]:
        """Return the keys, values and scale from which `QTable` creates the current table."""

@final
class SelfPlay:
    """Self-play games, as training data and for fitting pattern weights."""

    def __new__(
        cls,
        position: Position,
        *,
        depth: int,
        opening_plies: int,
        epsilon: float,
        epochs: int,
        learning_rate: float,
        weight_decay: float,
        search_weight: float,
        seed: int,
    ) -> SelfPlay: ...
    @property
    def games_played(self) -> int:
        """Number of games played so far."""
    def play(self, evaluation: Weights | Network | None = None) -> tuple[int, int]:
        """Play a game with weights, a network or the heuristic.

        Return the first side's result (1, 0 or -1) and the number of plies.
        """
    def append(self, moves: Sequence[str], scores: Sequence[int | None], result: int) -> None:
        """Append a game played elsewhere.

        `scores` are search scores before each move in centipawns for the side to move, or None for a move that was not
        searched. `result` is the first side's: 1, 0 or -1.
        """
    def samples(self, games: int) -> dict[str, bytes]:
        """Return the searched positions of the first `games` games as little-endian arrays.

        own and other are the active features from the points of view of the mover and of its opponent (32 bits),
        feature_offsets the ends of the lists of features (32 bits), scores the search scores (16 bits), results the
        results for the side to move (8 bits), actions the actions of the chosen moves (32 bits), legal and
        legal_offsets the actions of the legal moves (32 bits), quiet whether the chosen move is not a capture and the
        side to move is not in check (8 bits), and symmetric whether the symmetries of the game apply (8 bits).
        """
    def fit(self, games: int) -> tuple[bytes, int, float]:
        """Fit pattern weights to the first `games` games.

        Return the data for `Weights.from_patterns`, the number of training positions and the mean validation loss.
        """
    def dump(self, first: int) -> bytes:
        """Serialise the games from index `first` on."""
    def load(self, data: bytes) -> None:
        """Append games serialised by `dump`; raise `ParseError` if one is malformed."""

@final
class Interrupt:
    """Interrupts the work in its `with` block `seconds` after construction or when `stop` is called.

    Searches return their current result. The functions of user games are no longer called: anything that needs such a
    call raises `Interrupted`, which ends the block early, but a call in progress runs to its end. An interrupt created
    in the block of another one also fires when the outer one fires.
    """

    def __new__(cls, seconds: float | None = None) -> Interrupt: ...
    def stop(self) -> None:
        """Make the interrupt fire now. Thread-safe."""
    @property
    def fired(self) -> bool:
        """Whether the deadline has passed, `stop` was called, or the enclosing interrupt has fired."""
    def __enter__(self) -> None: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> bool: ...

@final
class Solver:
    """An exact solver for Connect Four and for tic-tac-toe boards of up to 16 squares. Any thread can stop it.

    `book` is the content of an opening book for the 7x6 board; `mebibytes` is the size of the transposition table.
    """

    def __new__(cls, game: Game, *, mebibytes: int = 64, threads: int = 1, book: bytes | None = None) -> Solver: ...
    @property
    def bytes(self) -> int:
        """Size of the transposition table in bytes."""
    def solve(
        self,
        position: Position,
        *,
        all_moves: bool = False,
        seconds: float | None = None,
        report: Callable[[int, int, int], object] | None = None,
    ) -> dict[str, Any] | None:
        """Return score, distance, moves, nodes and seconds for an unfinished position; None if stopped or out of time.

        With `all_moves`, moves contains the text, score and distance of every legal move. `report` is called ten times
        per second with the lower and upper bounds of the score and the number of nodes.
        """
    def scores(self, positions: Sequence[Position]) -> list[int] | None:
        """Return the scores of unfinished positions, solved in parallel; None if stopped."""
    def stop(self) -> None:
        """Make `solve` or `scores` in another thread return None."""
    def clear(self) -> None:
        """Clear the transposition table."""

@final
class Tables:
    """Checkers endgame tables. They are fully verified when opened and stay in memory until the process ends.

    Values (`win`, `draw`, `loss`) are for the side to move. Distances are plies to the end, or None if unknown.
    """

    def __new__(cls, folder: str | PathLike[str]) -> Tables: ...
    @property
    def folder(self) -> str:
        """The folder that contains the files."""
    @property
    def pieces(self) -> int:
        """Largest number of pieces for which all positions are covered."""
    @property
    def bytes(self) -> int:
        """Total size of the files in bytes."""
    def activate(self) -> None:
        """Make `Position.proven_value` and searches use these tables, in all threads."""
    def probe(self, text: str) -> tuple[str, int | None] | None:
        """Return the value and distance of a position (FEN), or None if the tables do not cover it."""
    def conversions(self, text: str) -> list[int | None] | None:
        """Return the distance to conversion (a capture or man move) in plies for each legal move of a position (FEN).

        The distance includes the move: it is 1 for a conversion, more for other king moves, and None for king moves to
        a drawn position. Return None if the tables do not cover the position.
        """
    def counts(self) -> list[dict[str, int]]:
        """Count the positions won, drawn and lost with black to move, for each combination of men and kings."""
    def verify(
        self, pieces: int, samples: int, seed: int, *, threads: int = 1, report: Callable[[int], object] | None = None
    ) -> tuple[str, tuple[str, int | None], tuple[str, int | None]] | None:
        """Check a sample of positions against their successors.

        Return the first inconsistent position with its stored and computed values, or None if there is none.
        """

@final
class PlayoutResults:
    """Totals of random games."""

    @property
    def first_wins(self) -> int:
        """Wins of the first side."""
    @property
    def second_wins(self) -> int:
        """Wins of the second side."""
    @property
    def draws(self) -> int:
        """Drawn games."""
    @property
    def plies(self) -> int:
        """Total number of plies."""

@final
class Rng:
    """The seeded random number generator, with the same sequence in Rust and Python.

    >>> import plyground
    >>> rng = plyground.Rng(1)
    >>> 0 <= rng.below(6) < 6, 0 <= rng.unit() < 1
    (True, True)
    """

    def __new__(cls, seed: int) -> Rng: ...
    def below(self, n: int) -> int:
        """Return a uniformly distributed integer from 0 to n - 1."""
    def unit(self) -> float:
        """Return a uniformly distributed number in [0, 1)."""

def book_ply(book: bytes) -> int:
    """Return the maximum ply that a Connect Four book covers; raise `ParseError` if the book is malformed."""

def book_positions(ply: int) -> list[str]:
    """Return the positions at `ply` in a Connect Four book of that depth, in the order that `write_book` expects."""

def compiled_game(
    adapter: object,
    start: Sequence[int],
    names: Sequence[str],
    addresses: tuple[int, int, int, int, int],
    functions: object,
) -> Game:
    """Create a user game from compiled rules. Called by `plyground.user_games`."""

def build_tables(
    folder: str | PathLike[str],
    pieces: int,
    *,
    threads: int = 1,
    rebuild: bool = False,
    report: Callable[[int, int], object] | None = None,
) -> None:
    """Build the missing tables for up to `pieces` pieces in a folder; with `rebuild`, build all of them.

    `report` is called regularly with the number of completed positions and the total. An exception from `report`, or
    Ctrl-C, interrupts the build; finished slices are kept.
    """

def encode_planes(positions: Sequence[Position], side: str | None = None) -> tuple[tuple[int, int, int], bytearray]:
    """Encode positions of one game from the point of view of `side`, by default each position's side to move.

    Return the number of planes, rows and columns, and the planes of all positions as 32-bit floating-point numbers.
    """

def compiled_limits() -> tuple[int, int]:
    """Return the maximum state size and the maximum number of legal moves of a compiled game."""

def alphabeta_options() -> list[_OptionFacts]:
    """Return the options of `AlphaBeta`, in the same format as `search_options`."""

def game(name: str, options: Sequence[tuple[str, str]]) -> Game:
    """Return a built-in game; options are pairs of strings."""

def play_episode(
    position: Position,
    first: Network | None,
    second: Network | None,
    *,
    epsilon: float = 0.0,
    opening_plies: int = 0,
    teacher_depth: int = 1,
    teacher_fraction: float = 0.0,
    seed: int = 0,
) -> bytes:
    """Play a game between two networks without search, and return it in the format of `episode_transitions`.

    None plays randomly. `epsilon` is the probability of a random move; `teacher_fraction` is the probability that an
    alpha-beta search with the game's heuristic and a depth of `teacher_depth` plies chooses a network's move. Games of
    300 plies are draws. The first byte is the first side's result (1, 0 or -1) as a signed integer, the next two bytes
    are the number of plies.
    """

def episode_transitions(position: Position, episodes: bytes) -> dict[str, bytes]:
    """Return the positions of concatenated episodes as little-endian arrays; raise `ParseError` if one is malformed.

    The arrays are those of `SelfPlay.samples` and, for each position, turns (0 if the first side is to move, otherwise
    1) and choices (how the move was chosen: 0 by the network, 1 at random, 2 by the teacher), each 8 bits; ends are
    the indices after the last position of each episode (32 bits).
    """

def features(position: Position) -> list[tuple[str, str, float]]:
    """Return the name, description and initial weight of each feature of the position's game; may be empty."""

def evaluate_features(position: Position) -> list[float]:
    """Return the feature values of a position from the first side's point of view, each roughly between -1 and 1."""

def pattern_count(position: Position) -> int:
    """Return the number of patterns of the position's game; may be 0."""

def play_game(
    position: Position,
    first: Weights | Network | str,
    second: Weights | Network | str,
    *,
    depth: int | None = None,
    seconds: float | None = None,
    opening_plies: int = 0,
    seed: int = 0,
) -> int:
    """Play a game between two alpha-beta players and return the first side's result (1, 0 or -1).

    Each side uses weights, a network (with `depth` only) or the game's heuristic (`heuristic`), or plays randomly
    (`random`). The random opening depends only on the seed.
    """

def game_ids() -> list[str]:
    """Return the IDs of the built-in games in display order."""

def user_game(adapter: object, cache_bytes: int) -> Game:
    """Create a user game from an adapter made by `plyground.user_games`.

    Cached states use up to `cache_bytes` of memory; while searches are running, half of their total memory limit.
    """

def random_endgame(pieces: int, seed: int) -> str:
    """Return a random checkers position (FEN) with `pieces` pieces: uniformly random material, then random squares."""

def search_options() -> list[_OptionFacts]:
    """Return the name, kind, default, bounds, choices and description of each option of `Search`.

    The kind is `boolean`, `choice`, `integer` or `real`. The bounds are inclusive, and None for boolean and choice
    options.
    """

def split_seed(seed: int, n: int) -> int:
    """Derive the seed of stream `n` from `seed`, for example for game n of a match or move n of a game."""

def write_book(ply: int, scores: Sequence[int]) -> bytes:
    """Serialise a Connect Four book from the scores of the positions that `book_positions` returns."""
