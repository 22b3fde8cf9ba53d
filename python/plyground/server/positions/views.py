"""Conversion of positions to API models."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from plyground._engine import Game, Outcome, Position
from plyground.formatting import joined
from plyground.opening_names import Opening, opening_at
from plyground.server.positions.models import (
    BoardView,
    LastMove,
    MoveView,
    OpeningView,
    OutcomeView,
    PositionView,
)


def outcome_view(outcome: Outcome | None) -> OutcomeView | None:
    """Return the result of a game, or None if it is unfinished."""
    if outcome is None:
        return None
    return OutcomeView(winner=outcome.winner, reason=outcome.reason, text=str(outcome))


def opening_view(opening: Opening | None) -> OpeningView | None:
    """Return the name of an opening, or None if it has none."""
    return None if opening is None else OpeningView(eco=opening.eco, name=opening.name)


def board_view(position: Position, ending: Outcome | None = None) -> BoardView:
    """Return the board of a position; `ending` is a result not decided by the rules, such as a resignation."""
    return BoardView(
        text=position.text,
        ply=position.ply,
        turn=position.turn,
        cells=position.cells,
        last_move=_last_move(position),
        outcome=outcome_view(position.outcome or ending),
        winning_line=_winning_line(position),
        opening=opening_view(opening_at(position)),
    )


def position_view(position: Position, ending: Outcome | None = None) -> PositionView:
    """Return a position with its legal moves; there are none if `ending` is given."""
    board = board_view(position, ending)
    moves = [] if board.outcome is not None else _moves(position)
    return PositionView(
        **vars(board),
        game=position.game.spec,
        moves=moves,
        highlighted=[] if board.winning_line else position.highlighted,
        forced_reason=_forced_reason(position, moves),
        movable=list(dict.fromkeys(move.path[0] for move in moves if move.path)),
    )


def _winning_line(position: Position) -> list[str]:
    outcome = position.outcome
    return position.highlighted if outcome is not None and outcome.reason == "line" else []


def _last_move(position: Position) -> LastMove | None:
    if position.ply == 0:
        return None
    text, before = position.history[-1], position.undo()
    return LastMove(text=text, notation=before.notation(text), path=before.path(text))


def _moves(position: Position) -> list[MoveView]:
    before, opponent = position.cells, _opponent_letters(position.game, position.turn)
    moves = []
    for text in position.moves:
        path = position.path(text)
        after = position.play(text).cells if len(path) > 1 else before
        captures = [
            square
            for square, letter in before.items()
            if letter in opponent and after.get(square) != letter and (square not in after or square == path[-1])
        ]
        moves.append(MoveView(text=text, notation=position.notation(text), path=path, captures=captures))
    path_counts = Counter(tuple(move.path) for move in moves)
    for move in moves:
        if move.path and path_counts[tuple(move.path)] > 1:
            move.choice = _choice(position, move)
    return moves


def _choice(position: Position, move: MoveView) -> str:
    """Return the name of the promotion piece, or the move's text if the piece does not change."""
    before, after = position.cells, position.play(move.text).cells
    letter = after.get(move.path[-1])
    changed = letter is not None and letter != before.get(move.path[0])
    return position.game.pieces[letter][1] if changed and letter is not None else move.text


def _forced_reason(position: Position, moves: list[MoveView]) -> str | None:
    side = position.turn.capitalize()
    if moves and position.highlighted and all(move.captures for move in moves):
        return f"{side} must capture: {joined(move.notation for move in moves)}"
    if len(moves) == 1:
        return f"{side} has only one move: {moves[0].notation}"
    if moves and position.highlighted and position.game.id == "chess":
        return f"{side} is in check"
    return None


@lru_cache(maxsize=64)
def _opponent_letters(game: Game, side: str) -> frozenset[str]:
    return frozenset(letter for letter, (owner, _) in game.pieces.items() if owner != side)
