"""The `position` command.

The engine's rules end a game at a draw that a player may claim (threefold repetition, 50 moves) or that is certain
(insufficient material), but a GUI may play on. The game then continues from the same position without its history.

>>> find_position("startpos moves e2e4 e7e5").history
['e2e4', 'e7e5']
"""

from __future__ import annotations

from plyground._engine import Position
from plyground.errors import ParseError
from plyground.games import game

MAX_MOVES = 5000
"""Maximum number of moves in the command; the longest games have fewer."""


def find_position(text: str) -> Position:
    """Return the position of ``startpos [moves ...]`` or ``fen FEN [moves ...]``."""
    words = text.split()
    if not words or words[0] not in ("startpos", "fen"):
        raise ParseError("expected: position startpos [moves ...] or position fen FEN [moves ...]")
    at = words.index("moves") if "moves" in words else len(words)
    moves = words[at + 1 :]
    if len(moves) > MAX_MOVES:
        raise ParseError(f"a position must have at most {MAX_MOVES} moves, got {len(moves)}")
    chess = game("chess")
    position = chess.start() if words[0] == "startpos" else chess.position(" ".join(words[1:at]))
    for move in moves:
        position = play_on(position, move)
    return position


def play_on(position: Position, move: str) -> Position:
    """Play a move, even after a draw by repetition, by the 50-move rule or by insufficient material."""
    continued = without_draw(position)
    if continued.outcome is None:
        return continued.play(move)
    import chess  # slow to import, and rarely needed

    board = chess.Board(position.text)
    try:
        board.push_uci(move)
    except ValueError as error:
        raise ParseError(f"illegal move {move[:80]!r}") from error
    return game("chess").position(board.fen())


def without_draw(position: Position) -> Position:
    """Return the position without the history and the counter that make it a draw, so that it can be searched.

    Checkmate, stalemate and insufficient material remain the end of the game.
    """
    if position.outcome is None:
        return position
    fields = position.text.split()
    if len(fields) > 4:
        fields[4] = "0"
    return game("chess").position(" ".join(fields))


def any_move(position: Position) -> str | None:
    """Return a legal move of a finished game; None after checkmate and stalemate."""
    import chess  # slow to import, and rarely needed

    return next((move.uci() for move in chess.Board(position.text).legal_moves), None)
