"""Terminal tables that stay readable in narrow windows.

If the columns do not fit side by side, each row is printed as a block of ``heading value`` pairs instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

GAP = 2
"""Spaces between columns."""
MIN_TEXT_WIDTH = 16
"""Minimum width of a text column, unless its longest cell is shorter."""


@dataclass(frozen=True)
class Column:
    """A column of a table."""

    heading: str
    is_number: bool = False
    """Whether cells are right-aligned."""
    wraps: bool = False
    """Whether long cells may be wrapped."""


def text(heading: str) -> Column:
    """Return a column of text that may be wrapped."""
    return Column(heading, wraps=True)


def label(heading: str) -> Column:
    """Return a column of short text that is never wrapped."""
    return Column(heading)


def number(heading: str) -> Column:
    """Return a column of numbers."""
    return Column(heading, is_number=True)


def without_empty_columns(
    columns: Sequence[Column], rows: Sequence[Sequence[str]]
) -> tuple[list[Column], list[list[str]]]:
    """Return the columns with at least one non-empty cell, and the rows with only these columns."""
    used = [index for index in range(len(columns)) if any(row[index] for row in rows)]
    return [columns[index] for index in used], [[row[index] for index in used] for row in rows]


def print_table(columns: Sequence[Column], rows: Sequence[Sequence[str]], title: str = "") -> None:
    """Print a table on standard output; empty rows become separator lines."""
    from rich.console import Console

    console = Console()
    console.print(make_table(columns, rows, console, title))


def make_table(
    columns: Sequence[Column], rows: Sequence[Sequence[str]], console: Console, title: str = ""
) -> RenderableType:
    """Return the table in a layout that fits the width of a console."""
    if _min_width(columns, rows) > console.width:
        return _blocks(columns, rows, console.width, title)
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(
        title=title or None,
        title_justify="left",
        title_style="",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        padding=(0, GAP - 1, 0, 0),
    )
    for column in columns:
        table.add_column(
            column.heading,
            justify="right" if column.is_number else "left",
            overflow="fold",
            no_wrap=not column.wraps,
            min_width=min(MIN_TEXT_WIDTH, _width(columns, rows, column)) if column.wraps else None,
        )
    for row in rows:
        if row:
            table.add_row(*map(Text, row))
        else:
            table.add_section()
    return table


def _width(columns: Sequence[Column], rows: Sequence[Sequence[str]], column: Column) -> int:
    from rich.cells import cell_len

    index = columns.index(column)
    return max(map(cell_len, [column.heading, *(row[index] for row in rows if row)]))


def _min_width(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> int:
    widths = [
        min(MIN_TEXT_WIDTH, width) if column.wraps else width
        for column in columns
        for width in [_width(columns, rows, column)]
    ]
    return sum(widths) + GAP * (len(columns) - 1)


def _blocks(columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int, title: str) -> RenderableType:
    """Return one block per row: the cells up to the first that is not a number, then the others with headings."""
    from rich.text import Text

    leading = next((index for index, column in enumerate(columns) if not column.is_number), 0) + 1
    lines = [title] if title else []
    for row in filter(None, rows):
        cells = list(zip(columns, row, strict=True))
        head = [f"{column.heading} {cell}" if column.is_number else cell for column, cell in cells[:leading]]
        lines.append(" ".join(filter(None, head)))
        line = ""
        for pair in (f"{column.heading} {cell}".strip() for column, cell in cells[leading:] if cell):
            if line and len(line) + GAP + len(pair) > width - 2:
                lines.append(f"  {line}")
                line = ""
            line = f"{line}{'  ' if line else ''}{pair}"
        if line:
            lines.append(f"  {line}")
    return Text("\n".join(wrapped for line in lines for wrapped in wrap(line, width, subsequent_indent="    ")))
