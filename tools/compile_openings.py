"""Compiles the names of chess openings into `python/plyground/opening_names.bin`.

Usage: python tools/compile_openings.py FOLDER, where FOLDER contains a.tsv to e.tsv of the data set
lichess-org/chess-openings. The same input always gives the same openings.
"""

from __future__ import annotations

import csv
import re
import sys
from pathlib import Path

from plyground.files import write_bytes
from plyground.games import game
from plyground.opening_names import MAX_PLIES, Opening, encode, position_key

OUTPUT = Path(__file__).parents[1] / "python/plyground/opening_names.bin"


def compile_folder(folder: Path) -> dict[bytes, Opening]:
    """Return the openings in the tables of a folder by position key; if two have the same key, the first one."""
    openings: dict[bytes, Opening] = {}
    for table in sorted(folder.glob("[a-e].tsv")):
        with table.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                moves = re.sub(r"\d+\.", " ", row["pgn"]).split()
                if len(moves) > MAX_PLIES:
                    raise SystemExit(f"{table.name}: {row['name']} has more than {MAX_PLIES} plies")
                position = game("chess").position(None, moves)
                openings.setdefault(position_key(position), Opening(row["eco"], row["name"]))
    return openings


def main() -> None:
    """Write the data file."""
    if len(sys.argv) != 2 or not (found := compile_folder(Path(sys.argv[1]))):
        raise SystemExit(__doc__)
    write_bytes(OUTPUT, encode(found))
    sys.stdout.write(f"{len(found)} openings, {OUTPUT.stat().st_size} bytes\n")


if __name__ == "__main__":
    main()
