"""Whole games in writing, as a person sees them; `python tests/rules/playthroughs.py --write` writes them again."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import plyground
from plyground import Position, Rng
from plyground.drawing import draw

FOLDER = Path(__file__).parent / "playthroughs"
COMMAND = "python tests/rules/playthroughs.py --write"


@dataclass(frozen=True)
class Playthrough:
    """A seeded random game; its transcript stands in a file of this name."""

    name: str
    spec: str
    seed: int
    text: str | None = None

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.name}.txt"

    def transcript(self) -> str:
        position = plyground.game(self.spec).position(self.text)
        parts = [f"game {self.spec}\nseed {self.seed}\n", *describe(position)]
        rng = Rng(self.seed)
        while position.outcome is None:
            side, before = position.turn, position
            position = position.play_random(rng)
            move = position.history[-1]
            notation = before.notation(move)
            parts.append(f"{side} plays {move}{'' if notation == move else f' ({notation})'}\n")
            parts += describe(position)
        return "\n".join(parts)


def describe(position: Position) -> Iterator[str]:
    """The board, its text, and what can be done there."""
    lines = [f"ply {position.ply}", draw(position, color=False), f"text {position.text}"]
    if position.urgent:
        lines.append(f"urgent {' '.join(position.urgent)}")
    if position.outcome is None:
        moves = f"{position.turn} to move: {' '.join(position.moves)}"
        lines += textwrap.wrap(moves, 110, subsequent_indent="  ", break_on_hyphens=False)
    else:
        lines.append(str(position.outcome))
    yield "\n".join(lines) + "\n"


PLAYTHROUGHS = (
    Playthrough("tictactoe-won", "tictactoe", 1),
    Playthrough("tictactoe-drawn", "tictactoe", 4),
    Playthrough("tictactoe-wide", "tictactoe(rows=3, columns=5, line=4)", 7),
    Playthrough("connect4-won", "connect4", 23),
    Playthrough("connect4-small-drawn", "connect4(columns=4, rows=4)", 2),
    Playthrough("checkers-whole-game", "checkers", 167),
    Playthrough("checkers-kings-repeat", "checkers", 193, "W:WK2,22,26:B6,7,14,15,K23,12"),
    Playthrough("checkers-openspiel-drawn", "checkers(draws=openspiel)", 2, "B:WK32:BK1"),
    Playthrough("chess-mate", "chess", 430),
    Playthrough("chess-stalemate", "chess", 103, "8/P1k5/8/8/8/8/5Kp1/8 w - - 0 1"),
    Playthrough("chess-castling-limit", "chess", 260, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 90 60"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", required=True, help="write every transcript again")
    parser.parse_args()
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for playthrough in PLAYTHROUGHS:
        playthrough.path.write_text(playthrough.transcript())


if __name__ == "__main__":
    main()
