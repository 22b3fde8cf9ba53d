"""Transcripts of random games. Regenerate them with `python tests/rules/playthroughs.py --write`."""

from __future__ import annotations

import argparse
import textwrap
from dataclasses import dataclass
from pathlib import Path

import plyground
from plyground import Position, Rng
from plyground.board_text import draw

FOLDER = Path(__file__).parent / "playthroughs"
COMMAND = "python tests/rules/playthroughs.py --write"


@dataclass(frozen=True)
class Playthrough:
    """A seeded random game and the name of the file with its transcript."""

    name: str
    spec: str
    seed: int
    outcome: str
    """Expected outcome; if the random games change, choose another seed that leads to it."""
    start: str | None = None
    """Text of the start position; None for the start of the game."""

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.name}.txt"

    def transcript(self) -> str:
        position = plyground.game(self.spec).position(self.start)
        parts = [f"game {self.spec}\nseed {self.seed}\n", describe(position)]
        rng = Rng(self.seed)
        while position.outcome is None:
            side, before = position.turn, position
            position = position.play_random(rng)
            move = position.history[-1]
            notation = before.notation(move)
            parts.append(f"{side} plays {move}{'' if notation == move else f' ({notation})'}\n")
            parts.append(describe(position))
        return "\n".join(parts)


def describe(position: Position) -> str:
    """Describe a position: the board, its text and the legal moves or the outcome."""
    lines = [f"ply {position.ply}", draw(position, color=False), f"text {position.text}"]
    if position.highlighted:
        lines.append(f"highlighted {' '.join(position.highlighted)}")
    if position.outcome is None:
        moves = f"{position.turn} to move: {' '.join(position.moves)}"
        lines += textwrap.wrap(moves, 110, subsequent_indent="  ", break_on_hyphens=False)
    else:
        lines.append(str(position.outcome))
    return "\n".join(lines) + "\n"


PLAYTHROUGHS = (
    Playthrough("tictactoe-won", "tictactoe", 4, "o wins: line"),
    Playthrough("tictactoe-drawn", "tictactoe", 1, "draw: full board"),
    Playthrough("tictactoe-wide", "tictactoe(rows=3, columns=5, line=4)", 827, "x wins: line"),
    Playthrough("connect4-won", "connect4", 23, "red wins: line"),
    Playthrough("connect4-small-drawn", "connect4(columns=4, rows=4)", 2, "draw: full board"),
    Playthrough("checkers-complete-game", "checkers", 167, "black wins: no moves"),
    Playthrough("checkers-repetition", "checkers", 264, "draw: repetition", "W:WK2,22,26:B6,7,14,15,K23,12"),
    Playthrough("checkers-openspiel-limit", "checkers(draws=openspiel)", 1, "draw: move limit", "B:WK32:BK1"),
    Playthrough("chess-checkmate", "chess", 430, "white wins: checkmate"),
    Playthrough("chess-stalemate", "chess", 759, "draw: stalemate", "8/P1k5/8/8/8/8/5Kp1/8 w - - 0 1"),
    Playthrough("chess-castling-limit", "chess", 22, "draw: move limit", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 90 60"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", required=True, help="regenerate all transcripts")
    parser.parse_args()
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for playthrough in PLAYTHROUGHS:
        playthrough.path.write_text(playthrough.transcript())


if __name__ == "__main__":
    main()
