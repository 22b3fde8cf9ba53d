"""Games with variations: conversion between records and API models, and the boards of all their positions."""

from __future__ import annotations

from plyground._engine import Position
from plyground.errors import ParseError
from plyground.games import game as make_game
from plyground.records import Note, Record, Variation
from plyground.records.annotations import MAX_DEPTH, MAX_VARIATIONS, clean_comment
from plyground.server.positions.models import (
    MAX_TREE_MOVES,
    BranchView,
    GameTreeRequest,
    GameTreeView,
    NoteData,
    VariationData,
)
from plyground.server.positions.views import board_view


def game_tree_view(request: GameTreeRequest) -> GameTreeView:
    """Return the boards of a game and of its variations."""
    check_size(request)
    start = make_game(request.game).position(request.text)
    return GameTreeView(game=start.game.spec, start=board_view(start), tree=_branch_view(start, request))


def check_size(data: VariationData) -> None:
    """Raise `ParseError` if a game has too many moves or variations, or they are nested too deeply."""
    moves = variations = depth = 0
    level = [data]
    while level:
        if depth > MAX_DEPTH:
            raise ParseError(f"variations must be nested at most {MAX_DEPTH} deep")
        moves += sum(len(one.moves) for one in level)
        if moves > MAX_TREE_MOVES:
            raise ParseError(f"at most {MAX_TREE_MOVES} moves including those of variations are accepted, got {moves}")
        level = [inner for one in level for many in one.variations.values() for inner in many]
        variations += len(level)
        if variations > MAX_VARIATIONS:
            raise ParseError(f"at most {MAX_VARIATIONS} variations are accepted, got {variations}")
        depth += 1


def _branch_view(position: Position, data: VariationData) -> BranchView:
    boards, variations = [], {}
    for index, move in enumerate(data.moves):
        if found := data.variations.get(index):
            variations[index] = [_branch_view(position, one) for one in found]
        position = position.play(move)
        boards.append(board_view(position))
    return BranchView(boards=boards, variations=variations)


def tree_data(record: Record) -> VariationData:
    """Return the moves of a record with their annotations."""
    return _line_data(Variation(record.moves, record.notes, record.variations))


def _line_data(line: Variation) -> VariationData:
    return VariationData.model_construct(
        moves=list(line.moves),
        notes={ply: NoteData(comment=note.comment, nags=list(note.nags)) for ply, note in line.notes.items()},
        variations={index: [_line_data(one) for one in ones] for index, ones in line.variations.items()},
    )


def line_from_data(data: VariationData) -> Variation:
    """Return the moves and annotations that a request contains; empty notes and variations are dropped."""
    notes = {ply: Note(clean_comment(one.comment), tuple(sorted(set(one.nags)))) for ply, one in data.notes.items()}
    return Variation(
        tuple(data.moves),
        {ply: note for ply, note in notes.items() if note.comment or note.nags},
        {index: tuple(line_from_data(one) for one in ones) for index, ones in data.variations.items() if ones},
    )
