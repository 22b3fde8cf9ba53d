"""Positions as the page sees them."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from plyground._engine import Game, Outcome, Position
from plyground.server.views.positions import BoardView, LastMove, MoveView, OutcomeView, PositionView
from plyground.words import joined


def outcome_view(outcome: Outcome | None) -> OutcomeView | None:
    """How a game ended, if it did."""
    if outcome is None:
        return None
    return OutcomeView(winner=outcome.winner, reason=outcome.reason, text=str(outcome))


def board_view(position: Position, ending: Outcome | None = None) -> BoardView:
    """What is on the board; `ending` is how the game ended otherwise than by the rules."""
    return BoardView(
        text=position.text,
        ply=position.ply,
        turn=position.turn,
        cells=position.cells,
        last=_last(position),
        outcome=outcome_view(position.outcome or ending),
        winning=_winning(position),
    )


def position_view(position: Position, ending: Outcome | None = None) -> PositionView:
    """A position and what can be done in it; nothing, where the game ended otherwise than by the rules."""
    board = board_view(position, ending)
    moves = [] if board.outcome is not None else _moves(position)
    return PositionView(
        **vars(board),
        game=position.game.spec,
        moves=moves,
        urgent=[] if board.winning else position.urgent,
        forced=_forced(position, moves),
        can_pick=list(dict.fromkeys(move.path[0] for move in moves if move.path)),
    )


def _winning(position: Position) -> list[str]:
    outcome = position.outcome
    return position.urgent if outcome is not None and outcome.reason == "line" else []


def _last(position: Position) -> LastMove | None:
    if position.ply == 0:
        return None
    text, before = position.history[-1], position.unplay()
    return LastMove(text=text, notation=before.notation(text), path=before.path(text))


def _moves(position: Position) -> list[MoveView]:
    before, others = position.cells, _letters_of_others(position.game, position.turn)
    found = []
    for text in position.moves:
        path = position.path(text)
        after = position.play(text).cells if len(path) > 1 else before
        captures = [
            square
            for square, letter in before.items()
            if letter in others and after.get(square) != letter and (square not in after or square == path[-1])
        ]
        found.append(MoveView(text=text, notation=position.notation(text), path=path, captures=captures))
    alike = Counter(tuple(move.path) for move in found)
    for move in found:
        if move.path and alike[tuple(move.path)] > 1:
            move.choice = _choice(position, move)
    return found


def _choice(position: Position, move: MoveView) -> str:
    """What tells a move from others of the same path: what stands at its end, else its text."""
    before, after = position.cells, position.play(move.text).cells
    letter = after.get(move.path[-1])
    changed = letter is not None and letter != before.get(move.path[0])
    return position.game.pieces[letter][1] if changed and letter is not None else move.text


def _forced(position: Position, moves: list[MoveView]) -> str | None:
    side = position.turn.capitalize()
    if moves and position.urgent and all(move.captures for move in moves):
        return f"{side} must capture: {joined(move.notation for move in moves)}"
    if len(moves) == 1:
        return f"{side} has one move: {moves[0].notation}"
    if moves and position.urgent and position.game.id == "chess":
        return f"{side} is in check"
    return None


@lru_cache(maxsize=64)
def _letters_of_others(game: Game, side: str) -> frozenset[str]:
    return frozenset(letter for letter, (owner, _) in game.pieces.items() if owner != side)
