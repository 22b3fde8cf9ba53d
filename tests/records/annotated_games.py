"""Random chess games with comments, NAGs and nested variations, and their comparison as python-chess reads them.

``python tests/records/annotated_games.py 1000`` checks that 1,000 games are unchanged by import and export.
"""

from __future__ import annotations

import io
import random
import sys
from typing import Any

import chess
import chess.pgn

from plyground.records import json as record_json
from plyground.records.pgn import read, write

WORDS = (
    "best", "Sf3", "(worse)", "is", "1-0", "$5", ";", "%", '"quoted"', "[%clk 0:12:34]", "[%eval -0.35,18]", "Café",
    "♞", "[%csl Ga1]", "1.", "e4", "*", "{", "\\", "a-very-long-word-" * 4,
)  # fmt: skip
NAGS = (*range(1, 20), 132, 146, 220, 255)
MAX_DEPTH = 4


def random_game(seed: int) -> chess.pgn.Game:
    """Return a game of up to 40 plies."""
    rng = random.Random(seed)
    game = chess.pgn.Game()
    game.headers.update({"Event": f"Game {seed}", "White": "Ada", "Black": "Bob", "Round": str(seed % 9)})
    if rng.random() < 0.3:
        game.comment = _comment(rng)
    _grow(game, game.board(), rng, rng.randrange(1, 41), 0)
    game.headers["Result"] = game.end().board().result()
    return game


def _grow(node: chess.pgn.GameNode, board: chess.Board, rng: random.Random, plies: int, depth: int) -> None:
    """Add a line of moves after a node, with variations."""
    for _ in range(plies):
        moves = list(board.legal_moves)
        if board.is_game_over():
            return
        rng.shuffle(moves)
        following = _add(node, moves[0], rng)
        if depth < MAX_DEPTH and rng.random() < 0.15:
            for move in moves[1 : rng.randrange(2, 4)]:
                other = _add(node, move, rng)
                if rng.random() < 0.2:
                    other.starting_comment = _comment(rng)
                board.push(move)
                _grow(other, board.copy(), rng, rng.randrange(0, 6), depth + 1)
                board.pop()
        board.push(moves[0])
        node = following


def _add(node: chess.pgn.GameNode, move: chess.Move, rng: random.Random) -> chess.pgn.ChildNode:
    child = node.add_variation(move)
    if rng.random() < 0.25:
        child.comment = _comment(rng)
    if rng.random() < 0.2:
        child.nags = set(rng.sample(NAGS, rng.randrange(1, 4)))
    return child


def _comment(rng: random.Random) -> str:
    return " ".join(rng.choices(WORDS, k=rng.randrange(1, 12)))


def tree(node: chess.pgn.GameNode) -> Any:
    """Return a game as nested tuples, with comments on one line and parentheses instead of braces."""
    return _note(node), tuple((child.uci(), tree(child)) for child in node.variations)


def _note(node: chess.pgn.GameNode) -> tuple[str, str, tuple[int, ...]]:
    comments = (" ".join(text.split()).replace("{", "(") for text in (node.starting_comment, node.comment))
    before, after = comments
    return before, after, tuple(sorted(node.nags))


def check_round_trip(games: list[chess.pgn.Game]) -> None:
    """Check that games are unchanged by import and export as PGN and as JSON."""
    text = "\n\n".join(map(str, games)) + "\n"
    parsed = read(text)
    assert (parsed.failed, parsed.warnings) == ((), ())
    exported = write(parsed.records)
    stream = io.StringIO(exported)
    for game in games:
        other = chess.pgn.read_game(stream)
        assert other is not None
        assert other.errors == []
        assert tree(other) == tree(game)
        assert {name: other.headers[name] for name in game.headers} == dict(game.headers)
    assert chess.pgn.read_game(stream) is None
    again = read(exported)
    assert (again.records, again.warnings) == (parsed.records, ())
    assert write(again.records) == exported
    assert record_json.read_all(record_json.write_all(parsed.records)).records == parsed.records


if __name__ == "__main__":
    check_round_trip([random_game(seed) for seed in range(int(sys.argv[1]))])
